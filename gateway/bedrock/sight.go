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
	entities map[uint64]sim.EntityID       // wires the other way round
	listed   map[sim.EntityID]struct{}     // who is on the list of players
	seats    map[sim.EntityID]sim.EntityID // riders whose mounts the client knows
	corpses  []corpse                      // in the order in which they are taken away
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

// Broadcast tells each member whose turn it is who came into view, who left it, and where everybody is.
func (s *scene) Broadcast(f *sim.Frame) {
	for _, c := range s.members {
		if c.scene != s || c.closed {
			continue
		}
		if self := f.Index(c.session.Entity); self >= 0 {
			c.walkGround(s.def, s.id, s.faces[self].at, columnsPerFrame)
			c.bury(f.Tick)
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
		s.spans = none(s.spans, len(f.Actors))
	}
	u := c.sight.view.Update(&s.crowd, self, middle, s.w.g.opt.Policy)
	for _, id := range u.Leave {
		c.hide(id)
	}
	for _, i := range u.Enter {
		c.meet(&s.faces[i])
	}
	for _, i := range u.Enter {
		c.mountUp(s, &s.faces[i])
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
			if int(i) != self && n.news > since {
				c.catchUp(s, int(i), since)
			}
		}
	}
}

// catchUp tells one client what is new of somebody in its view since a tick.
func (c *conn) catchUp(s *scene, i int, since sim.Tick) {
	n, at := &s.faces[i], &s.spans[i]
	if n.came > since && c.sight.wires[n.id] != n.wire { // it left and came back unseen
		c.hide(n.id)
		c.meet(n)
		c.mountUp(s, n)
	}
	if n.changed > since {
		c.add(once(s, &at.data, n, dataOf))
	}
	if n.hurt > since {
		c.add(once(s, &at.vitals, n, vitalsOf))
	}
	if n.dressed > since {
		c.add(once(s, &at.hand, n, handOf))
		c.add(once(s, &at.offHand, n, offHandOf))
		c.add(once(s, &at.armour, n, armourOf))
	}
	if n.seated > since {
		c.seat(n)
	}
	if n.moved > since && c.sight.seats[n.id] == 0 { // riders go where their mounts go
		c.add(once(s, &at.move, n, movementOf))
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

// span is a part of scene.encoded. Empty: not encoded yet.
type span struct{ from, to int32 }

// spans are where the packets about one face are.
type spans struct{ move, data, vitals, hand, offHand, armour span }

// none is the spans of n faces, all empty, in the memory of old if it has the room.
func none(old []spans, n int) []spans {
	list := slices.Grow(old[:0], n)[:n]
	clear(list)
	return list
}

func dataOf(n *face) proto.SetActorData {
	return proto.SetActorData{Runtime: n.wire, Metadata: metadata(n)}
}

func movementOf(n *face) proto.MoveActorAbsolute {
	at := toVec3(n.at)
	at[1] += n.look.eyes
	p := proto.MoveActorAbsolute{
		Runtime: n.wire, Position: at,
		Pitch: proto.AngleOf(n.pitch), Yaw: proto.AngleOf(n.yaw), HeadYaw: proto.AngleOf(n.yaw),
	}
	if n.ground {
		p.Flags |= proto.MoveOnGround
	}
	return p
}

// meet shows a client somebody who came into its view. Of who looks like a player, the list of players must have the skin
// first; whoever is no player is taken off it again at once.
func (c *conn) meet(n *face) {
	c.sight.know(n)
	if n.look.person() {
		send(c, playerListAdd(n.wire, n.name, c.w.skin(n)))
		send(c, addPlayer(n))
		send(c, vitalsOf(n))
		if n.body.Character == 0 {
			send(c, playerListRemove(n.wire))
		} else {
			c.sight.listed[n.id] = struct{}{}
		}
	} else {
		send(c, addActor(n))
	}
	c.dress(n)
}

// mountUp seats somebody whom the client met a moment ago, and who rides it.
func (c *conn) mountUp(s *scene, n *face) {
	if n.mount != 0 {
		c.seat(n)
	}
	if r := s.face(n.rider); n.rider != 0 && r != nil {
		c.seat(r)
	}
}

// hide takes somebody out of a client's world.
func (c *conn) hide(e sim.EntityID) {
	wire, ok := c.sight.wires[e]
	if !ok {
		return
	}
	c.stand(e)
	_, listed := c.sight.listed[e]
	c.sight.forget(e)
	send(c, proto.RemoveActor{Unique: int64(wire)})
	if listed {
		send(c, playerListRemove(wire))
	}
}

// know notes by which number the client knows a face.
func (s *sight) know(n *face) {
	if s.wires == nil {
		s.wires, s.entities = map[sim.EntityID]uint64{}, map[uint64]sim.EntityID{}
		s.listed, s.seats = map[sim.EntityID]struct{}{}, map[sim.EntityID]sim.EntityID{}
	}
	s.wires[n.id], s.entities[n.wire] = n.wire, n.id
}

// forget forgets the number of an actor.
func (s *sight) forget(e sim.EntityID) {
	delete(s.entities, s.wires[e])
	delete(s.wires, e)
	delete(s.listed, e)
}

// reset forgets everybody; the client has been told to.
func (s *sight) reset() {
	s.view.Reset()
	clear(s.wires)
	clear(s.entities)
	clear(s.listed)
	clear(s.seats)
	s.corpses = s.corpses[:0]
}

// entity is the actor that the client calls wire, 0 if it sees none.
func (s *sight) entity(wire uint64) sim.EntityID { return s.entities[wire] }
