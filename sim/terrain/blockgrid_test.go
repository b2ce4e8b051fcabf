package terrain

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
)

func TestWorldNorthIsNegativeBlockZ(t *testing.T) {
	g := BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{100, 64, -20}, Height: 2}
	world, blocks := geom.Vec{X: 7, Y: 5.5, Z: 14}, geom.Vec{X: 102, Y: 65, Z: -24}
	if got := g.ToBlocks(world); got != blocks {
		t.Errorf("ToBlocks(%v) = %v, want %v", world, got, blocks)
	}
	if got := g.ToWorld(blocks); got != world {
		t.Errorf("ToWorld(%v) = %v, want %v", blocks, got, world)
	}
}

// A position in world units that is converted to blocks and back differs only by the rounding of both conversions. A second round
// of conversions does not let it drift.
func TestWorldPositionsConvertToBlocksAndBackWithinRounding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := BlockGrid{
			rapid.SampledFrom([]float32{1, 3.5, 0.3, 7.3, 100}).Draw(t, "units"),
			[3]int32{rapid.Int32Range(-5000, 5000).Draw(t, "x0"), rapid.Int32Range(MinBlockY, MaxBlockY).Draw(t, "y0"), rapid.Int32Range(-5000, 5000).Draw(t, "z0")},
			rapid.Float32Range(-500, 500).Draw(t, "height"),
		}
		coord := rapid.Float32Range(-9000, 9000)
		p := geom.Vec{X: coord.Draw(t, "x"), Y: coord.Draw(t, "y"), Z: coord.Draw(t, "z")}
		back := g.ToWorld(g.ToBlocks(p))
		slack := g.UnitsPerBlock*(1.0/256) + 1.0/1024 // rounding error: half a float32 step below 65536 blocks plus one below 9000 units
		for _, d := range [...]float32{back.X - p.X, back.Y - p.Y, back.Z - p.Z} {
			if geom.Abs(d) > slack {
				t.Fatalf("%v came back as %v", p, back)
			}
		}
		if again := g.ToBlocks(back); g.ToWorld(again) != back && geom.Abs(again.X-g.ToBlocks(p).X) > 1.0/128 {
			t.Fatalf("repeated conversion of %v drifts: %v, then %v", p, back, g.ToWorld(again))
		}
	})
}

func TestBlockCentresConvertToWorldAndBackExactly(t *testing.T) {
	g := BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}, Height: 12}
	for i := range 2000 {
		cell := int32(i - 1000)
		centre := geom.Vec{X: float32(cell) + 0.5, Y: 64, Z: float32(cell) + 0.5}
		if got := g.ToBlocks(g.ToWorld(centre)); got != centre {
			t.Fatalf("the centre of block %d becomes %v after a round trip", cell, got)
		}
	}
}
