package geom

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/rng"
)

// brute returns the points within radius of p by a scan of all points. Near must return the same points.
func brute(x, z []float32, p Vec, radius float32) []int32 {
	var near []int32
	for i := range x {
		if Dist2XZ(p, Vec{X: x[i], Z: z[i]}) <= float32(radius*radius) {
			near = append(near, int32(i))
		}
	}
	return near
}

func TestGridNearReturnsSamePointsAsFullScan(t *testing.T) {
	var g Grid // reused, so that a smaller build after a larger one is covered too
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]float32{10, 1000, 100_000}).Draw(t, "size")
		coord := rapid.Float32Range(-size, size)
		x := rapid.SliceOfN(coord, 0, 300).Draw(t, "x")
		z := rapid.SliceOfN(coord, len(x), len(x)).Draw(t, "z")
		cell := rapid.SampledFrom([]float32{1, 64, 128, 512}).Draw(t, "cell")
		g.Build(cell, x, z)
		for range 5 {
			p := Vec{X: coord.Draw(t, "px"), Y: coord.Draw(t, "py"), Z: coord.Draw(t, "pz")}
			if len(x) > 0 && rapid.Bool().Draw(t, "at a point") {
				i := rapid.IntRange(0, len(x)-1).Draw(t, "i")
				p.X, p.Z = x[i], z[i]
			}
			radius := rapid.Float32Range(0, size*2).Draw(t, "radius")
			got := g.Near(nil, p, radius)
			slices.Sort(got)
			if want := brute(x, z, p, radius); !slices.Equal(got, want) {
				t.Fatalf("near %v within %v: %v, want %v", p, radius, got, want)
			}
		}
	})
}

func TestGridNearIncludesPointsExactlyAtRadius(t *testing.T) {
	// The points are within one float32 step of the radius, where rounding decides, and at large coordinates, where these
	// steps are coarse.
	for _, at := range []float32{0, 0.1, 511.9999, 99_999, -77_777.77} {
		var x, z []float32
		for _, r := range []float32{500, -500} {
			v := at + r
			for range 4 {
				x, z = append(x, v), append(z, at)
				v = math.Nextafter32(v, math.MaxFloat32)
			}
		}
		var g Grid
		g.Build(64, x, z)
		p := Vec{X: at, Z: at}
		got := g.Near(nil, p, 500)
		slices.Sort(got)
		if want := brute(x, z, p, 500); !slices.Equal(got, want) {
			t.Errorf("at %v: %v, want %v", at, got, want)
		}
	}
}

func TestGridRebuiltWithSamePointsReturnsSameOrder(t *testing.T) {
	x, z := spread(500, 3000)
	var fresh, used Grid
	fresh.Build(100, x, z)
	used.Build(33, z, x)
	used.Build(100, x, z)
	for i := range x {
		p := Vec{X: x[i], Z: z[i]}
		a, b := fresh.Near([]int32{-1}, p, 700), used.Near([]int32{-1}, p, 700)
		if !slices.Equal(a, b) || a[0] != -1 {
			t.Fatalf("point %d: %v and %v", i, a, b)
		}
	}
}

func TestGridNeverFindsNonFinitePoints(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	x := []float32{nan, 0, inf, -inf, 1, 3e38, -3e38}
	z := []float32{0, nan, 0, inf, 1, 3e38, 0}
	var g Grid
	g.Build(64, x, z)
	if got := g.Near(nil, Vec{}, 1e6); !slices.Equal(got, []int32{4}) {
		t.Errorf("near the origin: %v, want the one point", got)
	}
	for _, p := range []Vec{{X: nan}, {Z: nan}, {X: inf}, {Z: -inf}} {
		if got := g.Near(nil, p, 1000); len(got) != 0 {
			t.Errorf("near %v: %v, want none", p, got)
		}
	}
	for _, r := range []float32{nan, -1} {
		if got := g.Near(nil, Vec{X: 1, Z: 1}, r); len(got) != 0 {
			t.Errorf("radius %v: %v, want none", r, got)
		}
	}
}

func TestEmptyGridFindsNothing(t *testing.T) {
	var g Grid
	if got := g.Near(nil, Vec{}, 10); got != nil {
		t.Errorf("zero grid: %v", got)
	}
	g.Build(64, nil, nil)
	if got := g.Near(nil, Vec{}, 10); got != nil {
		t.Errorf("no points: %v", got)
	}
}

func TestRepeatedGridBuildAndQueryDoNotAllocate(t *testing.T) {
	x, z := spread(1000, 5000)
	var g Grid
	var near []int32
	tick := func() {
		g.Build(128, x, z)
		for i := range x {
			near = g.Near(near[:0], Vec{X: x[i], Z: z[i]}, 500)
		}
	}
	tick()
	if n := testing.AllocsPerRun(5, tick); n != 0 {
		t.Errorf("a tick makes %v allocations", n)
	}
}

// spread returns n points, uniformly random in a square around the origin.
func spread(n int, half float32) (x, z []float32) {
	luck := rng.New(1)
	for range n {
		x, z = append(x, luck.Symmetric(half)), append(z, luck.Symmetric(half))
	}
	return x, z
}

// Each point has 20 neighbours within 500 units on average, like players in a large zone.
func BenchmarkGrid(b *testing.B) {
	for _, n := range []int{1000, 5000} {
		half := float32(math.Sqrt(float64(n) * math.Pi * 500 * 500 / 20 / 4))
		x, z := spread(n, half)
		for _, cell := range []float32{128, 256, 512} {
			name := fmt.Sprintf("points=%d/cell=%v", n, cell)
			b.Run(name+"/build", func(b *testing.B) {
				var g Grid
				b.ReportAllocs()
				for b.Loop() {
					g.Build(cell, x, z)
				}
			})
			b.Run(name+"/collect", func(b *testing.B) {
				var g Grid
				g.Build(cell, x, z)
				var near []int32
				seen := 0
				b.ReportAllocs()
				for b.Loop() {
					seen = 0
					for i := range x {
						near = g.Near(near[:0], Vec{X: x[i], Z: z[i]}, 500)
						seen += len(near)
					}
				}
				b.ReportMetric(float64(seen)/float64(n), "seen/point")
			})
		}
	}
}
