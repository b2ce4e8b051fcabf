package rcce

import (
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// entryBytes is how much of a newcomer's burst waits in its queue at once. It is filled again with each frame, so a
// slow line gets what it can take and a full area costs no memory. guess: one and a half windows of ENet.
const maxEntryQueue = 48 << 10

// Arrive takes a client into the scene if the frame has its player, and turns it away if the visit is over before it
// began: the area was full.
func (c *conn) Arrive(s *scene, f *sim.Frame) {
	a := f.Find(c.session.Entity)
	if a == nil {
		select {
		case <-c.session.Over():
			if c.firstArrival {
				c.refuseEntry()
			} else { // he was taken out in a frame that was missed, or on his way between two areas
				c.kick()
			}
		default:
		}
		return
	}
	c.w.scenes.Expect(c, sim.NoArea)
	c.session.Arrive(s.id)
	c.scene = s
	c.lastBroadcast = f.Tick
	s.members = append(s.members, c)
	c.sendEntryBurst(f, a)
}

// turnAway takes a client that did not get in back to where it was before StartGame. The answer comes last: a client
// that cannot take it is gone with what it then has.
func (c *conn) refuseEntry() {
	c.session.Leave()
	if c.rid != 0 {
		c.w.g.ids.release(c.session.Entity)
	}
	c.w.scenes.Expect(c, sim.NoArea)
	c.session, c.firstArrival, c.rid = nil, false, 0
	c.send(proto.StartGameRefused{})
}

// burst is what a client is sent when it enters an area. ChangeArea comes before all: clients drop a NewActor whose
// area is not theirs. The other actors and the action bar follow frame by frame.
func (c *conn) sendEntryBurst(f *sim.Frame, self *sim.ActorState) {
	w := c.w.g.world.Def()
	c.send(changeArea(c.scene.def, f, self))
	for i := range f.Ground {
		c.send(droppedItem(w, &f.Ground[i]))
	}
	if c.firstArrival {
		c.send(proto.StartGameActor{RuntimeID: c.rid})
		if w.NewCharacters.Greeting != "" {
			c.send(proto.ChatMessage{Color: proto.ChatYellow, Text: w.NewCharacters.Greeting})
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

// introduce goes on with the burst of a newcomer: the actors that it was not told about yet, as they are now, then
// the action bar.
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
