package terrain

import (
	"math"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

func TestNilBlocksReadAsFlatGrassUpToHeight64(t *testing.T) {
	var b *Blocks
	for _, c := range []struct {
		y    int32
		want BlockID
	}{{-65, Air}, {-64, Dirt}, {0, Dirt}, {62, Dirt}, {63, GrassBlock}, {64, Air}, {319, Air}, {320, Air}, {math.MaxInt32, Air}, {math.MinInt32, Air}} {
		for _, x := range []int32{0, -1, math.MinInt32, math.MaxInt32} {
			if got := b.At(x, c.y, -x); got != c.want {
				t.Errorf("at %d, %d: %v, want %v", x, c.y, got, c.want)
			}
		}
	}
	if y := b.Surface(-5, 70000); y != 64 {
		t.Errorf("surface %d, want 64", y)
	}
}

// swept returns the box that a player's body with its feet at x, y, z covers while it moves by dx, dy, dz.
func swept(x, y, z, dx, dy, dz float32) geom.Box {
	return geom.Box{
		Min: geom.Vec{X: x - 0.2999 + min(dx, 0), Y: y + min(dy, 0), Z: z - 0.2999 + min(dz, 0)},
		Max: geom.Vec{X: x + 0.2999 + max(dx, 0), Y: y + 1.8 + max(dy, 0), Z: z + 0.2999 + max(dz, 0)},
	}
}

func TestCollisionBoxesAreOrderedByXThenZThenY(t *testing.T) {
	var b *Blocks
	got := b.AppendBoxes(nil, swept(1, 64, -1, 0, -1.5, 0))
	var want []geom.Box
	for x := float32(0); x <= 1; x++ {
		for z := float32(-2); z <= -1; z++ {
			for y := float32(62); y <= 63; y++ {
				want = append(want, layer(0, 1).Move(geom.Vec{X: x, Y: y, Z: z}))
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestCollisionBoxQueryWithInvalidBoxReturnsNoBoxes(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	var b *Blocks
	for _, q := range []geom.Box{
		{Min: geom.Vec{X: nan, Y: 60, Z: 0}, Max: geom.Vec{X: 1, Y: 64, Z: 1}},
		{Min: geom.Vec{Y: 60}, Max: geom.Vec{X: 1, Y: nan, Z: 1}},
		{Min: geom.Vec{X: 1, Y: 60}, Max: geom.Vec{Y: 64, Z: 1}},
		{Min: geom.Vec{Y: 400}, Max: geom.Vec{X: 1, Y: 500, Z: 1}},
		{Min: geom.Vec{Y: -500}, Max: geom.Vec{X: 1, Y: -66, Z: 1}},
	} {
		if got := b.AppendBoxes(nil, q); len(got) != 0 {
			t.Errorf("%v touches %v", q, got)
		}
	}
	everything := geom.Box{Min: geom.Vec{X: -inf, Y: -inf, Z: -inf}, Max: geom.Vec{X: inf, Y: inf, Z: inf}}
	if n := len(b.AppendBoxes(nil, everything)); n > MaxQuerySpan*MaxQuerySpan*Sections*16 {
		t.Errorf("%d boxes touch everything", n)
	}
}
