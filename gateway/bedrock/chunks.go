package bedrock

import (
	"slices"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Limits for sending chunks to clients, and for the cache of encoded chunks.
const (
	startRadius        = 4        // chunk radius until the client requests one
	minRadius          = 1        // smallest chunk radius that a client may request
	chunksPerFrame     = 8        // maximum chunks sent to one client per frame
	maxQueuedForChunks = 64 << 10 // number of queued bytes above which a client is sent no further chunks
	maxCachedChunks    = 4096     // maximum number of encoded chunks in a worker's cache; a few MB, because most chunks are identical
)

// chunkView records which chunks a client has been sent (rule CH-1 of docs/wire/bedrock.md). The chunks nearest to the
// player are sent first, a few in each frame.
type chunkView struct {
	radius  int32                       // view distance in chunks
	centre  proto.ChunkPos              // chunk that contains the player
	started bool                        // the client has been sent the field centre
	sent    map[proto.ChunkPos]struct{} // chunks in the client's memory
	next    int                         // index in spiral; all chunks before it have been sent
}

// reset marks all chunks as not sent. It is called when the client enters an area. The parameter most is the maximum view
// distance in chunks.
func (cv *chunkView) reset(most int) {
	clear(cv.sent)
	if cv.sent == nil {
		cv.sent = map[proto.ChunkPos]struct{}{}
	}
	if cv.radius == 0 {
		cv.radius = int32(min(startRadius, most))
	}
	cv.started, cv.next = false, 0
}

// covers reports whether the client has been sent the chunk that contains the point v. The coordinates of v are in blocks.
func (cv *chunkView) covers(v geom.Vec) bool {
	_, ok := cv.sent[chunkOf(v)]
	return ok
}

// setRadius stores the view distance that a client requested, limited to minRadius and Options.Radius, and confirms it to the
// client. If the client has not reached stageSpawning, sendWorld confirms the distance later.
func (c *conn) setRadius(chunks int32) {
	cv := &c.chunks
	cv.radius = min(max(chunks, minRadius), int32(c.w.g.opt.Radius))
	cv.next, cv.started = 0, false
	if c.stage >= stageSpawning {
		send(c, proto.ChunkRadiusUpdated{Radius: cv.radius})
	}
}

// syncChunks sends a client at most n of the chunks that it lacks, the nearest first. The parameter at is the position of the
// client's player, in blocks. If the player has entered another chunk, syncChunks first sends the client the new centre of its view.
// The client then drops all chunks outside the view, so they are marked as not sent. The chunk with the player is sent even if the
// send queue is long: without ground, the client cannot simulate the player.
func (c *conn) syncChunks(def *sim.AreaDef, id sim.AreaID, at geom.Vec, n int) {
	cv := &c.chunks
	if here := chunkOf(at); here != cv.centre || !cv.started {
		cv.centre, cv.started, cv.next = here, true, 0
		for p := range cv.sent {
			if !withinRadius(p, here, cv.radius+1) {
				delete(cv.sent, p)
			}
		}
		send(c, proto.NetworkChunkPublisherUpdate{Center: toBlockPos(at), Radius: uint32(cv.radius) * 16})
	}
	steps := spiral[:countWithin[cv.radius]]
	for ; cv.next < len(steps) && n > 0 && !c.closed; cv.next++ {
		if cv.next > 0 && c.peer.QueuedBytes()+c.out.Len() >= maxQueuedForChunks {
			return
		}
		p := proto.ChunkPos{X: cv.centre.X + steps[cv.next][0], Z: cv.centre.Z + steps[cv.next][1]}
		if _, again := cv.sent[p]; again {
			continue
		}
		cv.sent[p] = struct{}{}
		payload, count := c.w.chunkCache.get(def, id, p)
		send(c, proto.LevelChunk{X: p.X, Z: p.Z, SubChunks: count, Payload: payload})
		n--
	}
}

// withinRadius reports whether the distance between the chunks p and centre, in chunks, is at most radius.
func withinRadius(p, centre proto.ChunkPos, radius int32) bool {
	dx, dz := p.X-centre.X, p.Z-centre.Z
	return dx*dx+dz*dz <= radius*radius
}

// spiral lists the offsets of all chunks within maxRadius from a centre, the nearest chunk first. An offset consists of two
// numbers of chunks, to the east and to the south. The first countWithin[r] offsets are those of the chunks within the
// radius r.
var spiral, countWithin = makeSpiral()

const maxRadius = 32 // largest view distance in chunks that can be configured

func makeSpiral() (all [][2]int32, count [maxRadius + 1]int) {
	for x := int32(-maxRadius); x <= maxRadius; x++ {
		for z := int32(-maxRadius); z <= maxRadius; z++ {
			if x*x+z*z <= maxRadius*maxRadius {
				all = append(all, [2]int32{x, z})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b [2]int32) int { return int(a[0]*a[0]+a[1]*a[1]) - int(b[0]*b[0]+b[1]*b[1]) })
	for r := range int32(maxRadius + 1) {
		for count[r] < len(all) && all[count[r]][0]*all[count[r]][0]+all[count[r]][1]*all[count[r]][1] <= r*r {
			count[r]++
		}
	}
	return all, count
}

// chunkCache holds the encoded chunks of one worker. In most worlds most chunks are identical, so chunks with equal content
// are encoded only once.
type chunkCache struct {
	ids       proto.KindIDs
	byPos     map[chunkKey]*encodedChunk
	byContent map[chunkContent]*encodedChunk
}

// chunkKey identifies a chunk of the world.
type chunkKey struct {
	area sim.AreaID
	pos  proto.ChunkPos
}

// chunkContent is the content of a chunk, and the key of chunkCache.byContent. An element stands for a section of 16 blocks
// height: it is the kind of its blocks if all are equal, otherwise a pointer to the kinds of all its blocks.
type chunkContent [terrain.Sections]struct {
	kind  terrain.BlockID
	cells *[terrain.SectionCells]terrain.BlockID
}

// encodedChunk is the payload of a LevelChunk packet and its number of sections.
type encodedChunk struct {
	payload  []byte
	sections uint32
}

func newChunkCache() chunkCache {
	return chunkCache{ids: kindNetworkIDs(), byPos: map[chunkKey]*encodedChunk{}, byContent: map[chunkContent]*encodedChunk{}}
}

// get returns the LevelChunk payload of a chunk and its number of sections. The payload is shared and read-only.
func (cc *chunkCache) get(def *sim.AreaDef, area sim.AreaID, p proto.ChunkPos) ([]byte, uint32) {
	key := chunkKey{area, p}
	if col := cc.byPos[key]; col != nil {
		return col.payload, col.sections
	}
	if len(cc.byPos) >= maxCachedChunks {
		clear(cc.byPos)
	}
	if len(cc.byContent) >= maxCachedChunks {
		clear(cc.byContent)
	}
	col := cc.encode(def, p)
	cc.byPos[key] = col
	return col.payload, col.sections
}

func (cc *chunkCache) encode(def *sim.AreaDef, p proto.ChunkPos) *encodedChunk {
	var cells chunkContent
	var sections [terrain.Sections]proto.ChunkSection[terrain.BlockID]
	for i := range cells {
		s := &cells[i]
		s.kind, s.cells = def.Blocks.Section(p.X, terrain.MinSection+int32(i), p.Z)
		sections[i] = proto.ChunkSection[terrain.BlockID]{Kind: s.kind, Cells: s.cells}
	}
	if col := cc.byContent[cells]; col != nil {
		return col
	}
	col := &encodedChunk{}
	col.payload, col.sections = proto.AppendChunk(nil, sections[:], &cc.ids, proto.BiomePlains)
	cc.byContent[cells] = col
	return col
}
