package bedrock

import (
	"slices"
	"strings"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// show brings the scene up to a frame and tells its events. Where everybody is follows in broadcast.
func (s *scene) show(f *sim.Frame) {
	s.compare(f)
	for _, c := range s.members {
		if c.scene == s {
			if p := f.FindPredicted(c.session.Entity); p != nil {
				c.tick = p.Tick
			}
		}
	}
	for i := range f.Events {
		s.event(f, &f.Events[i])
	}
	for _, c := range s.members {
		if c.scene != s || c.closed {
			continue
		}
		a := f.Find(c.session.Entity)
		if a == nil { // its events were missed: look for the player in every area
			c.leaveScene()
			c.expect(anyArea)
			continue
		}
		c.vitals(a)
	}
}

// event tells one event to exactly those who must know.
func (s *scene) event(f *sim.Frame, e *sim.Event) {
	if c := s.member(e.Who); c != nil {
		s.own(c, f, e)
	}
	switch e.Kind {
	case sim.EventStruck:
		tell(s, e.Who, proto.Animate{Action: proto.AnimateSwing, Runtime: s.wire(e.Who)})
		if e.N > 0 {
			tell(s, e.Other, proto.ActorEvent{Runtime: s.wire(e.Other), Event: proto.EventHurt})
		}
	case sim.EventSwung:
		tell(s, e.Who, proto.Animate{Action: proto.AnimateSwing, Runtime: s.wire(e.Who)})
	case sim.EventDied:
		s.died(f, e)
	case sim.EventRespawned:
		s.reborn(e.Who)
	case sim.EventSaid:
		if n := s.face(e.Who); n != nil {
			tellAll(s, proto.Text{Type: proto.TextChat, Author: n.body.Name, Message: e.Text})
		}
	}
}

// own tells a client what concerns its own player.
func (s *scene) own(c *conn, f *sim.Frame, e *sim.Event) {
	switch e.Kind {
	case sim.EventCorrected:
		if e.Rewind != nil {
			c.correct(e.Rewind)
		}
	case sim.EventStance:
		c.stance(e.Rewind)
	case sim.EventKnocked:
		c.knocked(e.Rewind)
	case sim.EventTeleported:
		c.teleport(e.Rewind)
	case sim.EventRespawned:
		c.respawned(f)
	case sim.EventTold:
		c.tellOne(e.Text)
	case sim.EventRefused:
		if text := refusalText(e.Reason); text != "" {
			send(c, proto.Text{Type: proto.TextTip, Message: text})
		}
	case sim.EventExpelled:
		c.fault("expelled_"+e.Reason.String(), nil)
		c.refuse("Disconnected: " + e.Reason.Sentence() + ".")
	case sim.EventDeparted:
		c.session.Arrive(e.To)
		c.leaveScene()
		c.expect(e.To)
	case sim.EventLeft: // not by this client's own doing, or it would be closed: the server stops, or it was taken out
		c.kick("You were taken out of the world.")
	}
}

// died tells a death.
func (s *scene) died(f *sim.Frame, e *sim.Event) {
	who := s.wire(e.Who)
	if who == 0 { // an NPC, which the frame no longer has
		for _, c := range s.members {
			if wire := c.sight.wires[e.Who]; c.scene == s && wire != 0 {
				send(c, proto.ActorEvent{Runtime: wire, Event: proto.EventDeath})
			}
		}
		return
	}
	tell(s, e.Who, proto.ActorEvent{Runtime: who, Event: proto.EventDeath})
	if c := s.member(e.Who); c != nil {
		by := ""
		if n := s.face(e.Other); n != nil {
			by = n.body.Name
		}
		c.died(f, by)
	}
}

// reborn shows somebody who lives again anew: clients have taken the dead away.
func (s *scene) reborn(e sim.EntityID) {
	n := s.face(e)
	if n == nil {
		return
	}
	for _, c := range s.members {
		if c.scene == s && c.session.Entity != e && c.sight.view.Shows(e) {
			c.hide(e)
			c.meet(n)
		}
	}
}

// refusalText is what a player reads when he may not. What he did not ask for by hand is not told.
func refusalText(r reason.Reason) string {
	switch r {
	case reason.NoPvP, reason.FriendlyRating, reason.NonCombatant, reason.WeaponBroken, reason.NoProjectile, reason.OutOfRange:
		s := r.Sentence()
		return strings.ToUpper(s[:1]) + s[1:] + "."
	}
	return ""
}

// tellOne lets the player read a line of the server.
func (c *conn) tellOne(text string) { send(c, proto.Text{Type: proto.TextSystem, Message: text}) }

// names lists the players here, for /who.
func (s *scene) names() string {
	var names []string
	for i := range s.faces {
		if b := s.faces[i].body; b.Character != 0 {
			names = append(names, b.Name)
		}
	}
	slices.Sort(names)
	const most = 40
	if len(names) > most {
		names = append(names[:most], "...")
	}
	return strings.Join(names, ", ")
}
