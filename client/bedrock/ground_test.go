package bedrock

import (
	"errors"
	"testing"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Every block kind is unchanged after encoding by the server and decoding by the client.
func TestChunkWithEveryBlockKindRoundTrips(t *testing.T) {
	var fills []terrain.BlockFill
	for id := range int32(terrain.BlockKindCount()) {
		at := [3]int32{id%8 - 4, 64 + id/8, 3}
		fills = append(fills, terrain.BlockFill{Min: at, Max: at, Block: terrain.BlockID(id)})
	}
	blocks, err := terrain.NewBlocks(terrain.BlocksSpec{
		Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Level: 64, Surface: terrain.Sand, Filler: terrain.Stone, Fills: fills,
	})
	if err != nil {
		t.Fatal(err)
	}
	var g Ground
	sendGround(t, &g, blocks, 1)
	for x := int32(-16); x < 32; x++ {
		for z := int32(-16); z < 32; z++ {
			for y := int32(terrain.MinBlockY); y <= 80; y++ {
				if got, want := g.Blocks().At(x, y, z), blocks.At(x, y, z); got != want {
					t.Fatalf("%d, %d, %d: %s, want %s", x, y, z, got.Kind().Word, want.Kind().Word)
				}
			}
		}
	}
}

func TestUnknownBlocksAreReadAsStone(t *testing.T) {
	sections := make([]proto.ChunkSection[uint8], 9)
	payload, n := proto.AppendChunk(nil, sections, &proto.KindIDs{Blocks: []int32{123456789}, Air: proto.AirHash}, proto.BiomePlains)
	var g Ground
	if err := g.SetChunk(proto.LevelChunk{SubChunks: n, Payload: payload}); err != nil {
		t.Fatal(err)
	}
	if id := g.Blocks().At(3, -60, 3); id != terrain.Stone {
		t.Errorf("block %s", id.Kind().Word)
	}
}

// Chunks outside the server's radius are not stored, and are dropped when the radius shrinks.
func TestClientTerrainKeepsOnlyChunksWithinRadius(t *testing.T) {
	var g Ground
	sendGround(t, &g, nil, 2)
	if g.ChunkCount() != 25 || !g.HasChunkAt(geom.Vec{X: -32, Z: 47.9}) || g.HasChunkAt(geom.Vec{X: -32.1}) || g.HasChunkAt(geom.Vec{X: 1e30}) {
		t.Errorf("%d chunks", g.ChunkCount())
	}
	g.SetCentre(proto.BlockPos{56, 64, 0}, 16)
	if g.ChunkCount() != 2*5 || g.HasChunkAt(geom.Vec{}) || g.Blocks().At(0, 60, 0) != terrain.Air || g.Blocks().At(16, 60, 0) == terrain.Air {
		t.Errorf("%d chunks after the centre moved", g.ChunkCount())
	}
	if err := g.SetChunk(proto.LevelChunk{X: 1 << 30, Payload: []byte{1}}); err != nil || g.ChunkCount() != 10 {
		t.Errorf("%v, %d chunks", err, g.ChunkCount())
	}
	if g.Clear(); g.ChunkCount() != 0 || g.HasChunkAt(geom.Vec{X: 40}) {
		t.Error("chunks left after Clear")
	}
}

func TestMalformedChunkReturnsError(t *testing.T) {
	var g Ground
	if err := g.SetChunk(proto.LevelChunk{SubChunks: 1, Payload: []byte{9, 1}}); !errors.Is(err, wire.ErrShort) {
		t.Errorf("error %v", err)
	}
	if g.ChunkCount() != 0 {
		t.Error("malformed chunk stored")
	}
}

// Clients that share a ChunkCache share the decoded columns of identical chunks.
func TestChunkCacheSharesColumnsBetweenPlayers(t *testing.T) {
	cache := &ChunkCache{}
	a, b := Ground{Cache: cache}, Ground{Cache: cache}
	sendGround(t, &a, playground(t), 1)
	sendGround(t, &b, playground(t), 1)
	for at, column := range a.columns {
		if b.columns[at] != column {
			t.Errorf("chunk %v is stored twice", at)
		}
	}
	if len(cache.columns) == 0 || len(cache.columns) > 9 {
		t.Errorf("%d columns cached", len(cache.columns))
	}
}

func FuzzGround(f *testing.F) {
	eachChunk(nil, 0, func(c proto.LevelChunk) { f.Add(c.Payload, c.SubChunks) })
	f.Fuzz(func(t *testing.T, payload []byte, n uint32) {
		var g Ground
		if err := g.SetChunk(proto.LevelChunk{SubChunks: n, Payload: payload}); err == nil {
			g.Blocks().At(5, 60, 5)
		}
	})
}

func BenchmarkPutChunk(b *testing.B) {
	var chunks []proto.LevelChunk
	eachChunk(playground(b), 1, func(c proto.LevelChunk) { chunks = append(chunks, c) })
	for name, cache := range map[string]*ChunkCache{"decoded": nil, "cached": {}} {
		b.Run(name, func(b *testing.B) {
			g := Ground{Cache: cache}
			for i := 0; b.Loop(); i++ {
				if err := g.SetChunk(chunks[i%len(chunks)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
