package content

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// blockKeys are TOML keys of an area with blocks of one unit and the ground at height 10.
const blockKeys = `
[area.blocks]
units = 1
origin = [100, 10, -20]
height = 2
ground = "flat"
surface = "sand"
filler = "stone"
solid = "brick_block"
[[area.solid]]
name = "Block"
from = [8, 2, 4]
to = [4, 4, 0]
[[area.solid]]
from = [20, 2, 4]
to = [24, 3.5, 0]
block = "oak_planks"
[[area.fill]]
name = "Rink"
from = [104, 10, -30]
to = [102, 9, -31]
block = "ice"
[[area.fill]]
from = [103, 9, -30]
to = [103, 9, -30]
block = "blue_ice"`

// blocky is the source of the tiny world with blockKeys in its first area.
var blocky = strings.Replace(tinyTOML, "weather = { rain = 10 }", "weather = { rain = 10 }"+blockKeys, 1)

func TestBlocksOfAreasInWorldFileAreLoaded(t *testing.T) {
	w, _, err := LoadWorld("tiny.toml", []byte(blocky))
	if err != nil {
		t.Fatal(err)
	}
	field, cave := &w.Areas[0], &w.Areas[1]
	if want := (terrain.BlockGrid{UnitsPerBlock: 1, Origin: [3]int32{100, 10, -20}, Height: 2}); field.BlockGrid != want {
		t.Errorf("grid %v, want %v", field.BlockGrid, want)
	}
	for _, c := range []struct {
		x, y, z int32
		want    terrain.BlockID
	}{
		{0, 9, 0, terrain.Sand}, {0, 8, 0, terrain.Stone}, {0, 10, 0, terrain.Air},
		{104, 10, -24, terrain.Bricks}, {107, 11, -21, terrain.Bricks}, {107, 12, -21, terrain.Air},
		{120, 10, -21, terrain.OakPlanks}, {120, 11, -21, terrain.SmoothStoneSlab}, {120, 12, -21, terrain.Air},
		{102, 10, -31, terrain.Ice}, {104, 9, -30, terrain.Ice}, {103, 9, -30, terrain.BlueIce},
	} {
		if got := field.Blocks.At(c.x, c.y, c.z); got != c.want {
			t.Errorf("at %d, %d, %d: %s, want %s", c.x, c.y, c.z, got.Kind().Word, c.want.Kind().Word)
		}
	}
	want := terrain.BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}, Height: cave.Portals[0].Pos.Y}
	if cave.BlockGrid != want || cave.Blocks != nil {
		t.Errorf("default grid %v, want %v, and blocks %v", cave.BlockGrid, want, cave.Blocks)
	}
}

// pictureOf returns a PNG image of two pixels, one black and one gray.
func pictureOf(t *testing.T, p interface {
	image.Image
	Set(x, y int, c color.Color)
}, gray color.Color) []byte {
	t.Helper()
	p.Set(0, 0, color.Black)
	p.Set(1, 0, gray)
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// hilly returns the source of the tiny world with a heightmap.
func hilly(keys string) []byte {
	return []byte(strings.Replace(tinyTOML, "weather = { rain = 10 }",
		"weather = { rain = 10 }\n[area.blocks]\nground = \"heightmap\"\nheightmap = \"hills.png\"\n"+keys, 1))
}

func TestGroundHasHeightsOfHeightmapPicture(t *testing.T) {
	two := image.Rect(0, 0, 2, 1)
	for name, picture := range map[string][]byte{
		"8 bits":  pictureOf(t, image.NewGray(two), color.Gray{128}),
		"16 bits": pictureOf(t, image.NewGray16(two), color.Gray16{0x8080}),
	} {
		src := hilly("level = 70\nrelief = 100\nheightmap_at = [40, -30]")
		w, _, err := LoadWorldFiles("tiny.toml", src, fstest.MapFS{"hills.png": {Data: picture}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b := w.Areas[0].Blocks
		if low, high, beside := b.Surface(40, -30), b.Surface(41, -30), b.Surface(42, -30); low != 70 || high != 120 || beside != 70 {
			t.Errorf("%s: surfaces at %d, %d and %d, want 70, 120 and 70", name, low, high, beside)
		}
		if plain := hashOf(src); w.ContentHash == plain {
			t.Errorf("%s: the content hash does not cover the image", name)
		}
	}
}

func TestInvalidBlocksAreRefused(t *testing.T) {
	two := image.Rect(0, 0, 2, 1)
	files := fstest.MapFS{
		"hills.png": {Data: pictureOf(t, image.NewGray(two), color.White)},
		"red.png":   {Data: pictureOf(t, image.NewRGBA(two), color.RGBA{255, 0, 0, 255})},
		"text.png":  {Data: []byte("not a picture")},
		"huge.png":  {Data: make([]byte, maxPicture+1)},
	}
	for _, c := range []struct{ src, want string }{
		{strings.Replace(blocky, `"blue_ice"`, `"blue_ise"`, 1), `block "blue_ise" is unknown: did you mean "blue_ice"?`},
		{strings.Replace(blocky, `"sand"`, `7`, 1), "surface is a whole number: write a string in quotes"},
		{strings.Replace(blocky, "units = 1", "units = 0", 1), "units = 0 is out of range: use 0.01 to 1000"},
		{strings.Replace(blocky, "origin = [100, 10", "origin = [100, 900", 1), "origin is at height 900: use -64 to 319"},
		{strings.Replace(blocky, "to = [102, 9, -31]\n", "", 1), `fill "Rink": to is missing: add to = [x, y, z] in blocks`},
		{strings.Replace(blocky, "to = [102, 9, -31]", "to = [900000, 9, 900000]", 1), "blocks: the block fill with index 0 is invalid: the solids and fills up to this one have more than"},
		{strings.Replace(blocky, `ground = "flat"`, `ground = "hills"`, 1), `ground "hills" is unknown: use one of flat, void, heightmap`},
		{strings.Replace(blocky, `ground = "flat"`, `ground = "heightmap"`, 1), `heightmap is missing: add heightmap = "ground.png"`},
		{strings.Replace(blocky, `ground = "flat"`, `heightmap = "hills.png"`, 1), `a heightmap needs ground = "heightmap"`},
		{string(hilly("relief = 300")), "blocks: the height 321 of column 0, 0 is not within -64..320"},
		{strings.Replace(string(hilly("")), "hills.png", "red.png", 1), `heightmap "red.png": the image has colours`},
		{strings.Replace(string(hilly("")), "hills.png", "text.png", 1), `heightmap "text.png": the file is not a PNG image`},
		{strings.Replace(string(hilly("")), "hills.png", "none.png", 1), `heightmap "none.png": open none.png: file does not exist`},
		{strings.Replace(string(hilly("")), "hills.png", "huge.png", 1), `heightmap "huge.png": the file has 8388609 bytes`},
		{strings.Replace(string(hilly("")), "hills.png", "../hills.png", 1), `heightmap "../hills.png": `},
	} {
		_, _, err := LoadWorldFiles("tiny.toml", []byte(c.src), files)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if _, _, err := LoadWorld("tiny.toml", hilly("")); err == nil || !strings.Contains(err.Error(), "loaded without a folder") {
		t.Errorf("a heightmap without a folder: %v", err)
	}
}

// The playground, the fountain, the door of the miller's house and the lakes are at their positions in the file, converted to blocks.
func TestDefaultWorldHasExpectedBlocksAtKnownPositions(t *testing.T) {
	w := DefaultWorld()
	vale, lake := &w.Areas[w.AreaNamed("Truestep Vale")], &w.Areas[w.AreaNamed("Mirror Lake")]
	for _, c := range []struct {
		area    *sim.AreaDef
		x, y, z int32
		want    terrain.BlockID
	}{
		{vale, -5, 64, -9, terrain.SmoothStoneSlab}, {vale, -6, 64, -9, terrain.StoneBricks}, {vale, -7, 65, -10, terrain.SmoothStoneSlab},
		{vale, -9, 65, -10, terrain.OakPlanks}, {vale, -10, 68, -14, terrain.Cobblestone}, {vale, -10, 68, -13, terrain.LadderSouth},
		{vale, -13, 63, -15, terrain.Slime}, {vale, 5, 63, -12, terrain.PackedIce}, {vale, 9, 63, -16, terrain.BlueIce},
		{vale, 8, 63, -8, terrain.SoulSand}, {vale, -40, 63, -30, terrain.Water}, {vale, 0, 63, 0, terrain.GrassBlock},
		{vale, 7, 65, 5, terrain.SmoothStoneSlab}, {vale, -6, 64, 15, terrain.Air}, {vale, -6, 64, 17, terrain.StoneBricks},
		{vale, -27, 63, -33, terrain.Water}, {vale, -28, 63, -33, terrain.Water1}, {vale, -34, 63, -33, terrain.Water7}, {vale, -40, 58, -30, terrain.Water},
		{lake, 0, 63, 0, terrain.Water}, {lake, 0, 52, 0, terrain.Water}, {lake, -9, 60, 0, terrain.BubbleColumn}, {lake, 30, 63, 0, terrain.GrassBlock},
	} {
		if got := c.area.Blocks.At(c.x, c.y, c.z); got != c.want {
			t.Errorf("%s at %d, %d, %d: %s, want %s", c.area.Name, c.x, c.y, c.z, got.Kind().Word, c.want.Kind().Word)
		}
	}
}

// In the embedded world, a player has space to stand at every portal and at every waypoint on the ground.
func TestDefaultWorldPlacesNoPortalOrWaypointInsideBlock(t *testing.T) {
	w := DefaultWorld()
	for i := range w.Areas {
		a := &w.Areas[i]
		for _, p := range a.Portals {
			checkRoom(t, a, "portal "+p.Name, p.Pos)
		}
		for j := range a.Waypoints {
			if a.Waypoints[j].Used {
				checkRoom(t, a, "a waypoint", a.Waypoints[j].Pos)
			}
		}
	}
}

func checkRoom(t *testing.T, a *sim.AreaDef, what string, at geom.Vec) {
	t.Helper()
	feet := a.BlockGrid.ToBlocks(at)
	body := geom.Box{
		Min: feet.Add(geom.Vec{X: -0.3, Y: 0.01, Z: -0.3}),
		Max: feet.Add(geom.Vec{X: 0.3, Y: 1.8, Z: 0.3}),
	}
	if boxes := a.Blocks.AppendBoxes(nil, body); len(boxes) > 0 {
		t.Errorf("%s: %s at %v is inside %v", a.Name, what, feet, boxes[0])
	}
}
