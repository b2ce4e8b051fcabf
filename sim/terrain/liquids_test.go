package terrain

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
)

// point returns the middle of a block's cell in X and Z, at height y.
func point(x, y, z float32) geom.Vec { return geom.Vec{X: x + 0.5, Y: y, Z: z + 0.5} }

// bodyAt is the contact box of a standing player in water with its feet at x, y, z.
func bodyAt(x, y, z float32) geom.Box {
	return geom.Box{Min: geom.Vec{X: x - 0.299, Y: y + 0.401, Z: z - 0.299}, Max: geom.Vec{X: x + 0.299, Y: y + 1.399, Z: z + 0.299}}
}

func near(a, b geom.Vec) bool { return geom.Dist2(a, b) < 1e-10 }

func TestLiquidSurfaceHeightDependsOnFlowLevelOfBlock(t *testing.T) {
	spec := meadow()
	spec.Fills = []BlockFill{
		{[3]int32{0, 60, 0}, [3]int32{0, 62, 0}, Water}, {[3]int32{1, 62, 0}, [3]int32{1, 62, 0}, Water3},
		{[3]int32{2, 62, 0}, [3]int32{2, 62, 0}, WaterFalling}, {[3]int32{3, 62, 0}, [3]int32{3, 62, 0}, Lava7},
		{[3]int32{4, 62, 0}, [3]int32{4, 62, 0}, SmoothStoneSlabInWater}, {[3]int32{5, 62, 0}, [3]int32{5, 62, 0}, BubbleColumn},
		{[3]int32{0, 63, 0}, [3]int32{9, 70, 0}, Air},
	}
	b := blocksOf(t, spec)
	for _, c := range []struct {
		name string
		at   geom.Vec
		want LiquidSurface
	}{
		{"source", point(0, 62.5, 0), LiquidSurface{WaterLiquid, 0, 63, false}},
		{"below a source", point(0, 61.5, 0), LiquidSurface{WaterLiquid, 0, 62, true}},
		{"depth 3", point(1, 62.5, 0), LiquidSurface{WaterLiquid, 3, 62 + 2./3, false}},
		{"falling", point(2, 62.5, 0), LiquidSurface{WaterLiquid, 8, 63, false}},
		{"lava", point(3, 62, 0), LiquidSurface{LavaLiquid, 7, 62 + 2./9, false}},
		{"slab in water", point(4, 62.75, 0), LiquidSurface{WaterLiquid, 0, 63, false}},
		{"bubble column", point(5, 62.75, 0), LiquidSurface{WaterLiquid, 0, 63, false}},
		{"air", point(0, 63, 0), LiquidSurface{}},
		{"ground", point(6, 62, 0), LiquidSurface{}},
	} {
		got := b.LiquidAt(c.at)
		if math.Abs(float64(got.Top-c.want.Top)) > 1e-5 {
			t.Errorf("%s: top %v, want %v", c.name, got.Top, c.want.Top)
		}
		if got.Top = c.want.Top; got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if got.Contains(c.at.Y) != (c.want.Liquid != NoLiquid && (c.want.Covered || c.at.Y < c.want.Top)) {
			t.Errorf("%s: Contains(%v) is %v", c.name, c.at.Y, got.Contains(c.at.Y))
		}
	}
	var none *Blocks
	if got := none.LiquidAt(point(0, 60, 0)); got != (LiquidSurface{}) {
		t.Errorf("flat ground has liquid %+v", got)
	}
}

// stream returns a channel in the ground, one block wide, with water that flows south from a source at z = 0.
func stream(t testing.TB) *Blocks {
	spec := meadow()
	for z := range int32(8) {
		spec.Fills = append(spec.Fills, BlockFill{[3]int32{0, 63, z}, [3]int32{0, 63, z}, Water + 0})
		if z > 0 {
			spec.Fills[z].Block = Water1 + BlockID(z-1)
		}
	}
	return blocksOf(t, spec)
}

func TestCurrentFlowsTowardShallowerLiquid(t *testing.T) {
	b := stream(t)
	for z := float32(0); z < 7; z++ {
		if got := b.Current(WaterLiquid, bodyAt(0.5, 63, z+0.5)); !near(got, geom.Vec{Z: 1}) {
			t.Errorf("at %v: current %v, want south", z, got)
		}
	}
	if got := b.Current(LavaLiquid, bodyAt(0.5, 63, 3.5)); got != (geom.Vec{}) {
		t.Errorf("lava current %v in water", got)
	}
	if got := b.Current(WaterLiquid, bodyAt(0.5, 66, 3.5)); got != (geom.Vec{}) {
		t.Errorf("current %v above the water", got)
	}
}

func TestStillWaterHasNoCurrent(t *testing.T) {
	spec := meadow()
	spec.Fills = []BlockFill{
		{[3]int32{-8, 60, -8}, [3]int32{8, 63, 8}, Water},
		{[3]int32{5, 63, -8}, [3]int32{8, 63, 8}, Air}, // a step down to still water
	}
	b := blocksOf(t, spec)
	for _, x := range []float32{-7.5, 0.1, 4.5, 4.9} {
		for _, y := range []float32{60, 62, 62.9} {
			if got := b.Current(WaterLiquid, bodyAt(x, y, 0.3)); got != (geom.Vec{}) {
				t.Errorf("at %v, %v: current %v", x, y, got)
			}
		}
	}
}

func TestCurrentAtWaterfallPointsOverEdgeAndThenDown(t *testing.T) {
	spec := meadow()
	spec.Fills = []BlockFill{
		{[3]int32{0, 64, 0}, [3]int32{0, 64, 0}, Water7}, {[3]int32{1, 63, 0}, [3]int32{1, 63, 0}, WaterFalling},
		{[3]int32{1, 64, 0}, [3]int32{1, 64, 0}, Air},
	}
	b := blocksOf(t, spec)
	if got := b.Current(WaterLiquid, bodyAt(0.5, 64, 0.5)); !near(got, geom.Vec{X: 1}) {
		t.Errorf("current %v at the edge, want east", got)
	}
	if got := b.Current(WaterLiquid, bodyAt(1.5, 62.9, 0.5)); !near(got, geom.Vec{Y: -1}) {
		t.Errorf("current %v in the fall, want down", got)
	}
}

// For any blocks and box, a current has length 1 or 0, and repeated calls return the same current without allocating.
func TestCurrentInLiquidIsUnitVectorOrZeroVector(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := meadow()
		kinds := rapid.SampledFrom([]BlockID{Air, Stone, Water, Water1, Water4, Water7, WaterFalling, Lava, Lava3, LavaFalling, SmoothStoneSlabInWater, BubbleColumnDown})
		for range rapid.IntRange(0, 60).Draw(t, "fills") {
			at := [3]int32{rapid.Int32Range(0, 5).Draw(t, "x"), rapid.Int32Range(62, 66).Draw(t, "y"), rapid.Int32Range(0, 5).Draw(t, "z")}
			spec.Fills = append(spec.Fills, BlockFill{at, at, kinds.Draw(t, "kind")})
		}
		b := blocksOf(t, spec)
		q := bodyAt(rapid.Float32Range(-1, 7).Draw(t, "px"), rapid.Float32Range(60, 68).Draw(t, "py"), rapid.Float32Range(-1, 7).Draw(t, "pz"))
		l := rapid.SampledFrom([]Liquid{WaterLiquid, LavaLiquid}).Draw(t, "liquid")
		v := b.Current(l, q)
		if d := geom.Dist2(v, geom.Vec{}); d != 0 && math.Abs(float64(d-1)) > 1e-5 {
			t.Fatalf("current %v has the squared length %v", v, d)
		}
		if again := b.Current(l, q); again != v {
			t.Fatalf("current %v, then %v", v, again)
		}
	})
	nan := float32(math.NaN())
	if v := stream(t).Current(WaterLiquid, geom.Box{Min: geom.Vec{X: nan}, Max: geom.Vec{X: 1, Y: 70, Z: 3}}); v != (geom.Vec{}) {
		t.Errorf("current %v of a box with NaN", v)
	}
}

func BenchmarkCurrent(b *testing.B) {
	blocks := stream(b)
	q := bodyAt(0.5, 63, 3.3)
	b.ReportAllocs()
	for b.Loop() {
		blocks.Current(WaterLiquid, q)
	}
}
