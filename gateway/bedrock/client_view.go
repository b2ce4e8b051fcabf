package bedrock

import (
	"slices"

	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// clientView records which actors a client currently displays.
type clientView struct {
	interest        interest.View
	lastBroadcast   sim.Tick                   // tick of the last broadcast to this client
	lastMiddle      sim.Tick                   // tick of the last broadcast that included actors at medium distance
	runtimeIDs      map[sim.EntityID]uint64    // runtime id on the client by actor
	entities        map[uint64]sim.EntityID    // actor by runtime id, the inverse of runtimeIDs
	playerList      map[sim.EntityID]struct{}  // players on the client's player list
	links           map[sim.EntityID]riderLink // links to mounts that the client was sent, by rider; not that of the client's own player
	deathAnimations []deathAnimation           // death animations that the client still displays, ordered by their end
}

// InterestPolicy returns the interest policy of Bedrock clients for a world. The parameter chunks is the maximum view
// distance. Clients are sent the actors within this distance, but none beyond maxViewChunks. Close actors are updated ten
// times a second, others five times. Clients interpolate between updates. If the areas have different numbers of units per
// block, the largest number is used.
func InterestPolicy(w *sim.World, chunks int) interest.Policy {
	units := float32(0)
	for i := range w.Areas {
		units = max(units, w.Areas[i].BlockGrid.UnitsPerBlock)
	}
	if units == 0 {
		units = 1
	}
	far := float32(units * float32(min(chunks, maxViewChunks)*16))
	return interest.Policy{
		CloseRadius: far / 2, FarRadius: far, EnterRadius: far, LeaveRadius: far + float32(units*8),
		IntervalMS: 100, MiddleEveryMS: 200,
	}
}

// maxViewChunks is the maximum distance in chunks at which actors are visible. Terrain is visible from farther away. The value
// is an estimate, not measured.
const maxViewChunks = 6

// Broadcast sends chunks to each client. A client whose update is due is also sent the actors that have entered or left its
// view, and the changes of the actors in its view.
func (s *scene) Broadcast(f *sim.Frame) {
	for _, c := range s.clients {
		if c.scene != s || c.closed {
			continue
		}
		if self := f.Index(c.session.Entity); self >= 0 {
			c.syncChunks(s.def, s.id, s.actors[self].pos, chunksPerFrame)
			c.removeDead(f.Tick)
			due, middle := s.w.g.schedule.Due(c.session.Entity, c.view.lastBroadcast, f.Tick)
			if due {
				s.updateView(c, f, self, middle)
			}
		}
		c.flush()
	}
}

// updateView sends one client the changes in its view. The parameter self is the index of the client's own player in
// f.Actors. The parameter middle is true if the update includes actors at medium distance, which are updated less often.
func (s *scene) updateView(c *conn, f *sim.Frame, self int, middle bool) {
	if s.indexTick != f.Tick {
		s.indexTick = f.Tick
		s.index.Build(f, s.w.g.opt.Policy)
		s.encoded = s.encoded[:0]
		s.ranges = clearedRanges(s.ranges, len(f.Actors))
	}
	u := c.view.interest.Update(&s.index, self, middle, s.w.g.opt.Policy)
	for _, id := range u.Leave {
		c.hideActor(id)
	}
	for _, i := range u.Enter {
		c.showActor(&s.actors[i])
	}
	for _, i := range u.Enter {
		c.linkRiding(s, &s.actors[i])
	}
	since := c.view.lastBroadcast
	if middle {
		since = c.view.lastMiddle
		c.view.lastMiddle = f.Tick
	}
	c.view.lastBroadcast = f.Tick
	for _, near := range [2][]int32{u.Close, u.Middle} {
		for _, i := range near {
			av := &s.actors[i]
			if int(i) != self && av.changeTick > since {
				c.sendChanges(s, int(i), since)
			}
		}
	}
}

// sendChanges sends a client what has changed of an actor after the tick since. The parameter i is the index of the actor
// in s.actors. The actor must be in the client's view.
func (c *conn) sendChanges(s *scene, i int, since sim.Tick) {
	av, at := &s.actors[i], &s.ranges[i]
	if av.enterTick > since && c.view.runtimeIDs[av.id] != av.runtimeID { // the actor left and came back between two updates
		c.hideActor(av.id)
		c.showActor(av)
		c.linkRiding(s, av)
	}
	if av.dataTick > since {
		c.addEncoded(encodeOnce(s, &at.metadata, av, metadataPacket))
	}
	if av.healthTick > since {
		c.addEncoded(encodeOnce(s, &at.health, av, healthPacket))
	}
	if av.equipmentTick > since {
		c.addEncoded(encodeOnce(s, &at.hand, av, mainHandPacket))
		c.addEncoded(encodeOnce(s, &at.offHand, av, offHandPacket))
		c.addEncoded(encodeOnce(s, &at.armour, av, armourPacket))
	}
	if av.mountTick > since {
		c.syncRiderLink(s, av)
	}
	if c.ride.drives() && c.ride.mount == av.id { // the driver's client moves the vehicle itself (rule VH-8 of docs/wire/bedrock.md)
		return
	}
	if av.paddleTick > since {
		send(c, paddlePacket(av))
	}
	if av.moveTick > since && c.view.links[av.id].mount == 0 { // clients move riders with their mounts
		c.addEncoded(encodeOnce(s, &at.move, av, movePacket))
	}
}

// addEncoded adds an encoded packet to the batch that is sent to the client with this frame.
func (c *conn) addEncoded(packet []byte) {
	if !c.closed {
		c.out.AddBytes(packet)
		c.flushIfFull()
	}
}

// encodeOnce returns an encoded packet about an actor. The first call in a frame encodes the packet into scene.encoded and stores the
// range of its bytes in *at; later calls return the same bytes. All clients can share them, because these packets are equal in all
// protocol versions.
func encodeOnce[P proto.Packet](s *scene, at *byteRange, av *actorView, packet func(av *actorView) P) []byte {
	if at.to == 0 {
		at.from = int32(len(s.encoded))
		s.encoded = proto.AppendPacket(s.encoded, packet(av), proto.V2169)
		at.to = int32(len(s.encoded))
	}
	return s.encoded[at.from:at.to]
}

// byteRange is the position of an encoded packet in scene.encoded. The zero value means that the packet is not encoded yet.
type byteRange struct{ from, to int32 }

// packetRanges contains the positions in scene.encoded of the packets about one actor.
type packetRanges struct{ move, metadata, health, hand, offHand, armour byteRange }

// clearedRanges returns n zero elements for a new frame. It reuses the memory of the slice old if that is large enough.
func clearedRanges(old []packetRanges, n int) []packetRanges {
	list := slices.Grow(old[:0], n)[:n]
	clear(list)
	return list
}

func metadataPacket(av *actorView) proto.SetActorData {
	return proto.SetActorData{Runtime: av.runtimeID, Metadata: actorMetadata(av)}
}

func movePacket(av *actorView) proto.MoveActorAbsolute {
	at := toVec3(av.pos)
	at[1] += av.appearance.eyeHeight
	p := proto.MoveActorAbsolute{
		Runtime: av.runtimeID, Position: at,
		Pitch: proto.ByteAngleOf(av.pitch), Yaw: proto.ByteAngleOf(av.yaw), HeadYaw: proto.ByteAngleOf(av.yaw),
	}
	if av.onGround {
		p.Flags |= proto.MoveOnGround
	}
	return p
}

// showActor makes a client display an actor that has entered its view. A client gets the skin of an actor with a player model from
// the actor's entry in the player list, so this entry is sent first. It is removed again at once if the actor is an NPC, because
// players see the list.
func (c *conn) showActor(av *actorView) {
	c.view.add(av)
	if av.appearance.isPlayerModel() {
		send(c, playerListAdd(av.runtimeID, av.name, c.w.skinOf(av)))
		send(c, addPlayer(av))
		send(c, healthPacket(av))
		if av.body.Character == 0 {
			send(c, playerListRemove(av.runtimeID))
		} else {
			c.view.playerList[av.id] = struct{}{}
		}
	} else {
		send(c, addActor(av))
	}
	c.sendEquipment(av)
}

// linkRiding sends a client the links between an actor that has just entered its view and the actor's mount or riders.
func (c *conn) linkRiding(s *scene, av *actorView) {
	if av.mount != 0 {
		c.syncRiderLink(s, av)
	}
	for _, rider := range [...]sim.EntityID{av.rider, av.passenger} {
		if r := s.find(rider); rider != 0 && r != nil {
			c.syncRiderLink(s, r)
		}
	}
}

// hideActor removes an actor from a client's display and from its player list.
func (c *conn) hideActor(e sim.EntityID) {
	wire, ok := c.view.runtimeIDs[e]
	if !ok {
		return
	}
	c.detachRiding(e)
	_, listed := c.view.playerList[e]
	c.view.remove(e)
	send(c, proto.RemoveActor{Unique: int64(wire)})
	if listed {
		send(c, playerListRemove(wire))
	}
}

// add records that the client displays an actor, and under which runtime id.
func (v *clientView) add(av *actorView) {
	if v.runtimeIDs == nil {
		v.runtimeIDs, v.entities = map[sim.EntityID]uint64{}, map[uint64]sim.EntityID{}
		v.playerList, v.links = map[sim.EntityID]struct{}{}, map[sim.EntityID]riderLink{}
	}
	v.runtimeIDs[av.id], v.entities[av.runtimeID] = av.runtimeID, av.id
}

// remove records that the client no longer displays an actor.
func (v *clientView) remove(e sim.EntityID) {
	delete(v.entities, v.runtimeIDs[e])
	delete(v.runtimeIDs, e)
	delete(v.playerList, e)
}

// reset records that the client displays no actors. The caller must already have sent the client the removal of all actors.
func (v *clientView) reset() {
	v.interest.Reset()
	clear(v.runtimeIDs)
	clear(v.entities)
	clear(v.playerList)
	clear(v.links)
	v.deathAnimations = v.deathAnimations[:0]
}

// entity returns the actor that has the given runtime id on the client. It returns 0 if the client displays no such actor.
func (v *clientView) entity(wire uint64) sim.EntityID { return v.entities[wire] }
