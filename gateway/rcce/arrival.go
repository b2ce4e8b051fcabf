package rcce

import (
	"slices"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// maxEntryQueue limits the bytes in a client's send queue while it is sent a long series of packets: the actors of an area, or
// the catalogue. At each frame or tick, further packets of the series are queued until this many bytes wait. The speed thus
// adapts to the connection, and the queue needs little memory. The value is one and a half ENet windows; other values were not
// compared.
const maxEntryQueue = 48 << 10

// Arrive makes the client a member of the scene if the frame contains its player. If the session has ended instead, Arrive
// refuses the entry of a client that was not in the world yet (for example because the area is full), and disconnects any other
// client.
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
	c.lastBroadcast, c.nextRefusalText = f.Tick, 0 // reset both ticks, because each area counts its own ticks
	s.members = append(s.members, c)
	c.sendEntryBurst(f, a)
}

// ShowOwn sends the client the events of the tick in which its player arrived, after the packets of the entry. It leaves out events that
// these packets contain, such as a new position.
func (c *conn) ShowOwn(s *scene, f *sim.Frame) {
	if c.scene != s {
		return
	}
	for i := range f.Events {
		e := &f.Events[i]
		if e.Who != c.session.Entity {
			continue
		}
		switch e.Kind {
		case sim.EventXP, sim.EventItemDamaged, sim.EventMessage, sim.EventRefused, sim.EventItemTaken, sim.EventDied:
			s.sendEvent(f, e)
		case sim.EventStat, sim.EventStatMaximum:
			c.send(s.statUpdate(f, e, c.runtimeID))
		case sim.EventParty:
			c.send(partyOf(f, f.Find(e.Who)))
		case sim.EventChat:
			c.send(proto.ChatMessage{Text: chatLine(f.Find(e.Who).Body.Name, e.Text)})
		case sim.EventDropped:
			if !slices.ContainsFunc(f.Ground, func(g sim.GroundItem) bool { return g.Handle == e.Ground.Handle }) { // not sent with the entry
				c.send(droppedItem(s.w.g.world.Def(), &e.Ground))
			}
		case sim.EventPickedUp:
			c.send(proto.InventoryReceived{Drop: e.Ground.Handle, Slot: uint8(e.N)})
		}
		if c.closed {
			return
		}
	}
}

// refuseEntry tells a client that its player was not admitted to the world. The connection is then in the same state as before
// StartGame. The refusal is sent last, because a failed send releases the connection.
func (c *conn) refuseEntry() {
	c.session.Leave()
	if c.runtimeID != 0 {
		c.w.g.ids.release(c.session.Entity)
	}
	c.w.scenes.Expect(c, sim.NoArea)
	if c.sentSheet != nil {
		c.w.g.sheets.add(c.sentSheet, c.w.g.now()) // store the sheet again, because the client can send another StartGame
	}
	c.session, c.firstArrival, c.sentSheet, c.runtimeID = nil, false, nil, 0
	c.send(proto.StartGameRefused{})
}

// sendEntryBurst sends the first packets to a client whose player has entered an area. ChangeArea is the first, because clients
// ignore an actor (NewActor) of any area but that of the last ChangeArea. The other actors and the action bar are many packets,
// so continueEntryBurst sends them with later frames.
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
		if c.sentSheet != nil {
			c.correctSheet(c.sentSheet, c.session.Character, self)
		}
		c.firstArrival, c.sentSheet = false, nil
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

// sendOwnState sends a client the health and energy of its own player. It is used when the player has resumed a lingering actor,
// because the client has been sent older values from the character's record.
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

// continueEntryBurst continues sendEntryBurst: it sends the actors that the client does not know yet, with their state in this
// frame, and after them the action bar. It stops when maxEntryQueue bytes are queued.
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
