package terrain

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

// standingSpec returns flat ground at height 0 that contains the solids and the fills. A block is two world units wide.
func standingSpec(solids []BlockSolid, fills ...BlockFill) *BlocksSpec {
	return &BlocksSpec{Grid: flat.Grid, Level: 64, Surface: GrassBlock, Filler: Dirt, Solids: solids, Fills: fills}
}

func cells(x0, y0, z0, x1, y1, z1 int32, id BlockID) BlockFill {
	return BlockFill{Min: [3]int32{x0, y0, z0}, Max: [3]int32{x1, y1, z1}, Block: id}
}

func TestFillsOfCollidableBlocksBecomeSolids(t *testing.T) {
	got, err := standingSpec(nil,
		cells(0, 64, 0, 2, 65, 1, Stone),
		cells(5, 63, 5, 9, 63, 9, PackedIce),                                         // a fill whose top is level with the ground
		cells(0, 64, 9, 0, 64, 9, SmoothStoneSlab), cells(0, 63, 12, 0, 63, 12, Web), // a slab of half a block, and a fill without collision
		cells(4, 64, -1, 4, 66, -1, LadderSouth),
	).StandingSolids()
	want := []Solid{boxOf(0, 0, -4, 6, 4, 0), boxOf(0, 0, -20, 2, 1, -18), boxOf(8, 0, 2-0.375, 10, 6, 2)}
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v, %v", got, err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: %v, want %v", i, got[i], want[i])
		}
	}
}

// A wall of 1.5 units lies in one row of blocks of two units. An air fill over these blocks removes the wall completely.
func TestAirFillRemovesPartOfSolidForEveryAuthority(t *testing.T) {
	wall := BlockSolid{Solid: boxOf(-20, 0, 0.2, 20, 8, 1.7), Block: StoneBricks}
	hidden := BlockSolid{Solid: boxOf(-20, 0, 10, 20, 8, 11), Block: Air}
	door := cells(-2, 64, -1, 1, 65, -1, Air)
	spec := standingSpec([]BlockSolid{wall, hidden}, door, cells(-2, 64, -6, 1, 65, -5, Air), cells(-9, 64, 7, 9, 65, 7, Water))
	solids, err := spec.StandingSolids()
	if err != nil {
		t.Fatal(err)
	}
	w := wallsOf(t, solids...)
	for _, c := range []struct {
		a, b geom.Vec
		want bool
	}{
		{at(0, 0, -2), at(0, 0, 4), true},
		{at(5, 0, -2), at(5, 0, 4), false},
		{at(-3.9, 0, -2), at(-3.9, 0, 4), true},
		{at(-4.1, 0, -2), at(-4.1, 0, 4), false},
		{at(0, 0, 9), at(0, 0, 12), false}, // this solid has no blocks, and an air fill removes only blocks
	} {
		if got := w.IsClearBetween(c.a, c.b, false); got != c.want {
			t.Errorf("from %v to %v: %v", c.a, c.b, got)
		}
	}
	if w.CanRise(at(0, 0, 1), 5, false) {
		t.Error("the lintel was removed too")
	}
	tiles, err := NewTiles(TileSpec{Grid: TileGrid{UnitsPerTile: 4, BaseX: 3200, BaseZ: 3200}, Low: 1.2, High: 3.6, Floor: FloorFromSpec(spec)}, solids)
	if err != nil {
		t.Fatal(err)
	}
	if !tiles.CanStep(3199, 3200, 0, -1) || tiles.CanStep(3202, 3200, 0, -1) {
		t.Error("paths must lead through the door and not through the wall")
	}
	blocks, err := NewBlocks(*spec)
	if err != nil {
		t.Fatal(err)
	}
	if blocks.At(0, 64, -1) != Air || blocks.At(3, 64, -1) != StoneBricks {
		t.Error("the blocks differ")
	}
}

// The hole that an air fill cuts into a solid is exactly as large as the fill, on every axis.
func TestHoleInSolidIsAsLargeAsItsAirFill(t *testing.T) {
	rock := BlockSolid{Solid: boxOf(0, 0, -12, 12, 12, 0), Block: Stone} // covers the cells 0..5, 64..69, 0..5
	solids, err := standingSpec([]BlockSolid{rock}, cells(2, 66, 1, 3, 67, 2, Air)).StandingSolids()
	if err != nil {
		t.Fatal(err)
	}
	filled := func(x, y, z int32) bool { // reports whether the fill covers the centre of a cell
		p := at(float32(x)*2+1, float32(y-64)*2+1, -float32(z)*2-1)
		for _, s := range solids {
			if p.X > s.Min.X && p.X < s.Max.X && p.Y > s.Min.Y && p.Y < s.Max.Y && p.Z > s.Min.Z && p.Z < s.Max.Z {
				return true
			}
		}
		return false
	}
	for x := int32(-1); x <= 6; x++ {
		for y := int32(63); y <= 70; y++ {
			for z := int32(-1); z <= 6; z++ {
				whole := x >= 0 && x < 6 && y >= 64 && y < 70 && z >= 0 && z < 6
				hole := x >= 2 && x <= 3 && y >= 66 && y <= 67 && z >= 1 && z <= 2
				if got := filled(x, y, z); got != (whole && !hole) {
					t.Fatalf("cell %d, %d, %d: %v", x, y, z, got)
				}
			}
		}
	}
}

// An actor on tiles steps over a solid that is at most a step high and passes under one that begins above its head. On a
// hill both heights count from the ground of the hill.
func TestStepAndHeadroomLimitsOfTilesAreMeasuredFromGround(t *testing.T) {
	hill := Floor{Grid: flat.Grid, Ground: HeightGround, Level: 64, Heightmap: Heightmap{X: 0, Z: -8, Width: 8, Depth: 8, Tops: make([]int16, 64)}}
	for i := range hill.Heightmap.Tops {
		hill.Heightmap.Tops[i] = 70 // a hill 12 units high over tiles 0..3 on both axes
	}
	solids := []Solid{
		boxOf(-12, 0, 0, -8, 1.2, 4), boxOf(-20, 0, 0, -16, 1.3, 4), boxOf(-28, 3.6, 0, -24, 9, 4), boxOf(-36, 3.5, 0, -32, 9, 4),
		boxOf(0, 0, 0, 4, 12, 4), boxOf(4, 0, 0, 8, 14, 4),
	}
	tiles, err := NewTiles(TileSpec{Grid: TileGrid{UnitsPerTile: 4, BaseX: 100, BaseZ: 100}, Low: 1.2, High: 3.6, Floor: &hill}, solids)
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[uint16]bool{97: false, 95: true, 93: false, 91: true, 100: false, 101: true} {
		if got := tiles.Blocked(x, 100); got != want {
			t.Errorf("tile %d blocked: %v", x, got)
		}
	}
}
