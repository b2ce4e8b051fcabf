package bedrock

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// mostRadius is how many chunks a client keeps in each direction. What a server says beyond is ignored.
const maxRadius = 32

// Ground is the blocks that the server has sent. It belongs to one goroutine; the zero value knows nothing, and takes
// chunks within mostRadius of the world's origin until it is told another centre.
type Ground struct {
	Cache *ChunkCache // shared with other clients of the process; nil: none

	columns map[proto.ChunkPos]*terrain.Column
	centre  proto.ChunkPos
	radius  int32           // chunks; 0: mostRadius
	blocks  *terrain.Blocks // of the columns; nil: they have changed since
}

// Centre says around which block chunks are kept, and how many blocks far. Those outside are forgotten.
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

// Forget forgets all of it, as when the dimension changes.
func (g *Ground) Clear() { g.columns, g.blocks = nil, nil }

// Chunks is how many chunks are known.
func (g *Ground) Chunks() int { return len(g.columns) }

// Put takes a chunk. One that is too far away is ignored. Errors are of its payload, which is borrowed.
func (g *Ground) SetChunk(c proto.LevelChunk) error {
	at := proto.ChunkPos{X: c.X, Z: c.Z}
	if !g.inRange(at) {
		return nil
	}
	column, err := g.Cache.column(c.Payload, c.SubChunks)
	if err != nil {
		return fmt.Errorf("chunk %d, %d: %w", c.X, c.Z, err)
	}
	if g.columns == nil {
		g.columns = make(map[proto.ChunkPos]*terrain.Column)
	}
	if g.columns[at] != column {
		g.columns[at], g.blocks = column, nil
	}
	return nil
}

// Knows reports whether the chunk in which feet are has been sent.
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

// Blocks is what is known; the rest is air. It does not change when more becomes known.
func (g *Ground) Blocks() *terrain.Blocks {
	if g.blocks == nil {
		r := g.keepRadius()
		g.blocks = terrain.BlocksFromColumns(g.centre.X-r, g.centre.Z-r, int(2*r+1), int(2*r+1), func(x, z int32) *terrain.Column {
			return g.columns[proto.ChunkPos{X: x, Z: z}]
		})
	}
	return g.blocks
}

// cachedChunks bounds a ChunkCache; when it is full it begins anew.
const maxCachedChunks = 4096

// ChunkCache has chunks that were decoded, by what they are made of, so that a thousand clients that are sent the same
// decode it once and hold it once. It may be used by many goroutines; nil decodes every time.
type ChunkCache struct {
	mu      sync.Mutex
	columns map[[sha256.Size]byte]*terrain.Column
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

// decodeColumn turns a payload into kinds of blocks. Blocks that we do not know are in the way like stone.
func decodeColumn(payload []byte, subChunks uint32) (*terrain.Column, error) {
	chunk, err := proto.ParseChunk(payload, subChunks, proto.AirHash)
	if err != nil {
		return nil, err
	}
	kinds := kindsByHash()
	var column terrain.Column // the zero kind is air
	for i := range int(min(subChunks, terrain.Sections)) {
		column[i] = decodeSection(chunk, int32(terrain.MinBlockY+16*i), kinds)
	}
	return &column, nil
}

// decodeSection is the section of a chunk whose lowest block is at y.
func decodeSection(chunk *proto.Chunk, y int32, kinds map[int32]terrain.BlockID) terrain.ColumnSection {
	cells := new([terrain.SectionCells]terrain.BlockID)
	same, last, kind := true, chunk.Block(0, y, 0)+1, terrain.Air
	for i := range cells {
		at := int32(i)
		if id := chunk.Block(at>>8, y+at&15, at>>4&15); id != last {
			known, ok := kinds[id]
			if !ok {
				known = terrain.Stone
			}
			last, kind = id, known
		}
		cells[i] = kind
		same = same && kind == cells[0]
	}
	if same {
		return terrain.ColumnSection{Kind: cells[0]}
	}
	return terrain.ColumnSection{Cells: cells}
}

// kindsByHash is the kinds of blocks by their network ids, which are hashes of their names and states (SG-4).
var kindsByHash = sync.OnceValue(func() map[int32]terrain.BlockID {
	kinds := make(map[int32]terrain.BlockID, terrain.BlockKindCount())
	for id := range terrain.BlockID(terrain.BlockKindCount()) {
		k := id.Kind()
		states := make([]proto.BlockState, len(k.States))
		for i, s := range k.States {
			states[i] = proto.BlockState{Key: s.Key, Int: s.Int, Text: s.Text}
			switch s.Type {
			case terrain.StateInt:
				states[i].Kind = proto.StateInt
			case terrain.StateString:
				states[i].Kind = proto.StateText
			default:
				states[i].Kind = proto.StateByte
			}
		}
		kinds[proto.BlockHash(k.Name, states)] = id
	}
	return kinds
})
