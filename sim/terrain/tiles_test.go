package terrain

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
)

// box returns a solid over the tiles x0..x1, z0..z1, from the ground to 10 units. A tile is 8 units; the origin is tile
// 100, 100.
func box(x0, z0, x1, z1 float32) Solid {
	return Solid{geom.Vec{X: (x0 - 100) * 8, Z: (z0 - 100) * 8}, geom.Vec{X: (x1 - 100) * 8, Y: 10, Z: (z1 - 100) * 8}}
}

var grid = TileGrid{UnitsPerTile: 8, BaseX: 100, BaseZ: 100}

func tilesOf(t testing.TB, solids ...Solid) *Tiles {
	t.Helper()
	tiles, err := NewTiles(TileSpec{Grid: grid}, solids)
	if err != nil {
		t.Fatal(err)
	}
	return tiles
}

func TestTileIsBlockedIfSolidCoversItsCentreOrExtendsQuarterOfTileIntoIt(t *testing.T) {
	for _, c := range []struct {
		name   string
		x0, x1 float32
		want   []uint16 // X of the blocked tiles
	}{
		{"one whole tile", 102, 103, []uint16{102}},
		{"three tiles", 101, 104, []uint16{101, 102, 103}},
		{"slight overlap on both sides", 101.8, 103.2, []uint16{102}},
		{"a quarter on both sides", 101.75, 103.25, []uint16{101, 102, 103}},
		{"thin over the centre", 102.4, 102.6, []uint16{102}},
		{"half a tile on the edge", 101.75, 102.25, []uint16{101, 102}},
		{"a plane on the centre", 102.5, 102.5, []uint16{102}},
		{"thin on the edge", 101.9, 102.1, nil},
	} {
		tiles := tilesOf(t, box(c.x0, 102, c.x1, 103))
		var got []uint16
		for x := uint16(95); x < 110; x++ {
			if tiles.Blocked(x, 102) {
				got = append(got, x)
			}
			if tiles.Blocked(x, 101) || tiles.Blocked(x, 103) {
				t.Errorf("%s: blocks another row", c.name)
			}
		}
		if len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] {
			t.Errorf("%s: blocks %v, want %v", c.name, got, c.want)
		}
	}
}

// steps shows which of the nine tiles around and including tile x, z an actor can step on, north row first.
func steps(t *Tiles, x, z uint16) string {
	var b strings.Builder
	for dz := 1; dz >= -1; dz-- {
		for dx := -1; dx <= 1; dx++ {
			switch {
			case dx == 0 && dz == 0:
				b.WriteByte('@')
			case t.CanStep(x, z, dx, dz):
				b.WriteByte('.')
			default:
				b.WriteByte('#')
			}
		}
		b.WriteByte(' ')
	}
	return b.String()
}

func TestWallsBlockStraightAndDiagonalSteps(t *testing.T) {
	for _, c := range []struct {
		name   string
		solids []Solid
		want   string // expected open directions of tile 102, 102
	}{
		{"nothing", nil, "... .@. ... "},
		{"a wall on its east edge", []Solid{box(103, 102, 103, 103)}, "..# .@# ..# "},
		{"a wall on its west edge, slightly offset", []Solid{box(101.7, 102, 101.9, 103)}, "#.. #@. #.. "},
		{"a wall on its north edge", []Solid{box(102, 103, 103, 103)}, "### .@. ... "},
		{"a wall on its south edge", []Solid{box(102, 102, 103, 102)}, "... .@. ### "},
		{"a wall on the east edge of its northern neighbour", []Solid{box(103, 103, 103, 104)}, "..# .@. ... "},
		{"a tile to the north", []Solid{box(102, 103, 103, 104)}, "### .@. ... "},
		{"a tile to the north-east", []Solid{box(103, 103, 104, 104)}, "..# .@. ... "},
		{"a post on its north-east corner", []Solid{box(102.9, 102.9, 103.1, 103.1)}, "..# .@. ... "},
		{"a post on its south-west corner", []Solid{box(101.9, 101.9, 102.1, 102.1)}, "... .@. #.. "},
		{"from inside a solid", []Solid{box(102, 102, 103, 103)}, "... .@. ... "},
		{"inside a large solid", []Solid{box(100, 100, 105, 105)}, "### #@# ### "},
	} {
		if got := steps(tilesOf(t, c.solids...), 102, 102); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSolidsBelowStepOrAboveHeadDoNotBlockTile(t *testing.T) {
	slab := func(low, high float32) Solid {
		s := box(102, 102, 103, 103)
		s.Min.Y, s.Max.Y = low, high
		return s
	}
	spec := TileSpec{Grid: grid, Low: 2, High: 15}
	for _, c := range []struct {
		low, high float32
		want      bool
	}{{0, 2, false}, {0, 2.1, true}, {15, 20, false}, {14.9, 20, true}, {-50, 50, true}, {5, 6, true}} {
		tiles, err := NewTiles(spec, []Solid{slab(c.low, c.high)})
		if err != nil {
			t.Fatal(err)
		}
		if got := tiles.Blocked(102, 102); got != c.want {
			t.Errorf("a solid from %v to %v: blocked is %v", c.low, c.high, got)
		}
	}
}

func TestStepsBeyondLastTileOfMapAreBlocked(t *testing.T) {
	far := tilesOf(t, box(5000, 5000, 5001, 5001))
	for _, tiles := range []*Tiles{nil, tilesOf(t), far} {
		for _, c := range []struct {
			x, z uint16
			want string
		}{
			{0, 0, "#.. #@. ### "},
			{MaxTile, MaxTile, "### .@# ..# "},
			{0, 7, "#.. #@. #.. "},
			{9000, 9000, "... .@. ... "},
		} {
			if got := steps(tiles, c.x, c.z); got != c.want {
				t.Errorf("at %d, %d: %q, want %q", c.x, c.z, got, c.want)
			}
		}
		if tiles.Blocked(0, 0) || tiles.Blocked(MaxTile, 3) || !tiles.Blocked(MaxTile+1, 3) || !tiles.Blocked(3, 65535) {
			t.Error("only tiles 0..16383 may exist")
		}
	}
}

func TestTilesOutsideBoundsAreBlocked(t *testing.T) {
	spec := TileSpec{Grid: grid, Bounds: TileRect{MinX: 100, MinZ: 100, MaxX: 110, MaxZ: 120}}
	tiles, err := NewTiles(spec, []Solid{box(90, 90, 101, 101), box(-9e4, 119.5, 9e4, 9e4)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x, z uint16
		want bool
	}{{99, 105, true}, {105, 99, true}, {110, 105, true}, {105, 105, false}, {100, 100, true}, {101, 101, false}, {105, 119, true}, {109, 118, false}} {
		if got := tiles.Blocked(c.x, c.z); got != c.want {
			t.Errorf("%d, %d: blocked is %v", c.x, c.z, got)
		}
	}
	if got, want := steps(tiles, 109, 110), "..# .@# ..# "; got != want {
		t.Errorf("at the edge: %q, want %q", got, want)
	}
	if !tiles.CanStep(110, 110, -1, 0) || tiles.CanStep(112, 110, -1, 0) {
		t.Error("a step into the bounds must be legal from one tile outside, and none farther out")
	}
}

func TestInvalidTileSpecIsRefused(t *testing.T) {
	nan := float32(math.NaN())
	good := box(1, 1, 2, 2)
	for name, c := range map[string]struct {
		spec   TileSpec
		solids []Solid
		says   string
	}{
		"no size":          {TileSpec{}, nil, "units per tile"},
		"NaN size":         {TileSpec{Grid: TileGrid{UnitsPerTile: nan}}, nil, "units per tile"},
		"base":             {TileSpec{Grid: TileGrid{UnitsPerTile: 1, BaseX: 16384}}, nil, "above 16383"},
		"plane":            {TileSpec{Grid: TileGrid{UnitsPerTile: 1, Plane: 4}}, nil, "plane"},
		"heights":          {TileSpec{Grid: grid, Low: 2, High: 1}, nil, "Low must not be above"},
		"bounds":           {TileSpec{Grid: grid, Bounds: TileRect{5, 5, 5, 9}}, nil, "bounds"},
		"bounds too far":   {TileSpec{Grid: grid, Bounds: TileRect{0, 0, 1, 16385}}, nil, "bounds"},
		"bounds too large": {TileSpec{Grid: grid, Bounds: TileRect{0, 0, 16384, 16384}}, nil, "more than"},
		"solids far apart": {TileSpec{Grid: grid}, []Solid{good, box(9000, 9000, 9001, 9001)}, "more than"},
		"NaN solid":        {TileSpec{Grid: grid}, []Solid{good, {Min: geom.Vec{X: nan}}}, "the solid box with index 1 is invalid"},
		"inside out":       {TileSpec{Grid: grid}, []Solid{{Min: geom.Vec{X: 1}}}, "the solid box with index 0 is invalid"},
	} {
		if _, err := NewTiles(c.spec, c.solids); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that contains %q", name, err, c.says)
		}
	}
}

func TestTileCentreConvertsBackToSameTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		axis := rapid.Uint16Range(0, MaxTile)
		g := TileGrid{UnitsPerTile: rapid.Float32Range(minUnitsPerTile, maxUnitsPerTile).Draw(t, "units"),
			BaseX: axis.Draw(t, "base x"), BaseZ: axis.Draw(t, "base z")}
		tile := Tile{axis.Draw(t, "x"), axis.Draw(t, "z")}
		if got, ok := g.ToTile(g.Centre(tile)); !ok || got != tile {
			t.Fatalf("%v leads to %v, %v", tile, got, ok)
		}
	})
	for _, c := range []struct {
		at   geom.Vec
		tile Tile
		ok   bool
	}{
		{geom.Vec{}, Tile{100, 100}, true},
		{geom.Vec{X: 7.99, Z: -0.01}, Tile{100, 99}, true},
		{geom.Vec{X: 8, Z: -8}, Tile{101, 99}, true},
		{geom.Vec{X: -800}, Tile{0, 100}, true},
		{geom.Vec{X: -800.1}, Tile{}, false},
		{geom.Vec{X: (16384 - 100) * 8}, Tile{}, false},
		{geom.Vec{Z: float32(math.NaN())}, Tile{}, false},
		{geom.Vec{Z: float32(math.Inf(1))}, Tile{}, false},
	} {
		if got, ok := grid.ToTile(c.at); got != c.tile || ok != c.ok {
			t.Errorf("%v is on %v, %v; want %v, %v", c.at, got, ok, c.tile, c.ok)
		}
	}
}

// scene is a set of solids around tile 110, 110, aligned to tiles or not.
func scene(t *rapid.T) []Solid {
	at := rapid.Custom(func(t *rapid.T) float32 { return float32(rapid.IntRange(0, 160).Draw(t, "at")) / 8 })
	size := rapid.SampledFrom([]float32{0, 0.125, 0.25, 0.375, 0.5, 0.75, 1, 2, 3.5})
	var solids []Solid
	for range rapid.IntRange(0, 12).Draw(t, "solids") {
		x, z := 100+at.Draw(t, "x"), 100+at.Draw(t, "z")
		solids = append(solids, box(x, z, x+size.Draw(t, "wide"), z+size.Draw(t, "long")))
	}
	return solids
}

// An actor moves in a straight line between the centres of two tiles, so the line of a legal step must not cross a solid.
func TestNoLegalTileStepCrossesSolid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		solids := scene(t)
		tiles, err := NewTiles(TileSpec{Grid: grid}, solids)
		if err != nil {
			t.Fatal(err)
		}
		for x := uint16(99); x < 125; x++ {
			for z := uint16(99); z < 125; z++ {
				for _, d := range []Tile{{1, 0}, {0, 1}} {
					from, to := grid.Centre(Tile{x, z}), grid.Centre(Tile{x + d.X, z + d.Z})
					for i, s := range solids {
						crossed := s.Min.X <= to.X && s.Max.X >= from.X && s.Min.Z <= to.Z && s.Max.Z >= from.Z
						if crossed && !tiles.Blocked(x, z) && tiles.CanStep(x, z, int(d.X), int(d.Z)) {
							t.Fatalf("from %d, %d by %v through solid %d %+v", x, z, d, i, s)
						}
					}
				}
			}
		}
	})
}

// The stored open directions of a tile equal the results of CanStep, which is symmetric between free tiles.
func TestOpenDirectionsOfEveryTileEqualResultsOfCanStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := TileSpec{Grid: grid}
		if rapid.Bool().Draw(t, "bounded") {
			spec.Bounds = TileRect{MinX: 101, MinZ: 103, MaxX: 117, MaxZ: 120}
		}
		tiles, err := NewTiles(spec, scene(t))
		if err != nil {
			t.Fatal(err)
		}
		for x := uint16(95); x < 130; x++ {
			for z := uint16(95); z < 130; z++ {
				if got, want := tiles.OpenDirs(x, z), tiles.deriveDirs(int(x), int(z)); got != want {
					t.Fatalf("%d, %d: directions %b, want %b", x, z, got, want)
				}
				for d := range Dir(DirCount) {
					dx, dz := d.Delta()
					there, back := tiles.CanStep(x, z, dx, dz), tiles.CanStep(x+uint16(dx), z+uint16(dz), -dx, -dz)
					if there != back && !tiles.Blocked(x, z) && !tiles.Blocked(x+uint16(dx), z+uint16(dz)) {
						t.Fatalf("%d, %d by %d, %d: there %v, back %v", x, z, dx, dz, there, back)
					}
				}
			}
		}
	})
}

func TestStraightLineBetweenTilesIsClearOnlyWithoutObstacle(t *testing.T) {
	tiles := tilesOf(t, box(103, 100, 103, 110), box(100, 104, 101, 105))
	for _, c := range []struct {
		a, b Tile
		want bool
	}{
		{Tile{101, 101}, Tile{101, 101}, true},
		{Tile{101, 101}, Tile{102, 102}, true},
		{Tile{102, 101}, Tile{103, 101}, false}, // the wall separates the two tiles
		{Tile{101, 109}, Tile{105, 110}, false},
		{Tile{101, 111}, Tile{109, 112}, true},  // the line passes beside the end of the wall
		{Tile{100, 100}, Tile{100, 109}, false}, // the block lies between the two tiles
		{Tile{100, 104}, Tile{100, 105}, false}, // both tiles lie inside the block
		{Tile{5000, 5000}, Tile{5040, 5017}, true},
	} {
		if got, back := tiles.IsClearBetween(c.a, c.b), tiles.IsClearBetween(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%v to %v: %v, back %v; want %v", c.a, c.b, got, back, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		tiles, err := NewTiles(TileSpec{Grid: grid}, scene(t))
		if err != nil {
			t.Fatal(err)
		}
		axis := rapid.Uint16Range(98, 124)
		a, b := Tile{axis.Draw(t, "ax"), axis.Draw(t, "az")}, Tile{axis.Draw(t, "bx"), axis.Draw(t, "bz")}
		if tiles.IsClearBetween(a, b) != tiles.IsClearBetween(b, a) {
			t.Fatalf("Clear differs between %v to %v and back", a, b)
		}
	})
}

func TestDirOfReturnsDirectionOfGivenStep(t *testing.T) {
	for dx := -2; dx <= 2; dx++ {
		for dz := -2; dz <= 2; dz++ {
			d, ok := DirOf(dx, dz)
			if want := max(dx, -dx, dz, -dz) == 1; ok != want {
				t.Errorf("DirOf(%d, %d) is a step: %v", dx, dz, ok)
			}
			if x, z := d.Delta(); ok && (x != dx || z != dz) {
				t.Errorf("%d, %d is %d, whose step is %d, %d", dx, dz, d, x, z)
			}
		}
	}
	if a, b := (Tile{5, 9}), (Tile{7, 2}); a.Distance(b) != 7 || b.Distance(a) != 7 || a.Move(1, -1) != (Tile{6, 8}) || !a.Valid() {
		t.Error("Distance or Move is wrong")
	}
}

func BenchmarkNewTiles(b *testing.B) {
	var solids []Solid
	for n := range 1000 {
		i := float32(n)
		solids = append(solids, box(100+i, 100+i, 103+i, 102+i))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewTiles(TileSpec{Grid: grid}, solids); err != nil {
			b.Fatal(err)
		}
	}
}
