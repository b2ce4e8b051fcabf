package bedrock

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"sync"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// maxRadius is the maximum radius, in chunks, of the area whose terrain a client stores, even if the server sends terrain
// of a larger area.
const maxRadius = 32

// Ground is the terrain that the server has sent. The zero value is empty. Before the first call of SetCentre, the chunks
// within maxRadius of the world's origin are stored. It is not safe for concurrent use.
type Ground struct {
	Cache *ChunkCache // decoded chunks that clients of the process share; nil disables sharing

	columns map[proto.ChunkPos]*terrain.Column // stored chunks by position
	centre  proto.ChunkPos                     // chunk at the centre of the stored area
	radius  int32                              // radius of the stored area in chunks; 0 selects maxRadius
	blocks  *terrain.Blocks                    // terrain built from columns; nil if columns have changed since it was built
}

// SetCentre sets the area whose chunks are stored: a block as its centre, and its radius in blocks. It drops all chunks
// outside of the area.
func (g *Ground) SetCentre(block proto.BlockPos, radius uint32) {
	g.centre = proto.ChunkPos{X: block[0] >> 4, Z: block[2] >> 4}
	g.radius = int32(min(radius/16+1, maxRadius))
	for at := range g.columns {
		if !g.inRange(at) {
			delete(g.columns, at)
			g.blocks = nil
		}
	}
}

// Clear drops all chunks. It is called when the dimension changes.
func (g *Ground) Clear() { g.columns, g.blocks = nil, nil }

// ChunkCount returns the number of stored chunks.
func (g *Ground) ChunkCount() int { return len(g.columns) }

// SetChunk stores a chunk, unless the chunk is outside of the area that SetCentre has set. It returns an error if the payload of
// the chunk is malformed. It does not retain the payload.
func (g *Ground) SetChunk(c proto.LevelChunk) error {
	at := proto.ChunkPos{X: c.X, Z: c.Z}
	if !g.inRange(at) {
		return nil
	}
	column, err := g.Cache.column(c.Payload, c.SubChunks)
	if err != nil {
		return fmt.Errorf("decode the terrain of chunk x=%d, z=%d: %w", c.X, c.Z, err)
	}
	if g.columns == nil {
		g.columns = make(map[proto.ChunkPos]*terrain.Column)
	}
	if g.columns[at] != column {
		g.columns[at], g.blocks = column, nil
	}
	return nil
}

// HasChunkAt reports whether the server has sent the chunk that contains a position.
func (g *Ground) HasChunkAt(feet geom.Vec) bool {
	x, z := math.Floor(float64(feet.X)), math.Floor(float64(feet.Z))
	if !(math.Abs(x) < 1<<30 && math.Abs(z) < 1<<30) {
		return false
	}
	return g.columns[proto.ChunkPos{X: int32(x) >> 4, Z: int32(z) >> 4}] != nil
}

func (g *Ground) keepRadius() int32 {
	if g.radius == 0 {
		return maxRadius
	}
	return g.radius
}

func (g *Ground) inRange(at proto.ChunkPos) bool {
	r := int64(g.keepRadius())
	dx, dz := int64(at.X)-int64(g.centre.X), int64(at.Z)-int64(g.centre.Z)
	return dx >= -r && dx <= r && dz >= -r && dz <= r
}

// Blocks returns the blocks of all stored chunks. Outside of these chunks there is only air. The result is immutable.
func (g *Ground) Blocks() *terrain.Blocks {
	if g.blocks == nil {
		r := g.keepRadius()
		g.blocks = terrain.BlocksFromColumns(g.centre.X-r, g.centre.Z-r, int(2*r+1), int(2*r+1), func(x, z int32) *terrain.Column {
			return g.columns[proto.ChunkPos{X: x, Z: z}]
		})
	}
	return g.blocks
}

// maxCachedChunks is the maximum number of chunks in a ChunkCache. When a cache has this many, it is emptied before the
// next chunk is added.
const maxCachedChunks = 4096

// ChunkCache caches decoded chunks by a hash of their payload, so that many clients of one process decode and store
// equal chunks once. It is safe for concurrent use. A nil ChunkCache is valid and caches nothing.
type ChunkCache struct {
	mu      sync.Mutex
	columns map[[sha256.Size]byte]*terrain.Column // decoded chunks by SHA-256 of sub-chunk count and payload
}

func (c *ChunkCache) column(payload []byte, subChunks uint32) (*terrain.Column, error) {
	if c == nil {
		return decodeColumn(payload, subChunks)
	}
	h := sha256.New()
	var n [4]byte
	binary.LittleEndian.PutUint32(n[:], subChunks)
	h.Write(n[:])
	h.Write(payload)
	key := [sha256.Size]byte(h.Sum(nil))
	c.mu.Lock()
	defer c.mu.Unlock()
	if column := c.columns[key]; column != nil {
		return column, nil
	}
	column, err := decodeColumn(payload, subChunks)
	if err != nil {
		return nil, err
	}
	if c.columns == nil || len(c.columns) >= maxCachedChunks {
		c.columns = make(map[[sha256.Size]byte]*terrain.Column)
	}
	c.columns[key] = column
	return column, nil
}

// decodeColumn decodes the payload of a chunk. Unknown blocks become stone, so that they are solid.
func decodeColumn(payload []byte, subChunks uint32) (*terrain.Column, error) {
	chunk, err := proto.ParseChunk(payload, subChunks, proto.AirHash)
	if err != nil {
		return nil, err
	}
	var column terrain.Column // the zero kind is air
	for i := range int(min(subChunks, terrain.Sections)) {
		column[i] = decodeSection(chunk, int32(terrain.MinBlockY+16*i))
	}
	return &column, nil
}

// decodeSection decodes a cube of 16 blocks side length, the sub-chunk whose lowest blocks are at height y.
func decodeSection(chunk *proto.Chunk, y int32) (s terrain.ColumnSection) {
	table := networkKinds()
	if id, ok := chunk.UniformBlock(y); ok {
		kind := table.kind(id, int32(proto.AirHash))
		return terrain.ColumnSection{Kind: kind, Traits: kind.Traits()}
	}
	cells := new([terrain.SectionCells]terrain.BlockID)
	layered := chunk.HasSecondLayer(y)
	same, last, lastSecond, kind := true, chunk.Block(0, y, 0)+1, int32(proto.AirHash), terrain.Air
	for i := range cells {
		at, second := int32(i), int32(proto.AirHash)
		if layered {
			second = chunk.SecondLayerBlock(at>>8, y+at&15, at>>4&15)
		}
		if id := chunk.Block(at>>8, y+at&15, at>>4&15); id != last || second != lastSecond {
			last, lastSecond, kind = id, second, table.kind(id, second)
			s.Traits |= kind.Traits()
		}
		cells[i] = kind
		same = same && kind == cells[0]
	}
	if same {
		s.Kind = cells[0]
	} else {
		s.Cells = cells
	}
	return s
}

// kindTable translates the network ids of blocks to the block kinds of package terrain. A network id is a hash of a block's
// name and states (rule SG-4 of docs/wire/bedrock.md).
type kindTable struct {
	dry      map[int32]terrain.BlockID // kind by network id of the first layer, for a block whose second layer is air
	inLiquid map[int32]terrain.BlockID // kind by network id of the first layer, for a block whose second layer is water
}

// kind returns the kind of a block from the network ids of its two layers. The parameter id belongs to the block itself; the
// parameter second belongs to the water or air that fills the rest of its space. An unknown block becomes stone.
func (t *kindTable) kind(id, second int32) terrain.BlockID {
	dry, hasDry := t.dry[id]
	if hasDry && second == int32(proto.AirHash) { // nearly all blocks
		return dry
	}
	wet, hasWet := t.inLiquid[id]
	switch {
	case hasWet && (!hasDry || t.dry[second].Kind().Liquid == terrain.WaterLiquid):
		return wet
	case hasDry:
		return dry
	}
	return terrain.Stone
}

var networkKinds = sync.OnceValue(func() *kindTable {
	t := &kindTable{dry: map[int32]terrain.BlockID{}, inLiquid: map[int32]terrain.BlockID{}}
	for id := range terrain.BlockID(terrain.BlockKindCount()) {
		k := id.Kind()
		block, ok := proto.BlockNamed(k.Word)
		if !ok {
			continue
		}
		if k.InLiquid {
			t.inLiquid[block.NetworkID()] = id
			continue
		}
		t.dry[block.NetworkID()] = id
		if k.Liquid != terrain.NoLiquid { // a flowing liquid may also have another block name, and a falling one any depth in 8..15
			flowing := strings.Replace(block.Name, ":", ":flowing_", 1)
			t.dry[proto.BlockHash(flowing, block.States)] = id
			for depth := int32(terrain.FallingDepth); k.Depth == terrain.FallingDepth && depth < 16; depth++ {
				states := []proto.BlockState{{Key: block.States[0].Key, Kind: block.States[0].Kind, Int: depth}}
				t.dry[proto.BlockHash(block.Name, states)] = id
				t.dry[proto.BlockHash(flowing, states)] = id
			}
		}
	}
	return t
})
