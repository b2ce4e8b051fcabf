package rcce

import "github.com/truestep-io/truestep/sim"

// Broadcast sends position updates to each member for which an update is due in this frame. Before that, it sends further packets
// to members that have just entered the area. The StandardUpdate packet about an actor is encoded once and copied for each
// member.
func (s *scene) Broadcast(f *sim.Frame) {
	for _, c := range s.members {
		if c.scene != s {
			continue
		}
		if len(c.unsentActors) > 0 || len(c.unsentBar) > 0 {
			c.continueEntryBurst(f)
		}
		if c.closed {
			continue
		}
		due, middle := s.w.g.schedule.Due(c.session.Entity, c.lastBroadcast, f.Tick)
		c.lastBroadcast = f.Tick
		if due {
			s.sendUpdates(c, f, middle)
		}
	}
}

// sendUpdates sends one member the updates of the actors around it. The parameter middle is true if updates of actors at medium
// distance are due too. A member that has not been sent all actors of the area yet gets only the update of its own actor, because
// clients ignore positions of actors that they do not know.
func (s *scene) sendUpdates(c *conn, f *sim.Frame, middle bool) {
	self := f.Index(c.session.Entity)
	if self < 0 {
		return
	}
	s.encodeUpdates(f)
	s.nearby = s.nearby[:0]
	if len(c.unsentActors) == 0 {
		s.nearby = s.index.Collect(s.nearby, self, middle, s.w.g.opt.Policy)
	} else {
		s.nearby = append(s.nearby, int32(self))
	}
	if len(s.nearby) == 0 {
		return
	}
	// Each broadcast starts at another actor, so that no actor is always in the first datagrams. Clients ignore updates that
	// arrive out of order. If the network reorders datagrams, most of the ignored updates are those of the first datagrams.
	first := int(uint64(f.Tick) * startStride % uint64(len(s.nearby)))
	if s.queueUpdates(c, f, self, s.nearby[first:]) && s.queueUpdates(c, f, self, s.nearby[:first]) {
		s.w.host.FlushPeer(s.w.g.now(), c.peer, s.w.emit)
	}
}

// startStride is the number of actors by which the start of a broadcast advances from tick to tick. It exceeds the 44 updates of
// one datagram, so successive broadcasts begin with other actors.
const startStride = 61

// queueUpdates queues updates for one member. The parameter actors has the indices of the actors, self is the index of the
// member's own actor. The result is false if the member's queue is full.
func (s *scene) queueUpdates(c *conn, f *sim.Frame, self int, actors []int32) bool {
	for _, i := range actors {
		if s.actors[i].runtimeID == 0 {
			continue // the actor was not sent to clients, because no runtime id was free
		}
		msg := s.encodedUpdate(i)
		if int(i) == self {
			msg = s.ownUpdate(f, self)
		}
		if err := c.peer.SendUnreliable(channelUnreliable, msg); err != nil {
			s.w.g.door.Bad.With("unreliable_full").Inc()
			return false
		}
	}
	return true
}

// encodeUpdates encodes the updates of all actors for a frame. It does nothing if they are already encoded for this frame.
func (s *scene) encodeUpdates(f *sim.Frame) {
	if s.indexTick == f.Tick {
		return
	}
	s.indexTick = f.Tick
	s.index.Build(f, s.w.g.opt.Policy)
	s.updates, s.updateEnds = s.updates[:0], s.updateEnds[:0]
	for i := range f.Actors {
		a := &f.Actors[i]
		s.updates = standardUpdate(s.actors[i].runtimeID, s.runtimeIDOf(a.Mount), a).Append(s.updates)
		s.updateEnds = append(s.updateEnds, int32(len(s.updates)))
	}
}

// encodedUpdate returns the encoded update of the actor with index i in the frame.
func (s *scene) encodedUpdate(i int32) []byte {
	from := int32(0)
	if i > 0 {
		from = s.updateEnds[i-1]
	}
	return s.updates[from:s.updateEnds[i]]
}

// ownUpdate returns the encoded update that a client is sent about its own actor. Unlike the update for other viewers, it can
// contain the energy. The parameter self is the index of the actor in the frame. The result is valid until the next packet is
// encoded.
func (s *scene) ownUpdate(f *sim.Frame, self int) []byte {
	a := &f.Actors[self]
	p := standardUpdate(s.actors[self].runtimeID, s.runtimeIDOf(a.Mount), a)
	s.w.scratch = selfUpdate(p, &s.w.g.world.Def().Roles, a).Append(s.w.scratch[:0])
	return s.w.scratch
}
