package bedrock

import (
	"slices"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

const (
	startRadius     = 4        // chunks, until the client asks for its own
	minRadius       = 1        // chunks
	columnsPerFrame = 8        // columns for one client in a frame
	groundQueue     = 64 << 10 // bytes that may wait for a client before it gets more columns
	keepColumns     = 4096     // encoded columns of a worker   guess: some MB, since most are alike
)

// ground is what a client has of the world's columns (CH-1). They come by distance, some a frame.
type ground struct {
	radius int32
	centre proto.ChunkPos
	begun  bool
	sent   map[proto.ChunkPos]struct{}
	next   int // index in spiral from which on something may be missing
}

// reset forgets everything: the client enters an area. most is the widest radius that is allowed.
func (g *ground) reset(most int) {
	clear(g.sent)
	if g.sent == nil {
		g.sent = map[proto.ChunkPos]struct{}{}
	}
	if g.radius == 0 {
		g.radius = int32(min(startRadius, most))
	}
	g.begun, g.next = false, 0
}

// under tells whether the client has the column that somebody at v stands on.
func (g *ground) under(v geom.Vec) bool {
	_, ok := g.sent[chunkOf(v)]
	return ok
}

// resize takes a client's wish for a radius. Who is on his way into the world hears of it when he comes there.
func (c *conn) resize(chunks int32) {
	g := &c.ground
	g.radius = min(max(chunks, minRadius), int32(c.w.g.opt.Radius))
	g.next, g.begun = 0, false
	if c.stage >= stageSpawning {
		send(c, proto.ChunkRadiusUpdated{Radius: g.radius})
	}
}

// walkGround keeps the columns around a client: it is told where it is, those that it left are forgotten, and the
// nearest that it lacks are sent, at most n. The one that it stands on comes however much waits, so that nobody stays
// without ground by not acknowledging.
func (c *conn) walkGround(def *sim.AreaDef, id sim.AreaID, at geom.Vec, n int) {
	g := &c.ground
	if here := chunkOf(at); here != g.centre || !g.begun {
		g.centre, g.begun, g.next = here, true, 0
		for p := range g.sent {
			if !reaches(p, here, g.radius+1) {
				delete(g.sent, p)
			}
		}
		send(c, proto.NetworkChunkPublisherUpdate{Center: blockPos(at), Radius: uint32(g.radius) * 16})
	}
	steps := spiral[:within[g.radius]]
	for ; g.next < len(steps) && n > 0 && !c.closed; g.next++ {
		if g.next > 0 && c.peer.Queued()+c.out.Len() >= groundQueue {
			return
		}
		p := proto.ChunkPos{X: g.centre.X + steps[g.next][0], Z: g.centre.Z + steps[g.next][1]}
		if _, again := g.sent[p]; again {
			continue
		}
		g.sent[p] = struct{}{}
		payload, count := c.w.columns.get(def, id, p)
		send(c, proto.LevelChunk{X: p.X, Z: p.Z, SubChunks: count, Payload: payload})
		n--
	}
}

func reaches(p, centre proto.ChunkPos, radius int32) bool {
	dx, dz := p.X-centre.X, p.Z-centre.Z
	return dx*dx+dz*dz <= radius*radius
}

// spiral is the columns around one, nearest first, up to the widest radius that there is; within tells how many of them
// lie within each radius.
var spiral, within = makeSpiral()

const widest = 32 // chunks, the most that an operator may allow

func makeSpiral() (all [][2]int32, count [widest + 1]int) {
	for x := int32(-widest); x <= widest; x++ {
		for z := int32(-widest); z <= widest; z++ {
			if x*x+z*z <= widest*widest {
				all = append(all, [2]int32{x, z})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b [2]int32) int { return int(a[0]*a[0]+a[1]*a[1]) - int(b[0]*b[0]+b[1]*b[1]) })
	for r := range int32(widest + 1) {
		for count[r] < len(all) && all[count[r]][0]*all[count[r]][0]+all[count[r]][1]*all[count[r]][1] <= r*r {
			count[r]++
		}
	}
	return all, count
}

// columns are encoded chunks. Most of a world is one and the same column.
type columns struct {
	ids    []int32
	byPos  map[columnKey]*column
	byCell map[columnCells]*column
}

type columnKey struct {
	area sim.AreaID
	pos  proto.ChunkPos
}

// columnCells is what a column is made of: equal columns are encoded once.
type columnCells [terrain.Sections]struct {
	kind  terrain.BlockID
	cells *[terrain.SectionCells]terrain.BlockID
}

type column struct {
	payload []byte
	count   uint32
}

func newColumns() columns {
	return columns{ids: networkIDs(), byPos: map[columnKey]*column{}, byCell: map[columnCells]*column{}}
}

// get is the payload of a column, shared and read-only.
func (n *columns) get(def *sim.AreaDef, area sim.AreaID, p proto.ChunkPos) ([]byte, uint32) {
	key := columnKey{area, p}
	if col := n.byPos[key]; col != nil {
		return col.payload, col.count
	}
	if len(n.byPos) >= keepColumns {
		clear(n.byPos)
	}
	if len(n.byCell) >= keepColumns {
		clear(n.byCell)
	}
	col := n.encode(def, p)
	n.byPos[key] = col
	return col.payload, col.count
}

func (n *columns) encode(def *sim.AreaDef, p proto.ChunkPos) *column {
	var cells columnCells
	var sections [terrain.Sections]proto.ChunkSection[terrain.BlockID]
	for i := range cells {
		s := &cells[i]
		s.kind, s.cells = def.Blocks.Section(p.X, terrain.MinSection+int32(i), p.Z)
		sections[i] = proto.ChunkSection[terrain.BlockID]{Kind: s.kind, Cells: s.cells}
	}
	if col := n.byCell[cells]; col != nil {
		return col
	}
	col := &column{}
	col.payload, col.count = proto.AppendChunk(nil, sections[:], n.ids, n.ids[terrain.Air], proto.BiomePlains)
	n.byCell[cells] = col
	return col
}
