package rcce

import (
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// maxEntryQueue bounds how much of an entry burst is queued at once, in bytes. The queue is filled again with each
// frame, so a slow connection gets what it can carry and a full area costs little memory. guess: one and a half ENet
// windows
const maxEntryQueue = 48 << 10

// Arrive adds the client to the scene if the frame has its player. A client whose session has already ended, for
// example because the area was full, is refused or kicked.
func (c *conn) Arrive(s *scene, f *sim.Frame) {
	a := f.Find(c.session.Entity)
	if a == nil {
		select {
		case <-c.session.Ended():
			if c.firstArrival {
				c.refuseEntry()
			} else { // the player was removed in a missed frame or between two areas
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

// refuseEntry returns a client that was not admitted to the state before StartGame. The refusal is sent after the state
// is reset, because a failing send releases the connection with that state.
func (c *conn) refuseEntry() {
	c.session.Leave()
	if c.runtimeID != 0 {
		c.w.g.ids.release(c.session.Entity)
	}
	c.w.scenes.Expect(c, sim.NoArea)
	c.session, c.firstArrival, c.runtimeID = nil, false, 0
	c.send(proto.StartGameRefused{})
}

// sendEntryBurst sends what a client gets first when it enters an area. ChangeArea precedes everything else because
// clients drop a NewActor of another area. The other actors and the action bar follow with later frames.
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
		c.firstArrival = false
	}
	c.unsentActors = c.unsentActors[:0]
	for i := range f.Actors {
		if f.Actors[i].ID != self.ID {
			c.unsentActors = append(c.unsentActors, f.Actors[i].ID)
		}
	}
}

// continueEntryBurst sends more of an unfinished entry burst: the actors that the client was not told about yet, in
// their current state, then the action bar.
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
