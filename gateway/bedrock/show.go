package bedrock

import (
	"slices"
	"strings"

	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// Show brings the scene up to a frame and tells its events. Where everybody is follows in broadcast.
func (s *scene) Show(f *sim.Frame) {
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
	s.fly(f.Tick)
	for _, c := range s.members {
		if c.scene != s || c.closed {
			continue
		}
		a := f.Find(c.session.Entity)
		if a == nil { // its events were missed: look for the player in every area
			c.leaveScene()
			c.w.scenes.Expect(c, gateway.AnyArea)
			continue
		}
		c.mortal(f)
		c.vitals(a)
	}
}

// event tells one event to exactly those who must know.
func (s *scene) event(f *sim.Frame, e *sim.Event) {
	if c := s.member(e.Who); c != nil {
		s.own(c, f, e)
	}
	switch e.Kind {
	case sim.EventAttacked:
		s.swing(e.Who)
		if e.N > 0 {
			s.happens(e.Other, proto.EventHurt)
		}
	case sim.EventShotFired:
		s.swing(e.Who)
	case sim.EventProjectile:
		s.shoot(f, e)
	case sim.EventJumped:
		s.hop(f, e.Who)
	case sim.EventDied:
		s.died(f, e)
	case sim.EventRespawned:
		s.reborn(e.Who)
	case sim.EventPlaced:
		s.taken(e.Who)
	case sim.EventChat:
		if n := s.face(e.Who); n != nil {
			tellAll(s, proto.Text{Type: proto.TextChat, Author: n.name, Message: clean(gateway.Legible(e.Text))})
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
	case sim.EventKnockback:
		c.knocked(e.Rewind)
	case sim.EventTeleported: // the ground first, or a client that replays what it did since falls through it (CH-1)
		c.walkGround(s.def, s.id, e.Rewind.State.Pos, firstColumns)
		c.teleport(e.Rewind)
	case sim.EventRespawned:
		c.respawned(f)
	case sim.EventMessage:
		c.tellOne(gateway.Legible(e.Text))
	case sim.EventXP:
		send(c, proto.Text{Type: proto.TextTip, Message: gateway.Gained(e.Value)})
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
		c.w.scenes.Expect(c, e.To)
	case sim.EventLeft: // not by this client's own doing, or it would be closed: the server stops, or it was taken out
		c.leaveScene()
		c.lastWord = c.w.g.nowMS() + lastWordAfter
	}
}

// died tells a death.
func (s *scene) died(f *sim.Frame, e *sim.Event) {
	s.happens(e.Who, proto.EventDeath)
	a := f.Find(e.Who)
	if a == nil { // no player, or gone
		for _, c := range s.members {
			if c.scene == s {
				c.lay(e.Who, f.Tick)
			}
		}
		return
	}
	if c := s.member(e.Who); c != nil {
		by := ""
		if n := s.face(e.Other); n != nil {
			by = n.name
		}
		c.died(a, by)
	}
}

// happens tells everybody who sees the actor, its own player included, that something happened to it. A frame that tells
// the end of an NPC no longer has it, but clients do.
func (s *scene) happens(e sim.EntityID, what uint8) {
	for _, c := range s.members {
		if wire := s.knows(c, e); wire != 0 {
			send(c, proto.ActorEvent{Runtime: wire, Event: what})
		}
	}
}

// swing moves the arm of an actor. A player's own client has done so by itself.
func (s *scene) swing(e sim.EntityID) {
	for _, c := range s.members {
		if wire := s.knows(c, e); wire != 0 && wire != c.id {
			send(c, proto.Animate{Action: proto.AnimateSwing, Runtime: wire})
		}
	}
}

// knows is the number by which a member's client knows an actor, 0 if it does not.
func (s *scene) knows(c *conn, e sim.EntityID) uint64 {
	switch {
	case c.scene != s:
		return 0
	case c.session.Entity == e:
		return c.id
	}
	return c.sight.wires[e]
}

// reborn shows somebody who lives again anew: clients have taken the dead away.
func (s *scene) reborn(e sim.EntityID) {
	n := s.face(e)
	if n == nil {
		return
	}
	for _, c := range s.members {
		if c.scene == s && c.session.Entity != e && c.sight.view.Contains(e) {
			c.hide(e)
			c.meet(n)
			c.mountUp(s, n)
		}
	}
}

// refusalText is what a player reads when he may not. What he did not ask for by hand is not told.
func refusalText(r reason.Reason) string {
	switch r {
	case reason.NoPvP, reason.FriendlyRating, reason.NonCombatant, reason.WeaponBroken, reason.NoProjectile, reason.OutOfRange, reason.Covered:
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
			names = append(names, s.faces[i].name)
		}
	}
	slices.Sort(names)
	const most = 40
	if len(names) > most {
		names = append(names[:most], "...")
	}
	return strings.Join(names, ", ")
}
