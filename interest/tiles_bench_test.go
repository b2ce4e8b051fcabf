package interest

import (
	"testing"

	"github.com/truestep-io/truestep/sim/rng"
)

// scatterTiles returns n positions, uniformly distributed over a square with the given edge in tiles.
func scatterTiles(n int, edge uint32) []TilePosition {
	luck := rng.New(1)
	spots := make([]TilePosition, n)
	for i := range spots {
		spots[i] = TilePosition{X: uint16(3200 + luck.Uint32()%edge), Z: uint16(3200 + luck.Uint32()%edge)}
	}
	return spots
}

var tileBenches = []struct {
	name string
	n    int
	edge uint32 // edge length of the area, tiles
	r    int32  // view range of the soft cap in steady state, tiles
}{
	{"players=2046/box=13", 2046, 13, 2},
	{"players=2046/box=13/r=1", 2046, 13, 1},
	{"players=2000/box=64", 2000, 64, 10},
	{"players=2000/box=256", 2000, 256, 15},
	{"players=2000/box=2048", 2000, 2048, 15},
}

// BenchmarkTiles measures one cycle of all viewers: building the index and one selection per viewer, after every
// actor has moved.
func BenchmarkTiles(b *testing.B) {
	for _, bench := range tileBenches {
		for _, soft := range []bool{false, true} {
			b.Run(bench.name+map[bool]string{false: "/nearest", true: "/soft"}[soft], func(b *testing.B) {
				rule := NearestFirst()
				ask := Query{Range: 15}
				if soft {
					rule = SoftCap()
					ask.Range = bench.r
				}
				worlds := [2][]TilePosition{scatterTiles(bench.n, bench.edge), scatterTiles(bench.n, bench.edge)}
				for i := range worlds[1] {
					worlds[1][i] = worlds[0][(i*7+1)%bench.n]
				}
				shown := make([][]int32, bench.n)
				var tiles TileIndex
				var c Selector
				var seen, cycle int
				b.ReportAllocs()
				for b.Loop() {
					cycle++
					tiles.Build(worlds[cycle&1])
					seen = 0
					for i := range shown {
						ask.Viewer, ask.Shown = int32(i), shown[i]
						shown[i] = c.Select(shown[i][:0], &tiles, &rule, &ask)
						seen += len(shown[i])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*bench.n), "ns/viewer")
				b.ReportMetric(float64(seen)/float64(bench.n), "seen/viewer")
			})
		}
	}
}

func BenchmarkTilesBuild(b *testing.B) {
	spots := scatterTiles(2046, 13)
	var tiles TileIndex
	b.ReportAllocs()
	for b.Loop() {
		tiles.Build(spots)
	}
}

func TestSelectionOfActorsInViewDoesNotAllocate(t *testing.T) {
	for _, bench := range tileBenches {
		for _, rule := range []SightRule{NearestFirst(), SoftCap()} {
			spots := scatterTiles(bench.n, bench.edge)
			var tiles TileIndex
			var c Selector
			var shown, now []int32
			cycle := func() {
				tiles.Build(spots)
				for i := range int32(50) {
					now = c.Select(now[:0], &tiles, &rule, &Query{Viewer: i, Range: 15, Bound: []int32{i + 1}, Shown: shown})
				}
				shown, now = now, shown
			}
			cycle()
			cycle()
			if n := testing.AllocsPerRun(5, cycle); n != 0 {
				t.Errorf("%s: %v allocations", bench.name, n)
			}
		}
	}
}
