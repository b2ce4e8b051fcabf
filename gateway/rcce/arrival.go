package rcce

import (
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// maxEntryQueue is the maximum number of bytes of an entry burst (see sendEntryBurst) that are queued at once. Each frame
// refills the queue, so the burst adapts to slow connections, and a full area costs little memory. The value is an estimate,
// not measured: one and a half ENet windows.
const maxEntryQueue = 48 << 10

// Arrive adds the client to the scene if the frame contains the client's player. If the session has already ended, Arrive
// sends the client the refusal of its entry, for example because the area was full, or disconnects a client that had entered
// the world before.
func (c *conn) Arrive(s *scene, f *sim.Frame) {
	if !c.session.MayShow(f) {
		return
	}
	a := f.Find(c.session.Entity)
	if a == nil {
		select {
		case <-c.session.Ended():
			if c.firstArrival {
				c.refuseEntry()
			} else { // the player was removed in a frame that this worker missed, or between two areas
				c.kick()
			}
		default:
		}
		return
	}
	c.w.scenes.Expect(c, sim.NoArea)
	c.session.SetArea(s.id)
	c.scene = s
	c.lastBroadcast = f.Tick
	s.members = append(s.members, c)
	c.sendEntryBurst(f, a)
}

// refuseEntry tells a client that its player was not admitted to the world, and returns the connection to the state before
// StartGame. It sends the refusal last, because a failed send releases the connection.
func (c *conn) refuseEntry() {
	c.session.Leave()
	if c.runtimeID != 0 {
		c.w.g.ids.release(c.session.Entity)
	}
	c.w.scenes.Expect(c, sim.NoArea)
	c.session, c.firstArrival, c.runtimeID = nil, false, 0
	c.send(proto.StartGameRefused{})
}

// sendEntryBurst sends the first packets to a client that enters an area. ChangeArea is the first of them, because clients
// ignore a NewActor packet about another area. The other actors and the action bar follow with later frames.
func (c *conn) sendEntryBurst(f *sim.Frame, self *sim.ActorState) {
	w := c.w.g.world.Def()
	c.send(changeArea(c.scene.def, f, self))
	for i := range f.Ground {
		c.send(droppedItem(w, &f.Ground[i]))
	}
	if c.firstArrival {
		c.send(proto.StartGameActor{RuntimeID: c.runtimeID})
		if w.NewCharacters.Greeting != "" {
			c.send(proto.ChatMessage{Color: proto.ChatYellow, Text: encodeText(w.NewCharacters.Greeting)})
		}
		c.send(proto.XPUpdate{Sub: proto.XPBar, Value: int32(c.session.Character.XPBar)})
		if c.session.Resumed() {
			c.sendOwnState(self)
		}
		c.firstArrival = false
	}
	if self.Party != 0 { // the client of a player that has resumed a lingering actor does not know the player's party
		c.send(partyOf(f, self))
	}
	c.unsentActors = c.unsentActors[:0]
	for i := range f.Actors {
		if f.Actors[i].ID != self.ID {
			c.unsentActors = append(c.unsentActors, f.Actors[i].ID)
		}
	}
}

// sendOwnState sends the client those attributes of its own player that may have changed after the client was sent the
// character's record.
func (c *conn) sendOwnState(self *sim.ActorState) {
	roles := &c.w.g.world.Def().Roles
	c.send(proto.StatUpdate{Sub: proto.StatValue, RuntimeID: c.runtimeID, Attribute: uint8(roles.Health), Value: proto.StatPoints(self.Health)})
	if roles.Energy >= 0 {
		c.send(proto.StatUpdate{Sub: proto.StatValue, RuntimeID: c.runtimeID, Attribute: uint8(roles.Energy), Value: proto.StatPoints(self.Energy)})
	}
	if self.Is(sim.FlagDead) {
		c.send(deathMessage)
	}
}

// continueEntryBurst sends a client that has entered an area further packets about it: first the actors that the client does
// not know yet, in their current state, then the action bar.
func (c *conn) continueEntryBurst(f *sim.Frame) {
	w := c.w.g.world.Def()
	for len(c.unsentActors) > 0 && c.peer.QueuedBytes() < maxEntryQueue {
		e := c.unsentActors[0]
		c.unsentActors = c.unsentActors[1:]
		if i := f.Index(e); i >= 0 && c.scene.actors[i].runtimeID != 0 {
			c.send(newActor(w, c.scene.id, c.scene.actors[i].runtimeID, &f.Actors[i]))
			if c.closed {
				return
			}
		}
	}
	for len(c.unsentActors) == 0 && len(c.unsentBar) > 0 && c.peer.QueuedBytes() < maxEntryQueue && !c.closed {
		c.send(c.unsentBar[0])
		c.unsentBar = c.unsentBar[1:]
	}
}
