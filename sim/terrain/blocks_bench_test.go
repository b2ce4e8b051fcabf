package terrain

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

// village is flat ground with walls, stairs and a pond around the origin.
func village(t testing.TB) *Blocks {
	spec := meadow()
	spec.Fills = []BlockFill{
		{[3]int32{-6, 64, -6}, [3]int32{6, 67, 6}, StoneBricks}, {[3]int32{-5, 64, -5}, [3]int32{5, 66, 5}, Air},
		{[3]int32{0, 64, 0}, [3]int32{0, 66, 2}, Stone}, {[3]int32{1, 64, 0}, [3]int32{1, 64, 2}, SmoothStoneSlab},
		{[3]int32{2, 62, 2}, [3]int32{4, 63, 4}, Water}, {[3]int32{-1, 64, 1}, [3]int32{-1, 66, 1}, LadderWest},
	}
	return blocksOf(t, spec)
}

var sink int

func BenchmarkBlocksAt(b *testing.B) {
	for name, blocks := range map[string]*Blocks{"ground=flat": nil, "ground=village": village(b)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i := int32(0)
			for b.Loop() {
				sink += int(blocks.At(i&31-16, 60+i&7, i>>3&31-16))
				i++
			}
		})
	}
}

func BenchmarkAppendBoxes(b *testing.B) {
	walk, inside := swept(100.9, 64, 100.9, 0.2, -0.0784, 0.2), swept(0.9, 64, 1.3, 0.2, -0.0784, 0.1)
	for name, c := range map[string]struct {
		blocks *Blocks
		q      geom.Box
	}{
		"ground=flat":    {nil, walk},
		"ground=village": {village(b), inside},
		"sky":            {nil, swept(100.9, 90, 100.9, 0.2, -0.5, 0.2)},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var dst []geom.Box
			for b.Loop() {
				dst = c.blocks.AppendBoxes(dst[:0], c.q)
			}
			b.ReportMetric(float64(len(dst)), "boxes")
		})
	}
}

func BenchmarkNewBlocks(b *testing.B) {
	spec := meadow()
	spec.Ground = HeightGround
	spec.Heightmap = Heightmap{X: -256, Z: -256, Width: 512, Depth: 512, Tops: make([]int16, 512*512)}
	for i := range spec.Heightmap.Tops {
		spec.Heightmap.Tops[i] = int16(64 + i%512/40 + i/512/25)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewBlocks(spec); err != nil {
			b.Fatal(err)
		}
	}
}

func TestBlockQueriesDoNotAllocate(t *testing.T) {
	blocks := village(t)
	dst := make([]geom.Box, 0, 64)
	q := swept(0.9, 64, 1.3, 0.2, -0.0784, 0.1)
	if n := testing.AllocsPerRun(100, func() {
		dst = blocks.AppendBoxes(dst[:0], q)
		sink += int(blocks.At(1, 64, 1)) + int(blocks.Surface(1, 1))
		_, cells := blocks.Section(0, 4, 0)
		sink += int(cells[0])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
