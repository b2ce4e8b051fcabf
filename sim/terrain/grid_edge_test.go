package terrain

import (
	"math"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

// Section "Scales" of docs/one-world.md: the centre of every tile, including the first and the last of an axis, converts back to
// the same tile, wherever the area's origin lies on the map.
func TestCentreOfEveryTileOfMapConvertsBackToSameTile(t *testing.T) {
	for _, size := range []float32{minUnitsPerTile, 0.3, 1, 3.5, 7, 100, maxUnitsPerTile} {
		for _, base := range []uint16{0, 1, 3200, 8191, MaxTile - 1, MaxTile} {
			g := TileGrid{UnitsPerTile: size, BaseX: base, BaseZ: MaxTile - base}
			if err := g.Check(); err != nil {
				t.Fatal(err)
			}
			for v := range uint16(TilesPerAxis) {
				want := Tile{v, MaxTile - v}
				if got, ok := g.ToTile(g.Centre(want)); !ok || got != want {
					t.Fatalf("%v units, base %d: %v comes back as %v, %v", size, base, want, got, ok)
				}
			}
		}
	}
}

// Positions beyond the last tile have no tile; a tile includes its southern and western edges.
func TestPositionOffTheMapHasNoTile(t *testing.T) {
	g := TileGrid{UnitsPerTile: 7, BaseX: 3200, BaseZ: 3200}
	lower, upper := float32(-3200*7), float32((TilesPerAxis-3200)*7)
	for _, c := range []struct {
		v    float32
		want int // expected tile, -1 for none
	}{
		{lower, 0}, {math.Nextafter32(lower, -math.MaxFloat32), -1}, {math.Nextafter32(lower, 0), 0},
		{upper, -1}, {math.Nextafter32(upper, 0), MaxTile}, {upper - 7, MaxTile}, {math.Nextafter32(upper-7, 0), MaxTile - 1},
		{0, 3200}, {-1e-9, 3199}, {6.999999, 3200}, {7, 3201},
		{float32(math.Inf(1)), -1}, {float32(math.Inf(-1)), -1}, {float32(math.NaN()), -1}, {math.MaxFloat32, -1}, {-100000, -1},
	} {
		for _, p := range []geom.Vec{{X: c.v}, {Z: c.v}} {
			at, ok := g.ToTile(p)
			got := int(at.X)
			if p.X == 0 && c.v != 0 {
				got = int(at.Z)
			}
			if ok != (c.want >= 0) || ok && got != c.want {
				t.Errorf("%v lies on tile %d, %v, want %d", p, got, ok, c.want)
			}
		}
	}
}

// Section "Scales" of docs/one-world.md: a block position up to Bedrock's limits is the same after conversion to world units and
// back, to within one float32 step. The centre of a block within the world's own limits is exactly the same.
func TestBlockPositionsAtLimitsConvertToWorldAndBackWithinRounding(t *testing.T) {
	ends := []float32{-30_000_000, -8_388_608, -65536.5, -28571.25, -1, -0.5, 0, 0.5, 1, 255.875, 28571.25, 65536.5, 8_388_608, 30_000_000}
	heights := []float32{-64, -63.5, 0, 63.999, 64, 319, 319.5, 320}
	for _, g := range []BlockGrid{
		{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}},
		{UnitsPerBlock: 1, Origin: [3]int32{-5000, MinBlockY, 5000}, Height: 12},
		{UnitsPerBlock: minUnitsPerBlock, Origin: [3]int32{MaxOrigin, MaxBlockY, -MaxOrigin}, Height: -300},
		{UnitsPerBlock: maxUnitsPerBlock, Origin: [3]int32{0, 0, 0}},
	} {
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
		for _, x := range ends {
			for _, y := range heights {
				p := geom.Vec{X: x, Y: y, Z: -x}
				world := g.ToWorld(p)
				back := g.ToBlocks(world)
				for i, v := range [3][3]float32{{p.X, back.X, world.X}, {p.Y, back.Y, world.Y}, {p.Z, back.Z, world.Z}} {
					if slack := ulp(v[0]) + ulp(v[2])/g.UnitsPerBlock; geom.Abs(v[1]-v[0]) > slack {
						t.Errorf("%+v: axis %d of %v comes back as %v, %v off", g, i, p, v[1], v[1]-v[0])
					}
				}
			}
		}
	}
	g := BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}}
	for cell := int32(-28571); cell <= 28571; cell += 13 {
		centre := geom.Vec{X: float32(cell) + 0.5, Y: 64, Z: float32(cell) + 0.5}
		if got := g.ToBlocks(g.ToWorld(centre)); got != centre {
			t.Fatalf("the centre of block %d becomes %v after a round trip", cell, got)
		}
	}
}

// ulp is the step from v to the next float32.
func ulp(v float32) float32 { return math.Nextafter32(geom.Abs(v), math.MaxFloat32) - geom.Abs(v) }
