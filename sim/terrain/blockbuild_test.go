package terrain

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
)

// meadow returns grass over dirt up to height 64, with one unit per block and the world's origin at block 0, 64, 0.
func meadow() BlocksSpec {
	return BlocksSpec{Grid: BlockGrid{UnitsPerBlock: 1, Origin: [3]int32{0, 64, 0}}, Level: 64, Surface: GrassBlock, Filler: Dirt}
}

func blocksOf(t interface {
	Helper()
	Fatal(args ...any)
}, spec BlocksSpec) *Blocks {
	t.Helper()
	b, err := NewBlocks(spec)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestColumnHasBlocksOfVoidFlatOrHeightmapGround(t *testing.T) {
	void := meadow()
	void.Ground = VoidGround
	hills := meadow()
	hills.Ground = HeightGround
	hills.Heightmap = Heightmap{X: -1, Z: 15, Width: 3, Depth: 2, Tops: []int16{60, 64, 80, 100, 320, -64}}
	sand := meadow()
	sand.Level, sand.Surface, sand.Filler = 10, Sand, Stone
	for _, c := range []struct {
		name    string
		spec    BlocksSpec
		x, y, z int32
		want    BlockID
		surface int32
	}{
		{"void", void, 5, 0, 5, Air, -64},
		{"low ground", sand, 5, 9, 5, Sand, 10},
		{"below", sand, 5, 8, 5, Stone, 10},
		{"north-west", hills, -1, 59, 15, GrassBlock, 60},
		{"its neighbour", hills, 0, 62, 15, Dirt, 64},
		{"south-west, in another section", hills, -1, 99, 16, GrassBlock, 100},
		{"up to the sky", hills, 0, 319, 16, GrassBlock, 320},
		{"a hole", hills, 1, -64, 16, Air, -64},
		{"beside the map", hills, 2, 63, 16, GrassBlock, 64},
		{"far from the map", hills, 500, 63, -500, GrassBlock, 64},
	} {
		b := blocksOf(t, c.spec)
		if got, top := b.At(c.x, c.y, c.z), b.Surface(c.x, c.z); got != c.want || top != c.surface {
			t.Errorf("%s: %v with a surface at %d, want %v and %d", c.name, got, top, c.want, c.surface)
		}
	}
}

// columnOf returns the blocks of a column from y = 63 upward as one letter each.
func columnOf(b *Blocks, x, z int32) string {
	letters := map[BlockID]byte{Air: '.', GrassBlock: 'g', Stone: 'S', SmoothStoneSlab: '_', SmoothStoneSlabTop: '^'}
	var out strings.Builder
	for y := int32(63); y < 69; y++ {
		out.WriteByte(letters[b.At(x, y, z)])
	}
	return out.String()
}

func TestSolidIsConvertedToEveryBlockWhoseCentreItCovers(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to geom.Vec // corners in world units, which equal blocks here; Z increases to the north
		x, z     int32
		want     string
	}{
		{"a cube lies south of its northern edge", geom.Vec{X: 0, Z: 0}, geom.Vec{X: 1, Y: 2, Z: 1}, 0, -1, "gSS..."},
		{"not on the other side", geom.Vec{X: 0, Z: 0}, geom.Vec{X: 1, Y: 2, Z: 1}, 0, 0, "g....."},
		{"not beside it", geom.Vec{X: 0, Z: 0}, geom.Vec{X: 1, Y: 2, Z: 1}, 1, -1, "g....."},
		{"up to a centre", geom.Vec{X: 0.5, Z: 0.5}, geom.Vec{X: 1, Y: 1.5, Z: 1}, 0, -1, "gS_..."},
		{"above a centre", geom.Vec{}, geom.Vec{X: 1, Y: 1.6, Z: 1}, 0, -1, "gSS..."},
		{"half a block", geom.Vec{}, geom.Vec{X: 1, Y: 0.5, Z: 1}, 0, -1, "g_...."},
		{"past a centre", geom.Vec{X: 0.6, Z: 0.2}, geom.Vec{X: 2, Y: 1, Z: 1}, 0, -1, "g....."},
		{"half a block on top", geom.Vec{}, geom.Vec{X: 1, Y: 1.4, Z: 1}, 0, -1, "gS_..."},
		{"a slight overlap on top", geom.Vec{}, geom.Vec{X: 1, Y: 1.1, Z: 1}, 0, -1, "gS...."},
		{"only half a block", geom.Vec{}, geom.Vec{X: 1, Y: 0.3, Z: 1}, 0, -1, "g_...."},
		{"a board under a ceiling", geom.Vec{Y: 2.7}, geom.Vec{X: 1, Y: 2.9, Z: 1}, 0, -1, "g..^.."},
		{"from a centre", geom.Vec{Y: 1.5}, geom.Vec{X: 1, Y: 3, Z: 1}, 0, -1, "g.SS.."},
		{"a thin wall fills the block around its middle", geom.Vec{X: 2.8}, geom.Vec{X: 2.9, Y: 3, Z: 4}, 2, -3, "gSSS.."},
		{"a wall without thickness on an edge", geom.Vec{X: 3}, geom.Vec{X: 3, Y: 3, Z: 4}, 3, -1, "gSSS.."},
		{"into the ground", geom.Vec{Y: -3}, geom.Vec{X: 1, Y: 1, Z: 1}, 0, -1, "SS...."},
	} {
		spec := meadow()
		spec.Solids = []BlockSolid{{Solid{c.from, c.to}, Stone}}
		if got := columnOf(blocksOf(t, spec), c.x, c.z); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestThinSolidDoesNotReplaceFullBlockButSlabFillDoes(t *testing.T) {
	spec := meadow()
	one := geom.Vec{X: 1, Y: 1, Z: 1}
	spec.Solids = []BlockSolid{
		{Solid{geom.Vec{}, geom.Vec{X: 1, Y: 0.4, Z: 1}}, Stone},
		{Solid{geom.Vec{}, one}, Stone},
		{Solid{geom.Vec{}, geom.Vec{X: 1, Y: 5, Z: 1}}, Air},
	}
	if got := columnOf(blocksOf(t, spec), 0, -1); got != "gS...." {
		t.Errorf("a slab in a block: %s", got)
	}
	cell := func(y int32) [3]int32 { return [3]int32{0, y, -1} }
	spec.Fills = []BlockFill{
		{cell(63), cell(67), SmoothStoneSlab}, {cell(64), cell(64), Air}, {cell(66), cell(67), Stone},
	}
	if got := columnOf(blocksOf(t, spec), 0, -1); got != "_._SS." {
		t.Errorf("fills in their order: %s", got)
	}
}

func TestBlocksSpecWithInvalidOrExcessiveValuesIsRefused(t *testing.T) {
	at := func(x, y, z int32) [3]int32 { return [3]int32{x, y, z} }
	checkered := func(s *BlocksSpec) { // fills more sections with two kinds of block than allowed
		for i := range int32(40) {
			s.Fills = append(s.Fills, BlockFill{at(0, -60+9*i, 0), at(500, -60+9*i, 500), Stone})
		}
	}
	for _, c := range []struct {
		want   string
		change func(*BlocksSpec)
	}{
		{"number 0 of world units per block", func(s *BlocksSpec) { s.Grid.UnitsPerBlock = 0 }},
		{"coordinate 2000000 of the origin block", func(s *BlocksSpec) { s.Grid.Origin[0] = 2e6 }},
		{"not a finite number", func(s *BlocksSpec) { s.Grid.Height = float32(math.Inf(1)) }},
		{"y coordinate 400 of the origin block", func(s *BlocksSpec) { s.Grid.Origin[1] = 400 }},
		{"level of the ground is 321", func(s *BlocksSpec) { s.Level = 321 }},
		{"unknown kind of block", func(s *BlocksSpec) { s.Filler = 200 }},
		{"must have one for each column", func(s *BlocksSpec) {
			s.Ground, s.Heightmap = HeightGround, Heightmap{Width: 2, Depth: 2, Tops: make([]int16, 3)}
		}},
		{"height -65 of column 0, 1", func(s *BlocksSpec) {
			s.Ground, s.Heightmap = HeightGround, Heightmap{Width: 2, Depth: 2, Tops: []int16{0, 0, -65, 0}}
		}},
		{"1048577 columns", func(s *BlocksSpec) {
			s.Ground, s.Heightmap = HeightGround, Heightmap{Width: 1<<20 + 1, Depth: 1, Tops: make([]int16, 1<<20+1)}
		}},
		{"the solid box with index 0 is invalid: the lowest corner {1 0 0} is above the highest corner {0 0 0} on an axis", func(s *BlocksSpec) { s.Solids = []BlockSolid{{Solid{Min: geom.Vec{X: 1}}, Stone}} }},
		{"the block fill with index 0 is invalid: on one axis the lowest cell is 1, above the highest cell, 0", func(s *BlocksSpec) { s.Fills = []BlockFill{{at(1, 0, 0), at(0, 0, 0), Stone}} }},
		{"the block fill with index 1 is invalid: the kind of block 99 is unknown", func(s *BlocksSpec) { s.Fills = []BlockFill{{}, {Block: 99}} }},
		{"the block fill with index 0 is invalid: coordinates -65..0", func(s *BlocksSpec) { s.Fills = []BlockFill{{at(0, -65, 0), at(0, 0, 0), Stone}} }},
		{"the block fill with index 0 is invalid: coordinates -2147483648..", func(s *BlocksSpec) { s.Fills = []BlockFill{{at(-1<<31, 0, -1<<31), at(1<<31-1, 0, 1<<31-1), Stone}} }},
		{"the block fill with index 0 is invalid: the solids and fills up to this one have more than", func(s *BlocksSpec) { s.Fills = []BlockFill{{at(0, 0, 0), at(9000, 9, 9000), Stone}} }},
		{"chunks, more than 65536", func(s *BlocksSpec) {
			s.Fills = []BlockFill{{Block: Stone}, {at(9000, 0, 9000), at(9000, 0, 9000), Stone}}
		}},
		{"more than 16384 sections", checkered},
	} {
		spec := meadow()
		c.change(&spec)
		if _, err := NewBlocks(spec); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestSectionsWithEqualBlocksShareMemory(t *testing.T) {
	spec := meadow()
	spec.Fills = []BlockFill{
		{[3]int32{3, 70, 3}, [3]int32{3, 70, 3}, Stone}, {[3]int32{35, 70, 3}, [3]int32{35, 70, 3}, Stone}, // two sections with equal content
		{[3]int32{0, 100, 0}, [3]int32{0, 100, 0}, Stone}, {[3]int32{0, 100, 0}, [3]int32{0, 100, 0}, Air}, // a section changed to stone and back to air
		{[3]int32{16, 63, 0}, [3]int32{16, 63, 0}, Stone}, {[3]int32{16, 63, 0}, [3]int32{16, 63, 0}, GrassBlock},
	}
	b := blocksOf(t, spec)
	_, one := b.Section(0, 4, 0)
	_, two := b.Section(2, 4, 0)
	_, ground := b.Section(500, 3, 500)
	_, touched := b.Section(1, 3, 0)
	_, emptied := b.Section(0, 6, 0)
	if one == nil || one != two || ground == nil || ground != touched || emptied != nil || len(b.cells) != 2 {
		t.Errorf("%d sections are kept", len(b.cells))
	}
}

// Built blocks equal those of a simple implementation that applies the fills one cell at a time. Building them again
// gives the same blocks.
func TestBuiltBlocksMatchReferenceImplementation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := meadow()
		spec.Ground = rapid.SampledFrom([]Ground{FlatGround, VoidGround}).Draw(t, "ground")
		coord, height := rapid.Int32Range(-20, 40), rapid.Int32Range(40, 90)
		for range rapid.IntRange(0, 6).Draw(t, "fills") {
			x, y, z := coord.Draw(t, "x"), height.Draw(t, "y"), coord.Draw(t, "z")
			size := rapid.Int32Range(0, 33)
			spec.Fills = append(spec.Fills, BlockFill{[3]int32{x, y, z},
				[3]int32{x + size.Draw(t, "dx"), y + size.Draw(t, "dy"), z + size.Draw(t, "dz")},
				BlockID(rapid.IntRange(0, BlockKindCount()-1).Draw(t, "block"))})
		}
		b, again := blocksOf(t, spec), blocksOf(t, spec)
		for x := int32(-24); x < 80; x += 5 {
			for z := int32(-24); z < 80; z += 7 {
				for y := int32(38); y < 125; y += 3 {
					want := Air
					if spec.Ground == FlatGround {
						want = layered(y, 64, GrassBlock, Dirt)
					}
					for _, f := range spec.Fills {
						if f.Min[0] <= x && x <= f.Max[0] && f.Min[1] <= y && y <= f.Max[1] && f.Min[2] <= z && z <= f.Max[2] {
							want = f.Block
						}
					}
					kind, cells := b.Section(x>>4, y>>4, z>>4)
					if cells != nil {
						kind = cells[x&15<<8|z&15<<4|y&15]
					}
					if got := b.At(x, y, z); got != want || kind != want || again.At(x, y, z) != want {
						t.Fatalf("at %d, %d, %d: %v, in its section %v, want %v", x, y, z, got, kind, want)
					}
				}
			}
		}
	})
}

// AppendBoxes returns the boxes that a scan of every nearby block finds, in the documented order.
func TestCollisionBoxQueryMatchesFullScanOfBlocks(t *testing.T) {
	spec := meadow()
	for i := range int32(BlockKindCount()) {
		x, y, z := i*7%13, 62+i*5%9, i*3%11
		spec.Fills = append(spec.Fills, BlockFill{[3]int32{x, y, z}, [3]int32{x + i%3, y + i%2, z + i%4}, BlockID(i)})
	}
	b := blocksOf(t, spec)
	rapid.Check(t, func(t *rapid.T) {
		coord := func(name string, lo float32) float32 {
			return lo + rapid.SampledFrom([]float32{1, 0.25, 0.0625, 0.1}).Draw(t, name+" step")*float32(rapid.IntRange(0, 60).Draw(t, name))
		}
		q := geom.Box{Min: geom.Vec{X: coord("x", -2), Y: coord("y", 60), Z: coord("z", -2)}}
		q.Max = q.Min.Add(geom.Vec{X: coord("dx", 0) / 16, Y: coord("dy", 0) / 16, Z: coord("dz", 0) / 16})
		var want []geom.Box
		x0, y0, z0 := int32(q.Min.X)-2, int32(q.Min.Y)-2, int32(q.Min.Z)-2
		for x := x0; x < x0+8; x++ {
			for z := z0; z < z0+8; z++ {
				for y := y0; y < y0+8; y++ {
					for _, box := range b.At(x, y, z).Kind().Boxes {
						if box = box.Move(geom.Vec{X: float32(x), Y: float32(y), Z: float32(z)}); box.Touches(q) {
							want = append(want, box)
						}
					}
				}
			}
		}
		got := b.AppendBoxes(nil, q)
		if len(got) != len(want) {
			t.Fatalf("%v touches %d boxes, want %d", q, len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("box %d that touches %v is %v, want %v", i, q, got[i], want[i])
			}
		}
	})
}

func TestEveryBlockOfHeightmapMatchesHeightOfItsColumn(t *testing.T) {
	spec := meadow()
	spec.Ground, spec.Liquid, spec.LiquidLevel = HeightGround, Water, 71
	m := &spec.Heightmap
	*m = Heightmap{X: -16, Z: -16, Width: 32, Depth: 32, Tops: make([]int16, 32*32)}
	for i := range m.Tops {
		m.Tops[i] = int16(40 + i*37%61)
	}
	b := blocksOf(t, spec)
	for i, top := range m.Tops {
		x, z := m.X+int32(i)%m.Width, m.Z+int32(i)/m.Width
		for y := int32(MinBlockY); y <= 120; y++ {
			if got, want := b.At(x, y, z), spec.groundAt(y, int32(top)); got != want {
				t.Fatalf("block %d %d %d below the height %d is %v, want %v", x, y, z, top, got, want)
			}
		}
	}
	if !b.HasAny(TouchTrait) || !b.MayHave(TouchTrait, 0, 70, 0, 0, 70, 0) || b.MayHave(TouchTrait, 0, 0, 0, 0, 0, 0) {
		t.Error("the water has no trait, or the ground below it has one")
	}
}
