package geom

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestGridNearExclusiveOmitsPointsExactlyAtRadius(t *testing.T) {
	var g Grid
	rapid.Check(t, func(t *rapid.T) {
		coord := rapid.SampledFrom([]float32{-500, -400, -300, -0.5, 0, 300, 399.99997, 400, 499.99997, 500, 500.00003})
		x := rapid.SliceOfN(coord, 1, 40).Draw(t, "x")
		z := rapid.SliceOfN(coord, len(x), len(x)).Draw(t, "z")
		g.Build(128, x, z)
		p := Vec{X: coord.Draw(t, "px"), Z: coord.Draw(t, "pz")}
		radius := rapid.SampledFrom([]float32{0, 0.5, 100, 500, 800}).Draw(t, "radius")
		var want []int32
		for i := range x {
			if Dist2XZ(p, Vec{X: x[i], Z: z[i]}) < float32(radius*radius) {
				want = append(want, int32(i))
			}
		}
		got := g.NearExclusive(nil, p, radius)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("below %v of %v: %v, want %v", radius, p, got, want)
		}
	})
}
