package interest

import (
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/rng"
)

// scatter returns n actors uniformly distributed over a square with edges of the given length. One actor in eight fights its
// neighbour in the table, and every second actor is in a party of four.
func scatter(n int, edge float32) *sim.Frame {
	luck := rng.New(1)
	f := &sim.Frame{Actors: make([]sim.ActorState, n)}
	for i := range f.Actors {
		a := &f.Actors[i]
		a.ID = sim.EntityID(i + 1)
		a.Pos = geom.Vec{X: luck.Float32() * edge, Z: luck.Float32() * edge}
		if i%8 == 0 {
			a.Target = sim.EntityID(i + 2)
		}
		if i%8 < 4 {
			a.Party = sim.PartyID(i/8 + 1)
		}
	}
	return f
}

var benches = []struct {
	name string
	n    int
	edge float32 // edge length of the area, world units
}{
	{"actors=5000/spread", 5000, 40_000},
	{"actors=5000/dense", 5000, 8_000},
	{"crowd=500", 500, 400},
	{"crowd=1000", 1000, 400},
}

// BenchmarkCollect builds the index and collects the close actors of every viewer, as if all broadcasts were due in
// one tick. With a 200 ms interval and 20 ticks/s a tick serves a quarter of them.
func BenchmarkCollect(b *testing.B) {
	for _, bench := range benches {
		for _, middle := range []bool{false, true} {
			name := bench.name + map[bool]string{false: "/close", true: "/middle"}[middle]
			b.Run(name, func(b *testing.B) {
				f, pol := scatter(bench.n, bench.edge), OriginalPolicy()
				var c FrameIndex
				var dst []int32
				var seen int
				b.ReportAllocs()
				for b.Loop() {
					c.Build(f, &pol)
					seen = 0
					for i := range f.Actors {
						dst = c.Collect(dst[:0], i, middle, &pol)
						seen += len(dst)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*bench.n), "ns/viewer")
				b.ReportMetric(float64(seen)/float64(bench.n), "seen/viewer")
			})
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, bench := range benches {
		b.Run(bench.name, func(b *testing.B) {
			f, pol := scatter(bench.n, bench.edge), OriginalPolicy()
			var c FrameIndex
			b.ReportAllocs()
			for b.Loop() {
				c.Build(f, &pol)
			}
		})
	}
}

// BenchmarkUpdate measures a complete update of a view with radii, for every viewer.
func BenchmarkUpdate(b *testing.B) {
	for _, bench := range benches {
		b.Run(bench.name, func(b *testing.B) {
			f, pol := scatter(bench.n, bench.edge), OriginalPolicy()
			pol.EnterRadius, pol.LeaveRadius = 1000, 1100
			var c FrameIndex
			views := make([]View, bench.n)
			b.ReportAllocs()
			for b.Loop() {
				c.Build(f, &pol)
				for i := range views {
					views[i].Update(&c, i, true, &pol)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*bench.n), "ns/viewer")
		})
	}
}

func TestBroadcastOfUnchangedActorsDoesNotAllocate(t *testing.T) {
	f, pol := scatter(300, 3000), OriginalPolicy()
	bounded := pol
	bounded.EnterRadius, bounded.LeaveRadius = 1000, 1100
	var c FrameIndex
	var dst []int32
	whole, near := make([]View, 300), make([]View, 300)
	broadcast := func() {
		c.Build(f, &pol)
		for i := range f.Actors {
			dst = c.Collect(dst[:0], i, true, &pol)
			whole[i].Sync(&c)
			near[i].Update(&c, i, true, &bounded)
		}
	}
	broadcast()
	broadcast()
	if n := testing.AllocsPerRun(20, broadcast); n != 0 {
		t.Errorf("%v allocations per broadcast", n)
	}
}
