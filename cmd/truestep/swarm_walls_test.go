package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

func TestSwarmPlayersAvoidWallsOfWorldFile(t *testing.T) {
	walls, err := readWalls("", false)
	if err != nil || len(walls["Truestep Vale"]) == 0 {
		t.Errorf("embedded world: %v, %d solids", err, len(walls["Truestep Vale"]))
	}
	file := filepath.Join(t.TempDir(), "other.toml")
	for _, c := range []struct{ text, want string }{
		{"", "world file: "},
		{"name = 3\n", "other.toml:1"},
	} {
		if c.text != "" {
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := readWalls(file, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestSwarmInSightStaysAwayFromPortalsToOtherAreas(t *testing.T) {
	const world = "../../e2e/web/world.toml"
	anywhere, err := readWalls(world, false)
	if err != nil {
		t.Fatal(err)
	}
	stay, err := readWalls(world, true)
	if err != nil {
		t.Fatal(err)
	}
	gate := terrain.Solid{Min: geom.Vec{X: 55, Y: -5, Z: -5}, Max: geom.Vec{X: 65, Y: 5, Z: 5}}
	if want := append(slices.Clone(anywhere["Field"]), gate); !slices.Equal(stay["Field"], want) {
		t.Errorf("Field: %v, want %v", stay["Field"], want)
	}
	if !slices.Equal(stay["Meadow"], anywhere["Meadow"]) {
		t.Errorf("Meadow, which has no portal to another area: %v, want %v", stay["Meadow"], anywhere["Meadow"])
	}
}
