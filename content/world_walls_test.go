package content

import (
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// walled is the source of the tiny world whose area Field has a solid, a solid fill and a fill with a door, with tiles of 4
// units and blocks of 2 units.
var walled = strings.Replace(tinyTOML, "weather = { rain = 10 }", `weather = { rain = 10 }
tiles = { size = 4, base = [3000, 3100] }
blocks = { units = 2, height = 0 }
[[area.solid]]
name = "Wall"
from = [20, 0, 100]
to = [40, 8, 102]
[[area.solid]]
name = "Kerb"
from = [20, 0, 120]
to = [40, 1, 122]
[[area.fill]]
name = "Pillar"
from = [30, 64, 0]
to = [31, 67, -1]
block = "stone"
[[area.fill]]
name = "Door"
from = [14, 64, -51]
to = [15, 66, -51]
block = "air"`, 1)

func TestSolidsAndBlocksObstructPlayersOfEveryAuthority(t *testing.T) {
	w, warnings, err := LoadWorld("tiny.toml", []byte(walled))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range warnings {
		if strings.Contains(x.Code, "SOLID") {
			t.Error(x)
		}
	}
	field, cave := &w.Areas[0], &w.Areas[1]
	if cave.Walls != nil || cave.Floor != nil || cave.Ground != nil || cave.Solids != nil {
		t.Error("an area without settings has walls or a known ground")
	}
	for _, c := range []struct {
		name       string
		from, to   geom.Vec
		claim      bool
		tileX      uint16
		tileZ      uint16
		dx, dz     int
		block      [3]int32
		wantsBlock terrain.BlockID
	}{
		{"the wall", geom.Vec{X: 22, Z: 98}, geom.Vec{X: 22, Z: 106}, false, 3005, 3124, 0, 1, [3]int32{11, 64, -51}, terrain.StoneBricks},
		{"the door", geom.Vec{X: 30, Z: 98}, geom.Vec{X: 30, Z: 106}, true, 3007, 3124, 0, 1, [3]int32{15, 64, -51}, terrain.Air},
		{"the kerb", geom.Vec{X: 22, Z: 118}, geom.Vec{X: 22, Z: 126}, true, 3005, 3129, 0, 1, [3]int32{11, 64, -61}, terrain.SmoothStoneSlab},
		{"the pillar", geom.Vec{X: 62, Z: -6}, geom.Vec{X: 62, Z: 6}, false, 3015, 3099, 0, 1, [3]int32{31, 66, -1}, terrain.Stone},
	} {
		if got := field.Walls.IsClearBetween(c.from, c.to, false); got != c.claim {
			t.Errorf("%s and a claim: %v", c.name, got)
		}
		if got := field.Ground.CanStep(c.tileX, c.tileZ, c.dx, c.dz); got != c.claim {
			t.Errorf("%s and a path: %v", c.name, got)
		}
		if got := field.Blocks.At(c.block[0], c.block[1], c.block[2]); got != c.wantsBlock {
			t.Errorf("%s and a block: %v", c.name, got.Kind().Word)
		}
	}
	for _, c := range []struct{ x, y, z, want float32 }{{0, 7, 0, 0}, {30, 0, 121, 1}, {62, 8, 1, 8}, {62, 0, 1, 0}} {
		if got := field.GroundHeight(geom.Vec{X: c.x, Y: c.y, Z: c.z}); got != c.want {
			t.Errorf("ground at %v, %v with feet at %v is %v, want %v", c.x, c.z, c.y, got, c.want)
		}
	}
	if got := cave.GroundHeight(geom.Vec{Y: 77}); got != 77 {
		t.Errorf("where the ground is unknown, the height is %v", got)
	}
}

func TestPositionsInsideSolidsCauseWarnings(t *testing.T) {
	src := strings.Replace(tinyTOML, "weather = { rain = 10 }", "weather = { rain = 10 }\n[[area.solid]]\nfrom = [-400, -50, -400]\nto = [400, 90, 400]", 1)
	_, warnings, err := LoadWorld("tiny.toml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, x := range warnings {
		found[x.Code]++
		if strings.Contains(x.String(), "\n") {
			t.Errorf("more than one line: %s", x)
		}
	}
	for _, code := range []string{"SPAWN-SOLID", "PORTAL-SOLID", "WAYPOINT-SOLID"} {
		if found[code] == 0 {
			t.Errorf("no %s among %v", code, warnings)
		}
	}
}

func TestWallsOfDefaultWorldAreEqualForEveryAuthority(t *testing.T) {
	w := DefaultWorld()
	vale := &w.Areas[w.AreaNamed("Truestep Vale")]
	for _, c := range []struct {
		name     string
		from, to geom.Vec
		want     bool
	}{
		{"the fountain", geom.Vec{X: 24, Y: 2, Z: -30}, geom.Vec{X: 24, Y: 2, Z: -10}, false},
		{"beside the fountain", geom.Vec{X: 20.9, Y: 2, Z: -30}, geom.Vec{X: 20.9, Y: 2, Z: -10}, true},
		{"the miller's wall", geom.Vec{X: -15, Y: 2, Z: -60}, geom.Vec{X: -30, Y: 2, Z: -60}, false},
		{"the miller's door", geom.Vec{X: -15, Y: 2, Z: -52}, geom.Vec{X: -30, Y: 2, Z: -52}, true},
		{"the first step", geom.Vec{X: -10, Y: 2, Z: 31}, geom.Vec{X: -16, Y: 2, Z: 31}, true},
		{"onto the stage, by the steps", geom.Vec{X: -10, Y: 2, Z: 31}, geom.Vec{X: -30, Y: 9, Z: 31}, true},
		{"onto the stage, without", geom.Vec{X: -30, Y: 2, Z: 20}, geom.Vec{X: -30, Y: 9, Z: 31}, false},
		{"the lookout", geom.Vec{X: -33, Y: 2, Z: 40}, geom.Vec{X: -33, Y: 2, Z: 50}, false},
		{"the ice rink", geom.Vec{X: 10, Y: 2, Z: 50}, geom.Vec{X: 50, Y: 2, Z: 60}, true},
		{"the pond", geom.Vec{X: -150, Y: 2, Z: 80}, geom.Vec{X: -150, Y: 2, Z: 130}, true},
	} {
		if got := vale.Walls.IsClearBetween(c.from, c.to, false); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	for _, c := range []struct {
		name string
		at   geom.Vec
		want float32
	}{
		{"the green", geom.Vec{Y: 9}, 2}, {"the first step", geom.Vec{X: -16, Y: 2, Z: 31}, 3.75}, {"the pond", geom.Vec{X: -150, Y: 2, Z: 110}, 2},
		{"the stage", geom.Vec{X: -30, Y: 9, Z: 31}, 9}, {"soul sand", geom.Vec{X: 20, Y: 2, Z: 30}, 2 - 0.125*3.5},
	} {
		if got := vale.GroundHeight(c.at); got != c.want {
			t.Errorf("%s: ground at %v, want %v", c.name, got, c.want)
		}
	}
	for i := range w.Areas {
		for _, p := range w.Areas[i].Portals {
			if w.Areas[i].Walls.Inside(p.Pos, false) {
				t.Errorf("%s: portal %s is inside a solid", w.Areas[i].Name, p.Name)
			}
		}
	}
}
