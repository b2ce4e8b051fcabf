package bedrock

import (
	"slices"

	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// sight is what one client has been told of others.
type sight struct {
	view     interest.View
	served   sim.Tick // of the last broadcast
	middle   sim.Tick // of the last one that told of those farther away too
	wires    map[sim.EntityID]uint64
	entities map[uint64]sim.EntityID // wires the other way round
}

// Sight is the policy of this door in a world: everybody within the columns that a client may have, close ones ten times
// a second and others five times. Clients move actors evenly from one word to the next. Areas may differ in scale; the
// widest decides.
func Sight(w *sim.World, chunks int) interest.Policy {
	units := float32(0)
	for i := range w.Areas {
		units = max(units, w.Areas[i].BlockGrid.UnitsPerBlock)
	}
	if units == 0 {
		units = 1
	}
	far := float32(units * float32(min(chunks, sightChunks)*16))
	return interest.Policy{
		CloseRadius: far / 2, FarRadius: far, EnterRadius: far, LeaveRadius: far + float32(units*8),
		IntervalMS: 100, MiddleEveryMS: 200,
	}
}

// sightChunks is how far actors are seen at most, in chunks; ground is seen farther.   guess
const sightChunks = 6

// broadcast tells each member whose turn it is who came into view, who left it, and where everybody is.
func (s *scene) broadcast(f *sim.Frame) {
	for _, c := range s.members {
		if c.scene != s || c.closed {
			continue
		}
		if self := f.Index(c.session.Entity); self >= 0 {
			c.walkGround(s.def, s.id, s.faces[self].at, columnsPerFrame)
			due, middle := s.w.g.schedule.Due(c.session.Entity, c.sight.served, f.Tick)
			if due {
				s.look(c, f, self, middle)
			}
		}
		c.flush()
	}
}

// look tells one client what has changed for it.
func (s *scene) look(c *conn, f *sim.Frame, self int, middle bool) {
	if s.crowded != f.Tick {
		s.crowded = f.Tick
		s.crowd.Build(f, s.w.g.opt.Policy)
		s.encoded = s.encoded[:0]
		s.moves, s.looks = none(s.moves, len(f.Actors)), none(s.looks, len(f.Actors))
	}
	u := c.sight.view.Update(&s.crowd, self, middle, s.w.g.opt.Policy)
	for _, id := range u.Leave {
		c.hide(id)
	}
	for _, i := range u.Enter {
		c.meet(&s.faces[i])
	}
	since := c.sight.served
	if middle {
		since = c.sight.middle
		c.sight.middle = f.Tick
	}
	c.sight.served = f.Tick
	for _, near := range [2][]int32{u.Close, u.Middle} {
		for _, i := range near {
			n := &s.faces[i]
			if int(i) == self || n.moved <= since && n.changed <= since {
				continue
			}
			if n.came > since && c.sight.wires[n.id] != n.wire { // it left and came back unseen
				c.hide(n.id)
				c.meet(n)
			}
			if n.changed > since {
				c.add(once(s, &s.looks[i], n, dataOf))
			}
			if n.moved > since {
				c.add(once(s, &s.moves[i], n, movementOf))
			}
		}
	}
}

// add adds an encoded packet to the batch of this frame.
func (c *conn) add(packet []byte) {
	if !c.closed {
		c.out.AddBytes(packet)
		c.overflow()
	}
}

// once is a packet about a face, which is encoded when the first client needs it in this frame. It is the same in all
// versions.
func once[P proto.Packet](s *scene, at *span, n *face, packet func(n *face) P) []byte {
	if at.to == 0 {
		at.from = int32(len(s.encoded))
		s.encoded = proto.AppendPacket(s.encoded, packet(n), proto.V2169)
		at.to = int32(len(s.encoded))
	}
	return s.encoded[at.from:at.to]
}

// span is a part of scene.encoded.
type span struct{ from, to int32 }

// none is n empty spans, in the memory of old if it has the room.
func none(old []span, n int) []span {
	list := slices.Grow(old[:0], n)[:n]
	clear(list)
	return list
}

func dataOf(n *face) proto.SetActorData {
	return proto.SetActorData{Runtime: n.wire, Metadata: metadata(n)}
}

func movementOf(n *face) proto.MoveActorAbsolute {
	p := proto.MoveActorAbsolute{
		Runtime: n.wire, Position: eyes(n.at),
		Pitch: proto.AngleOf(n.pitch), Yaw: proto.AngleOf(n.yaw), HeadYaw: proto.AngleOf(n.yaw),
	}
	if n.ground {
		p.Flags |= proto.MoveOnGround
	}
	return p
}

// meet shows a client somebody who came into its view. The list of players must have him first, with what he looks like;
// whoever is no player is taken off it again at once.
func (c *conn) meet(n *face) {
	if c.sight.wires == nil {
		c.sight.wires = map[sim.EntityID]uint64{}
		c.sight.entities = map[uint64]sim.EntityID{}
	}
	c.sight.wires[n.id], c.sight.entities[n.wire] = n.wire, n.id
	send(c, playerListAdd(n.wire, n.body.Name))
	send(c, addPlayer(n))
	if n.body.Character == 0 {
		send(c, playerListRemove(n.wire))
	}
}

// hide takes somebody out of a client's world.
func (c *conn) hide(e sim.EntityID) {
	wire, ok := c.sight.wires[e]
	if !ok {
		return
	}
	delete(c.sight.wires, e)
	delete(c.sight.entities, wire)
	send(c, proto.RemoveActor{Unique: int64(wire)})
	send(c, playerListRemove(wire))
}

// reset forgets everybody; the client has been told to.
func (s *sight) reset() {
	s.view.Reset()
	clear(s.wires)
	clear(s.entities)
}

// entity is the actor that the client calls wire, 0 if it sees none.
func (s *sight) entity(wire uint64) sim.EntityID { return s.entities[wire] }
