package terrain

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

// scattered returns an area of 3000 x 3000 units with the walls of n houses.
func scattered(t testing.TB, n int) *Walls {
	r := rand.New(rand.NewPCG(1, 2))
	var solids []Solid
	for len(solids) < n {
		x, z := r.Float32()*3000, r.Float32()*3000
		solids = append(solids, boxOf(x, 0, z, x+30, 12, z+1), boxOf(x, 0, z+1, x+1, 12, z+20), boxOf(x+40, 0, z, x+47, 12, z+7))
	}
	return wallsOf(t, solids[:n]...)
}

// BenchmarkWalls queries lines as long as a claim. About one in ten needs a path around a solid, and about one in ten
// passes through a wall whose ends are far.
func BenchmarkWalls(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		w := scattered(b, n)
		r := rand.New(rand.NewPCG(3, 4))
		var from, to [1024]geom.Vec
		for i := range from {
			for ok := false; !ok; ok = !w.Inside(from[i], false) && !w.Inside(to[i], false) {
				from[i] = at(r.Float32()*3000, 0, r.Float32()*3000)
				to[i] = at(from[i].X+r.Float32()*26-13, 0, from[i].Z+r.Float32()*26-13)
			}
		}
		b.Run(fmt.Sprintf("clear/solids=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				w.IsClearBetween(from[i&1023], to[i&1023], false)
			}
		})
		b.Run(fmt.Sprintf("way/solids=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				w.PathLength(from[i&1023], to[i&1023], 45, false)
			}
		})
	}
	maze := wallsOf(b, closedRoom...)
	b.Run("hopeless", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			maze.PathLength(at(-5, 0, 10), at(5, 0, 10), 450, false)
		}
	})
}
