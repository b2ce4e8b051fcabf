package terrain

import "testing"

func TestSurfaceOfColumnIsHighestBlockBelowLiquid(t *testing.T) {
	b, err := NewBlocks(BlocksSpec{
		Grid: BlockGrid{UnitsPerBlock: 1, Origin: [3]int32{0, 64, 0}}, Level: 64, Surface: GrassBlock, Filler: Dirt,
		Fills: []BlockFill{
			{Min: [3]int32{0, 60, 0}, Max: [3]int32{3, 63, 3}, Block: Water},
			{Min: [3]int32{8, 64, 8}, Max: [3]int32{8, 70, 8}, Block: StoneBricks},
			{Min: [3]int32{12, 64, 12}, Max: [3]int32{12, 64, 12}, Block: Lava},
			{Min: [3]int32{20, MinBlockY, 20}, Max: [3]int32{20, MaxBlockY, 20}, Block: Air},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x, z int32
		want Surface
	}{
		{1, 1, Surface{Dirt, 59, WaterLiquid, 4}},
		{5, 5, Surface{GrassBlock, 63, NoLiquid, 0}},
		{8, 8, Surface{StoneBricks, 70, NoLiquid, 0}},
		{12, 12, Surface{GrassBlock, 63, LavaLiquid, 1}},
		{20, 20, Surface{Air, MinBlockY - 1, NoLiquid, 0}},
		{-1000, 1000, Surface{GrassBlock, 63, NoLiquid, 0}},
	} {
		if got := b.SurfaceAt(c.x, c.z); got != c.want {
			t.Errorf("%d, %d: %+v, want %+v", c.x, c.z, got, c.want)
		}
	}
	if got := (*Blocks)(nil).SurfaceAt(3, 4); got != (Surface{GrassBlock, 63, NoLiquid, 0}) {
		t.Errorf("flat ground: %+v", got)
	}
}
