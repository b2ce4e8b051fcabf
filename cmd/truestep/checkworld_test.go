package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/worldmap"
)

// checkWorld runs the command and returns what it printed.
func checkWorld(t *testing.T, c checkWorldCmd) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c.out = &out
	err := c.Run()
	return out.String(), err
}

func TestCheckWorldSummarisesTheEmbeddedWorld(t *testing.T) {
	got, err := checkWorld(t, checkWorldCmd{})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "checkworld/embedded.txt", got)
}

func TestCheckWorldAcceptsItsEmbeddedWorldFile(t *testing.T) {
	text, err := checkWorld(t, checkWorldCmd{PrintEmbedded: true})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := checkWorld(t, checkWorldCmd{Path: file})
	if err != nil || !strings.HasPrefix(got, "world file "+file+`: "Truestep Vale" is good`) {
		t.Errorf("%v, %s", err, got)
	}
}

const brokenWorld = "name = \"X\"\n[[area]]\nname = \"Field\"\npvp = 1\n[[area.portal]]\nname = \"Gate\"\nat = [0, 0]\n"

func TestCheckWorldReportsEveryProblemOfAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "broken.toml")
	if err := os.WriteFile(file, []byte(brokenWorld), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := checkWorld(t, checkWorldCmd{Path: file})
	if err == nil || statusOf(err) != 1 || out != "" {
		t.Fatalf("error %v, printed %q; want status 1 and nothing printed", err, out)
	}
	golden(t, "checkworld/broken.txt", strings.ReplaceAll(err.Error(), file, "broken.toml")+"\n")

	out, err = checkWorld(t, checkWorldCmd{Path: file, JSON: true})
	if status, ok := errors.AsType[exitStatus](err); !ok || status != 1 {
		t.Errorf("error %v, want status 1 and no message", err)
	}
	var r content.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Errors) != 5 || r.Errors[3].Line != 4 {
		t.Errorf("%v, errors %+v", err, r.Errors)
	}
}

func TestCheckWorldExitStatusDiffersForMissingFileAndInvalidWorld(t *testing.T) {
	for name, c := range map[string]checkWorldCmd{
		"missing":                {Path: filepath.Join(t.TempDir(), "no.toml")},
		"rules for a world file": {Path: "checkworld.go", Rules: "x.toml"},
		"missing rules":          {Path: t.TempDir(), Rules: "no.toml"},
	} {
		if _, err := checkWorld(t, c); err == nil || statusOf(err) != exitUsage {
			t.Errorf("%s: %v, want a usage error", name, err)
		}
	}
	if _, err := checkWorld(t, checkWorldCmd{Path: t.TempDir()}); err == nil || statusOf(err) != 1 {
		t.Errorf("a folder without a project: %v, want status 1", err)
	}
}

func TestCheckWorldGroupsWarningsByFile(t *testing.T) {
	r := content.NewReport("RealmCrafter project", "game", 25000, content.DefaultWorld(), []content.Warning{
		{Code: "SPAWN-FREQ-ZERO", File: "b.dat", Where: "spawn 2", Detail: "respawns without delay: one second"},
		{Code: "XP-MULTIPLIER", File: "a.dat", Where: "actor 0 Human", Detail: "xpMultiplier 0"},
		{Code: "RESIST-ALL-ZERO", File: "b.dat", Where: "actor 0 Human", Detail: "all are 0"},
	}, nil)
	var out bytes.Buffer
	if err := printReport(&out, r); err != nil {
		t.Fatal(err)
	}
	const want = `
  a.dat
    XP-MULTIPLIER: actor 0 Human: xpMultiplier 0

  b.dat
    SPAWN-FREQ-ZERO: spawn 2: respawns without delay: one second
    RESIST-ALL-ZERO: actor 0 Human: all are 0
`
	if got := out.String(); !strings.HasSuffix(got, want) || !strings.Contains(got, "is good, with 3 warnings\n") {
		t.Errorf("got\n%s", got)
	}
}

// The default project of RealmCrafter is not part of this repository.
func TestCheckWorldSummarisesDefaultRealmCrafterProject(t *testing.T) {
	dir := os.Getenv("TRUESTEP_RCCE_PROJECT")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "rcce-project")
	}
	if _, err := os.Stat(filepath.Join(dir, "data")); err != nil {
		t.Skip("RealmCrafter's default project is not here; set TRUESTEP_RCCE_PROJECT to its folder to run this test")
	}
	got, err := checkWorld(t, checkWorldCmd{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "checkworld/project.txt", strings.ReplaceAll(got, dir, "DIR"))
}

func TestCheckWorldPreviewDrawsAreaIntoPNGFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ring.png")
	if out, err := checkWorld(t, checkWorldCmd{Preview: file, Area: "the ring", Theme: "light"}); err != nil || !strings.Contains(out, "is good") {
		t.Fatal(err, out)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	checkGroundOfRing(t, picture)
	for name, c := range map[string]checkWorldCmd{
		"an unknown area":          {Preview: file, Area: "Atlantis"},
		"an area without a file":   {Area: "The Ring"},
		"a folder that is not one": {Preview: filepath.Join(file, "x.png"), Area: "The Ring"},
	} {
		if _, err := checkWorld(t, c); err == nil || statusOf(err) != exitUsage {
			t.Errorf("%s: %v, want a usage error", name, err)
		}
	}
	if after, _ := os.ReadFile(file); !bytes.Equal(after, b) {
		t.Error("a refused call has changed the picture")
	}
}

// checkGroundOfRing compares a preview of the area The Ring with the tile that the console draws of the same ground. Most
// of the preview's ground must have the colours of the tile; the rest has names and marks on it.
func checkGroundOfRing(t *testing.T, picture image.Image) {
	t.Helper()
	w := content.DefaultWorld()
	ring := slices.IndexFunc(w.Areas, func(a sim.AreaDef) bool { return a.Name == "The Ring" })
	m := worldmap.New(w.World, sim.AreaID(ring), appearance.MapStyle{})
	tile := m.Tile(worldmap.Light, 0, 0, 0)
	x0, z0, size := m.Square()
	bounds, alike, points := m.Bounds(), 0, 0
	for px := 4; px < picture.Bounds().Dx(); px += 31 {
		for py := 4; py < picture.Bounds().Dy(); py += 31 {
			x := bounds.MinX + (bounds.MaxX-bounds.MinX)*(float32(px)+0.5)/float32(picture.Bounds().Dx())
			z := bounds.MaxZ - (bounds.MaxZ-bounds.MinZ)*(float32(py)+0.5)/float32(picture.Bounds().Dy())
			tx, ty := int((x-x0)/size*worldmap.TileSize), int((z0+size-z)/size*worldmap.TileSize)
			r, g, b, _ := picture.At(px, py).RGBA()
			tr, tg, tb, _ := tile.At(tx, ty).RGBA()
			far := func(a, b uint32) bool { return max(a, b)-min(a, b) > 0x2000 }
			points++
			if !far(r, tr) && !far(g, tg) && !far(b, tb) {
				alike++
			}
		}
	}
	if alike*10 < points*9 {
		t.Errorf("%d of %d points of the preview have the colour of the console's tile, want nine in ten", alike, points)
	}
}

func TestCheckWorldPreviewShowsImageReferencedInWorldFile(t *testing.T) {
	dir := t.TempDir()
	red := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	draw.Draw(red, red.Rect, image.NewUniform(color.NRGBA{R: 200, A: 255}), image.Point{}, draw.Src)
	var picture bytes.Buffer
	if err := png.Encode(&picture, red); err != nil {
		t.Fatal(err)
	}
	world, file := filepath.Join(dir, "world.toml"), filepath.Join(dir, "yard.png")
	write(t, filepath.Join(dir, "red.png"), picture.String())
	write(t, world, string(content.DefaultTOML())+"\n[[area]]\nname = \"Yard\"\nmap = { picture = \"red.png\", corner = [-50, -50], size = [100, 100] }\n[[area.portal]]\nname = \"Gate\"\nat = [0, 0, 0]\n")
	if out, err := checkWorld(t, checkWorldCmd{Path: world, Preview: file, Area: "Yard", Theme: "light"}); err != nil {
		t.Fatal(err, out)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	preview, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	size := preview.Bounds().Size()
	r, g, _, _ := preview.At(size.X*3/5, size.Y*3/5).RGBA() // near the middle, beside the mark of the portal
	if r < 0xb000 || g > 0x2000 {
		t.Errorf("the preview is %v there, not the red of the picture", preview.At(size.X*3/5, size.Y*3/5))
	}
}
