package bedrock

import (
	"slices"

	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// sight is what one client has been told of others.
type clientView struct {
	interest        interest.View
	lastBroadcast   sim.Tick // of the last broadcast
	lastMiddle      sim.Tick // of the last one that told of those farther away too
	runtimeIDs      map[sim.EntityID]uint64
	entities        map[uint64]sim.EntityID       // wires the other way round
	playerList      map[sim.EntityID]struct{}     // who is on the list of players
	mounts          map[sim.EntityID]sim.EntityID // riders whose mounts the client knows
	deathAnimations []deathAnimation              // in the order in which they are taken away
}

// Sight is the policy of this door in a world: everybody within the columns that a client may have, close ones ten times
// a second and others five times. Clients move actors evenly from one word to the next. Areas may differ in scale; the
// widest decides.
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

// sightChunks is how far actors are seen at most, in chunks; ground is seen farther.   guess
const maxViewChunks = 6

// Broadcast tells each member whose turn it is who came into view, who left it, and where everybody is.
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

// look tells one client what has changed for it.
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

// catchUp tells one client what is new of somebody in its view since a tick.
func (c *conn) sendChanges(s *scene, i int, since sim.Tick) {
	av, at := &s.actors[i], &s.ranges[i]
	if av.enterTick > since && c.view.runtimeIDs[av.id] != av.runtimeID { // it left and came back unseen
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
		c.syncMount(av)
	}
	if av.moveTick > since && c.view.mounts[av.id] == 0 { // riders go where their mounts go
		c.addEncoded(encodeOnce(s, &at.move, av, movePacket))
	}
}

// add adds an encoded packet to the batch of this frame.
func (c *conn) addEncoded(packet []byte) {
	if !c.closed {
		c.out.AddBytes(packet)
		c.flushIfFull()
	}
}

// once is a packet about a face, which is encoded when the first client needs it in this frame. It is the same in all
// versions.
func encodeOnce[P proto.Packet](s *scene, at *byteRange, av *actorView, packet func(av *actorView) P) []byte {
	if at.to == 0 {
		at.from = int32(len(s.encoded))
		s.encoded = proto.AppendPacket(s.encoded, packet(av), proto.V2169)
		at.to = int32(len(s.encoded))
	}
	return s.encoded[at.from:at.to]
}

// span is a part of scene.encoded. Empty: not encoded yet.
type byteRange struct{ from, to int32 }

// spans are where the packets about one face are.
type packetRanges struct{ move, metadata, health, hand, offHand, armour byteRange }

// none is the spans of n faces, all empty, in the memory of old if it has the room.
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
		Pitch: proto.AngleOf(av.pitch), Yaw: proto.AngleOf(av.yaw), HeadYaw: proto.AngleOf(av.yaw),
	}
	if av.onGround {
		p.Flags |= proto.MoveOnGround
	}
	return p
}

// meet shows a client somebody who came into its view. Of who looks like a player, the list of players must have the skin
// first; whoever is no player is taken off it again at once.
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

// mountUp seats somebody whom the client met a moment ago, and who rides it.
func (c *conn) linkRiding(s *scene, av *actorView) {
	if av.mount != 0 {
		c.syncMount(av)
	}
	if r := s.find(av.rider); av.rider != 0 && r != nil {
		c.syncMount(r)
	}
}

// hide takes somebody out of a client's world.
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

// know notes by which number the client knows a face.
func (v *clientView) add(av *actorView) {
	if v.runtimeIDs == nil {
		v.runtimeIDs, v.entities = map[sim.EntityID]uint64{}, map[uint64]sim.EntityID{}
		v.playerList, v.mounts = map[sim.EntityID]struct{}{}, map[sim.EntityID]sim.EntityID{}
	}
	v.runtimeIDs[av.id], v.entities[av.runtimeID] = av.runtimeID, av.id
}

// forget forgets the number of an actor.
func (v *clientView) remove(e sim.EntityID) {
	delete(v.entities, v.runtimeIDs[e])
	delete(v.runtimeIDs, e)
	delete(v.playerList, e)
}

// reset forgets everybody; the client has been told to.
func (v *clientView) reset() {
	v.interest.Reset()
	clear(v.runtimeIDs)
	clear(v.entities)
	clear(v.playerList)
	clear(v.mounts)
	v.deathAnimations = v.deathAnimations[:0]
}

// entity is the actor that the client calls wire, 0 if it sees none.
func (v *clientView) entity(wire uint64) sim.EntityID { return v.entities[wire] }
