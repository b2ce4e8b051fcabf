package server

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/worldmap"
)

// MaxPreviewAreas is the maximum number of areas in one picture of PreviewWorld.
const MaxPreviewAreas = 36

// PreviewWorld draws the ground of a world into a PNG file, as the console displays it: the area with the given name
// or, if areaName is "", all areas side by side. An existing file is replaced only after the picture was written
// completely.
func PreviewWorld(w *content.World, areaName, theme, file string) error {
	var areas []sim.AreaID
	var names []string
	for i := range w.Areas {
		names = append(names, fmt.Sprintf("%q", w.Areas[i].Name))
		if areaName == "" || strings.EqualFold(w.Areas[i].Name, areaName) {
			areas = append(areas, sim.AreaID(i))
		}
	}
	switch {
	case len(areas) == 0:
		return fmt.Errorf("--area: there is no area %q: choose one of %s", areaName, strings.Join(names, ", "))
	case len(areas) > MaxPreviewAreas:
		return fmt.Errorf("the world has %d areas, and one picture shows at most %d: choose one with --area", len(areas), MaxPreviewAreas)
	}
	picture := worldmap.Preview(w.World, &w.Appearance, areas, worldmap.Theme(max(0, slices.Index(worldmap.ThemeWords, theme))))
	out, err := os.CreateTemp(filepath.Dir(file), ".preview-*")
	if err != nil {
		return fmt.Errorf("--preview: create a temporary file: %w", err)
	}
	defer os.Remove(out.Name()) // without effect after the file was renamed
	err = png.Encode(out, picture)
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(out.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(out.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("--preview: write the picture %s: %w", file, err)
	}
	return nil
}
