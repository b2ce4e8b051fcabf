package content

import (
	"image"
	"image/color"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

func TestLiquidRulesInWorldFileAreLoaded(t *testing.T) {
	src := tinyTOML + `
[rules.prediction.liquids]
water = { mode = "bounded", accelerate = 0.03, sprint_drag = 0.85 }
[rules.prediction.liquids.lava]
current = 0.007
contact_up = 0.3
surface_tolerance = 0.2
`
	w, _, err := LoadWorld("tiny.toml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	want := move.DefaultLiquids()
	want.Water.Mode, want.Water.Accelerate, want.Water.SprintDrag = move.BoundLiquid, 0.03, 0.85
	want.Lava.Current, want.Lava.ContactUp, want.Lava.SurfaceTolerance = 0.007, 0.3, 0.2
	if w.Rules.Predict.Liquids != want {
		t.Errorf("liquids %+v, want %+v", w.Rules.Predict.Liquids, want)
	}
	if other := DefaultWorld().Rules.Predict.Liquids; other != move.DefaultLiquids() {
		t.Errorf("liquids of the embedded world are %+v", other)
	}
}

func TestSurfaceOfFlowingLiquidFallsInFlowDirection(t *testing.T) {
	for flow, step := range map[string][2]int32{"west": {-1, 0}, "east": {1, 0}, "north": {0, -1}, "south": {0, 1}} {
		src := strings.Replace(blocky, "[[area.fill]]\nname = \"Rink\"", `[[area.fill]]
from = [200, 9, 0]
to = [207, 9, 7]
block = "lava"
flow = "`+flow+`"
[[area.fill]]
name = "Rink"`, 1)
		w, _, err := LoadWorld("tiny.toml", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		x, z := int32(200), int32(0)
		if step[0] < 0 {
			x = 207
		}
		if step[1] < 0 {
			z = 7
		}
		for depth := range uint8(8) {
			got := w.Areas[0].Blocks.At(x, 9, z).Kind()
			if got.Liquid != terrain.LavaLiquid || got.Depth != depth {
				t.Errorf("%s: %s at row %d", flow, got.Word, depth)
			}
			x, z = x+step[0], z+step[1]
		}
	}
}

func TestLiquidFillsSpaceFromGroundToItsSurface(t *testing.T) {
	picture := image.NewGray(image.Rect(0, 0, 2, 1))
	src := hilly("level = 60\nrelief = 100\nheightmap_at = [40, -30]\nliquid = \"water\"\nliquid_level = 64")
	w, _, err := LoadWorldFiles("tiny.toml", src, fstest.MapFS{"hills.png": {Data: pictureOf(t, picture, color.Gray{128})}})
	if err != nil {
		t.Fatal(err)
	}
	b := w.Areas[0].Blocks
	for _, c := range []struct {
		x, y, z int32
		want    terrain.BlockID
	}{
		{40, 59, -30, terrain.GrassBlock}, {40, 60, -30, terrain.Water}, {40, 63, -30, terrain.Water}, {40, 64, -30, terrain.Air},
		{41, 109, -30, terrain.GrassBlock}, {41, 110, -30, terrain.Air}, {5000, 63, 5000, terrain.Water}, {5000, 64, 5000, terrain.Air},
	} {
		if got := b.At(c.x, c.y, c.z); got != c.want {
			t.Errorf("at %d, %d, %d: %s, want %s", c.x, c.y, c.z, got.Kind().Word, c.want.Kind().Word)
		}
	}
}

func TestInvalidLiquidsAreReported(t *testing.T) {
	rules := tinyTOML + "\n[rules.prediction.liquids]\n"
	for _, c := range []struct{ src, want string }{
		{rules + `water = { mode = "free" }`, `mode "free" is unknown: use one of simulate, bounded`},
		{rules + `water = { drag = 2 }`, "drag = 2 is out of range: use 0 to 1"},
		{rules + `water = { contact_across = 0.4 }`, "contact_across = 0.4 is out of range"},
		{rules + `milk = { drag = 1 }`, "milk"},
		{strings.Replace(blocky, `block = "ice"`, `block = "ice"`+"\nflow = \"west\"", 1), `flow needs block = "water" or block = "lava"`},
		{strings.Replace(blocky, `block = "ice"`, `block = "water"`+"\nflow = \"up\"", 1), `flow "up" is unknown`},
		{strings.Replace(strings.Replace(blocky, "to = [102, 9, -31]", "to = [90, 9, -31]", 1), `block = "ice"`, `block = "water"`+"\nflow = \"west\"", 1), "flows at most 7 blocks far, not 14"},
		{strings.Replace(blocky, `ground = "flat"`, "ground = \"flat\"\nliquid = \"stone\"", 1), `liquid "stone" does not fill an area`},
		{strings.Replace(blocky, `ground = "flat"`, "ground = \"void\"\nliquid = \"water\"", 1), "a liquid needs ground below it"},
		{strings.Replace(blocky, `ground = "flat"`, "ground = \"flat\"\nliquid_level = 70", 1), "liquid is missing"},
	} {
		if _, _, err := LoadWorld("tiny.toml", []byte(c.src)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestDepthStriderOnItemOtherThanVisibleBootsIsRefused(t *testing.T) {
	boots := func(keys string) string {
		return tinyTOML + "\n[[item]]\nid = 77\nname = \"Boots\"\nkind = \"armour\"\n" + keys
	}
	w, _, err := LoadWorld("tiny.toml", []byte(boots("slot = \"feet\"\ndepth_strider = 3\nbedrock = { item = \"minecraft:iron_boots\" }")))
	if err != nil || w.Item(77).DepthStrider != 3 {
		t.Fatalf("%v, %+v", err, w.Item(77))
	}
	for keys, want := range map[string]string{
		"slot = \"hat\"\ndepth_strider = 1":  `depth_strider needs slot = "feet"`,
		"slot = \"feet\"\ndepth_strider = 1": "bedrock is missing",
		"slot = \"feet\"\ndepth_strider = 4": "depth_strider = 4 is out of range",
	} {
		if _, _, err := LoadWorld("tiny.toml", []byte(boots(keys))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
