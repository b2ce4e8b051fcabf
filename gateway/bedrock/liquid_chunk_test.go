package bedrock

import (
	"testing"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Chunks contain the depth of each liquid block. The water around a slab and the water of a bubble column are in the
// second layer.
func TestChunksContainDepthOfEachLiquidBlock(t *testing.T) {
	var fills []terrain.BlockFill
	for i := range int32(terrain.BlockKindCount()) {
		at := [3]int32{i & 15, 64, i >> 4}
		fills = append(fills, terrain.BlockFill{Min: at, Max: at, Block: terrain.BlockID(i)})
	}
	blocks, err := terrain.NewBlocks(terrain.BlocksSpec{
		Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Level: 64, Surface: terrain.Stone, Filler: terrain.Stone, Fills: fills,
	})
	if err != nil {
		t.Fatal(err)
	}
	cache := newChunkCache()
	payload, n := cache.get(&sim.AreaDef{Blocks: blocks}, 0, proto.ChunkPos{})
	chunk, err := proto.ParseChunk(payload, n, proto.AirHash)
	if err != nil {
		t.Fatal(err)
	}
	water := proto.BlockHash("minecraft:water", []proto.BlockState{{Key: "liquid_depth", Kind: proto.StateInt}})
	depths := 0
	for i := range int32(terrain.BlockKindCount()) {
		k := terrain.BlockID(i).Kind()
		second := int32(proto.AirHash)
		if k.InLiquid {
			second = water
		}
		if got := chunk.SecondLayerBlock(i&15, 64, i>>4); got != second {
			t.Errorf("%s: second layer %d, want %d", k.Word, got, second)
		}
		if k.Liquid == terrain.NoLiquid || k.InLiquid {
			continue
		}
		depths++
		name := map[terrain.Liquid]string{terrain.WaterLiquid: "minecraft:water", terrain.LavaLiquid: "minecraft:lava"}[k.Liquid]
		want := proto.BlockHash(name, []proto.BlockState{{Key: "liquid_depth", Kind: proto.StateInt, Int: int32(k.Depth)}})
		if got := chunk.Block(i&15, 64, i>>4); got != want {
			t.Errorf("%s: block %d, want %d", k.Word, got, want)
		}
	}
	if depths != 18 {
		t.Errorf("%d depths of liquids", depths)
	}
}
