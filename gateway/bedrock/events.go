package bedrock

import (
	"slices"
	"strings"

	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// Show updates the scene to a frame and sends the frame's events. Broadcast sends the positions of actors afterwards.
func (s *scene) Show(f *sim.Frame) {
	s.tick = f.Tick
	s.syncActors(f)
	for _, c := range s.clients {
		if c.scene == s {
			if p := f.FindAvatar(c.session.Entity); p != nil {
				c.inputTick = p.Prediction.Tick
			}
		}
	}
	for i := range f.Events {
		s.sendEvent(f, &f.Events[i])
	}
	s.moveProjectiles(f.Tick)
	for _, c := range s.clients {
		if c.scene != s || c.closed {
			continue
		}
		a := f.Find(c.session.Entity)
		if a == nil { // the player may have left in a frame that this worker missed, so it may appear in any area
			c.leaveSceneFor(gateway.AnyArea)
			continue
		}
		c.syncRide(s, f)
		c.syncDeath(f)
		c.sendHealth(a)
		c.syncOwnEquipment()
	}
}

// sendEvent sends one event to the clients that need it.
func (s *scene) sendEvent(f *sim.Frame, e *sim.Event) {
	if c := s.clientOf(e.Who); c != nil {
		s.sendOwnEvent(c, f, e)
	}
	switch e.Kind {
	case sim.EventAttacked:
		s.sendSwing(e.Who)
		if e.N > 0 {
			s.sendActorEvent(e.Other, proto.EventHurt)
		}
	case sim.EventShotFired:
		s.sendSwing(e.Who)
	case sim.EventProjectile:
		s.spawnProjectile(f, e)
	case sim.EventJumped:
		s.startJump(f, e.Who)
	case sim.EventDied:
		s.sendActorDeath(f, e)
	case sim.EventRespawned:
		s.reshowActor(e.Who)
	case sim.EventPlaced:
		s.sendRelocation(e.Who)
	case sim.EventChat:
		if av := s.find(e.Who); av != nil {
			sendToAll(s, proto.Text{Type: proto.TextChat, Author: av.name, Message: cleanText(e.Text)})
		}
	}
}

// sendOwnEvent sends a client an event about its own player.
func (s *scene) sendOwnEvent(c *conn, f *sim.Frame, e *sim.Event) {
	switch e.Kind {
	case sim.EventCorrected:
		if e.Rewind != nil {
			c.sendCorrection(e.Rewind)
		}
	case sim.EventStance:
		c.sendStance(e.Rewind)
		if e.Reason != reason.None {
			c.resendEffects(f.FindAvatar(e.Who), e.Rewind)
		}
	case sim.EventMounted:
		if e.Rewind != nil {
			c.sendMounted(s, e.Other, uint8(e.N), e.Rewind)
		}
	case sim.EventDismounted:
		if e.Rewind != nil {
			c.sendDismounted(e.Rewind)
		}
	case sim.EventEffect:
		c.sendEffect(e)
	case sim.EventKnockback:
		c.sendKnockback(e.Rewind)
	case sim.EventTeleported:
		// Send chunks before the teleport. A client without ground at the new position would replay its inputs there as a
		// fall (rule CH-1 of docs/wire/bedrock.md).
		c.syncChunks(s.def, s.id, e.Rewind.State.Pos, firstChunks)
		c.sendTeleport(e.Rewind)
	case sim.EventRespawned:
		c.sendRespawn(f)
	case sim.EventMessage:
		if e.N == sim.ToneAnnouncement {
			send(c, proto.Text{Type: proto.TextAnnouncement, Author: gateway.AnnouncementAuthor, Message: e.Text})
			return
		}
		c.sendSystemText(e.Text)
	case sim.EventXP:
		send(c, proto.Text{Type: proto.TextTip, Message: gateway.ExperienceText(e.Value)})
	case sim.EventRefused:
		if text := gateway.CommandRefusal(e); text != "" {
			c.sendSystemText(text)
			return
		}
		c.answerRefusedRide(e)
		if text := actionRefusalText(e.Reason); text != "" {
			send(c, proto.Text{Type: proto.TextTip, Message: text})
		}
	case sim.EventExpelled:
		c.reportFault("expelled_"+e.Reason.String(), nil)
		c.kick("Disconnected: " + e.Reason.Sentence() + ".")
	case sim.EventDeparted:
		c.session.SetArea(e.To)
		c.leaveSceneFor(e.To)
	case sim.EventLeft: // the player was removed or the server stops; after a logout, the connection is already closed
		c.leaveScene()
		c.farewellAt = c.w.g.nowMS() + farewellDelay
	}
}

// sendActorDeath makes clients display the death of an actor.
func (s *scene) sendActorDeath(f *sim.Frame, e *sim.Event) {
	s.sendActorEvent(e.Who, proto.EventDeath)
	a := f.Find(e.Who)
	if a == nil { // the dead actor has left the area in this frame: an NPC, or a player
		for _, c := range s.clients {
			if c.scene == s {
				c.startDeathAnimation(e.Who, f.Tick)
			}
		}
		return
	}
	if c := s.clientOf(e.Who); c != nil {
		by := ""
		if av := s.find(e.Other); av != nil {
			by = av.name
		}
		c.sendDeath(a, by)
	}
}

// sendActorEvent sends an ActorEvent packet to all clients that display the actor, and to the actor's own client. It works for
// actors that are not in the frame, such as an NPC that has just died.
func (s *scene) sendActorEvent(e sim.EntityID, what uint8) {
	for _, c := range s.clients {
		if wire := s.runtimeIDFor(c, e); wire != 0 {
			send(c, proto.ActorEvent{Runtime: wire, Event: what})
		}
	}
}

// sendSwing makes clients display an arm swing of an actor. The actor's own client is not sent the swing, because it has
// already displayed it.
func (s *scene) sendSwing(e sim.EntityID) {
	for _, c := range s.clients {
		if wire := s.runtimeIDFor(c, e); wire != 0 && wire != c.runtimeID {
			send(c, proto.Animate{Action: proto.AnimateSwing, Runtime: wire})
		}
	}
}

// runtimeIDFor returns the runtime id of an actor on a client, or 0 if the client does not display the actor.
func (s *scene) runtimeIDFor(c *conn, e sim.EntityID) uint64 {
	switch {
	case c.scene != s:
		return 0
	case c.session.Entity == e:
		return c.runtimeID
	}
	return c.view.runtimeIDs[e]
}

// reshowActor sends a respawned actor to the clients again, because clients remove an actor from their display when it dies.
func (s *scene) reshowActor(e sim.EntityID) {
	av := s.find(e)
	if av == nil {
		return
	}
	for _, c := range s.clients {
		if c.scene == s && c.session.Entity != e && c.view.interest.Contains(e) {
			c.hideActor(e)
			c.showActor(av)
			c.linkRiding(s, av)
		}
	}
}

// actionRefusalText returns the text that tells a player why an action was refused. It returns "" if the player cannot have
// intended the action and would not understand the text.
func actionRefusalText(r reason.Reason) string {
	switch r {
	case reason.NoPvP, reason.FriendlyRating, reason.NonCombatant, reason.WeaponBroken, reason.NoProjectile, reason.OutOfRange, reason.Covered, reason.SeatTaken:
		s := r.Sentence()
		return strings.ToUpper(s[:1]) + s[1:] + "."
	}
	return ""
}

// sendSystemText sends a client a chat line whose author is the server.
func (c *conn) sendSystemText(text string) {
	send(c, proto.Text{Type: proto.TextSystem, Message: text})
}

// playerNames returns the names of the area's players, for the command /who.
func (s *scene) playerNames() string {
	var names []string
	for i := range s.actors {
		if b := s.actors[i].body; b.Character != 0 {
			names = append(names, s.actors[i].name)
		}
	}
	slices.Sort(names)
	const most = 40
	if len(names) > most {
		names = append(names[:most], "...")
	}
	return strings.Join(names, ", ")
}
