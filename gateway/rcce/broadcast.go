package rcce

import "github.com/truestep-io/truestep/sim"

// Broadcast sends the positions of whoever matters to each member whose turn it is in this frame. Each actor's
// StandardUpdate is encoded once and copied per viewer.
func (s *scene) Broadcast(f *sim.Frame) {
	for _, c := range s.members {
		if c.scene != s {
			continue
		}
		if len(c.entry) > 0 || len(c.chunks) > 0 {
			c.introduce(f)
		}
		if c.closed {
			continue
		}
		due, middle := s.w.g.schedule.Due(c.session.Entity, c.served, f.Tick)
		c.served = f.Tick
		if due {
			s.update(c, f, middle)
		}
	}
}

// update sends one member its broadcast. Whoever is still being told who is there gets only its own echo: clients
// ignore the positions of actors that they do not know.
func (s *scene) update(c *conn, f *sim.Frame, middle bool) {
	self := f.Index(c.session.Entity)
	if self < 0 {
		return
	}
	s.encode(f)
	s.near = s.near[:0]
	if len(c.entry) == 0 {
		s.near = s.crowd.Collect(s.near, self, middle, s.w.g.opt.Policy)
	} else {
		s.near = append(s.near, int32(self))
	}
	if len(s.near) == 0 {
		return
	}
	// A client drops what was overtaken on the way, so on a line that reorders the first datagrams of a broadcast suffer
	// most. Another actor begins each time, and nobody is always first.
	first := int(uint64(f.Tick) * turn % uint64(len(s.near)))
	if s.post(c, f, self, s.near[first:]) && s.post(c, f, self, s.near[:first]) {
		s.w.host.FlushPeer(s.w.g.now(), c.peer, s.w.emit)
	}
}

// turn moves the beginning of a broadcast by more than a datagram holds, 44 updates, from each tick to the next.
const turn = 61

// post queues the updates of some actors for one member. false: the member's queue is full.
func (s *scene) post(c *conn, f *sim.Frame, self int, actors []int32) bool {
	for _, i := range actors {
		if s.faces[i].rid == 0 {
			continue // all ids are in use: clients do not know this actor
		}
		msg := s.message(i)
		if int(i) == self {
			msg = s.echo(f, self)
		}
		if err := c.peer.SendUnreliable(channelUnreliable, msg); err != nil {
			s.w.g.door.Bad.With("unreliable_full").Inc()
			return false
		}
	}
	return true
}

// encode writes every actor's update, once per frame and only if somebody's turn has come.
func (s *scene) encode(f *sim.Frame) {
	if s.crowded == f.Tick {
		return
	}
	s.crowded = f.Tick
	s.crowd.Build(f, s.w.g.opt.Policy)
	s.updates, s.ends = s.updates[:0], s.ends[:0]
	for i := range f.Actors {
		a := &f.Actors[i]
		s.updates = standardUpdate(s.faces[i].rid, s.rid(a.Mount), a).Append(s.updates)
		s.ends = append(s.ends, int32(len(s.updates)))
	}
}

func (s *scene) message(i int32) []byte {
	from := int32(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.updates[from:s.ends[i]]
}

// echo is a client's own update.
func (s *scene) echo(f *sim.Frame, self int) []byte {
	a := &f.Actors[self]
	p := standardUpdate(s.faces[self].rid, s.rid(a.Mount), a)
	s.w.scratch = selfUpdate(p, &s.w.g.world.Def().Roles, a).Append(s.w.scratch[:0])
	return s.w.scratch
}
