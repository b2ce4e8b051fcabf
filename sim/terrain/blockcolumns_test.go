package terrain

import "testing"

// Blocks rebuilt from the columns sent to a client equal their source.
func TestBlocksFromColumnsEqualOriginalBlocks(t *testing.T) {
	src, err := NewBlocks(BlocksSpec{
		Grid: BlockGrid{UnitsPerBlock: 1}, Level: 64, Surface: GrassBlock, Filler: Dirt,
		Fills: []BlockFill{{Min: [3]int32{-5, 64, -20}, Max: [3]int32{9, 66, 3}, Block: OakPlanks}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := BlocksFromColumns(-1, -2, 3, 3, func(cx, cz int32) *Column {
		if cx == 1 && cz == 0 {
			return nil
		}
		var c Column
		for i := range c {
			c[i].Kind, c[i].Cells = src.Section(cx, MinSection+int32(i), cz)
		}
		return &c
	})
	for x := int32(-20); x < 36; x++ {
		for z := int32(-36); z < 20; z++ {
			cx, cz := x>>4, z>>4
			known := cx >= -1 && cx <= 1 && cz >= -2 && cz <= 0 && !(cx == 1 && cz == 0)
			for y := int32(60); y < 70; y++ {
				want := Air
				if known {
					want = src.At(x, y, z)
				}
				if got.At(x, y, z) != want {
					t.Fatalf("%d, %d, %d: %d, want %d", x, y, z, got.At(x, y, z), want)
				}
			}
		}
	}
}

func TestColumnsThatClientDidNotReceiveAreAir(t *testing.T) {
	for _, size := range [][2]int{{0, 3}, {-1, -1}, {MaxChunks + 1, 1}, {1 << 12, 1 << 12}} {
		b := BlocksFromColumns(0, 0, size[0], size[1], func(int32, int32) *Column { t.Fatal("the column was requested"); return nil })
		if b.At(3, 64, 3) != Air {
			t.Errorf("%v: block %d", size, b.At(3, 64, 3))
		}
	}
}
