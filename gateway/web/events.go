package web

import (
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// sendEvent sends one event of a frame to the clients in the scene that need it.
func (s *scene) sendEvent(f *sim.Frame, e *sim.Event) {
	switch p := s.w.players[e.Who]; {
	case p == nil:
	case p.scene == s:
		s.sendOwnEvent(p, f, e)
	case p.former == s:
		p.sendResult(e) // e may be the result of the request that has moved the player to another area
	}
	out := proto.Event{Tick: uint32(f.Tick)}
	switch e.Kind {
	case sim.EventAttacked:
		out.Kind, out.Value = proto.EventStruck, e.N
	case sim.EventShotFired:
		out.Kind = proto.EventShot
	case sim.EventDied:
		out.Kind, out.Text = proto.EventDied, cleanText(e.Text)
	case sim.EventChat:
		out.Kind, out.Text = proto.EventSaid, cleanText(e.Text)
	case sim.EventJumped:
		out.Kind = proto.EventJumped
		s.startJump(f, e.Who)
	case sim.EventRespawned:
		out.Kind = proto.EventRespawn
		s.markPlaced(e.Who)
	case sim.EventPlaced:
		s.markPlaced(e.Who)
		return
	case sim.EventGame:
		for _, p := range s.clients {
			if p.scene == s && p.welcomed {
				s.sendGameEvent(f, e, p)
			}
		}
		return
	default:
		return
	}
	for _, p := range s.clients {
		if p.scene != s || !p.welcomed {
			continue
		}
		out.Who, out.Other = p.handles.handle(e.Who), p.handles.handle(e.Other)
		if out.Who != proto.NoHandle || out.Other != proto.NoHandle || e.Kind == sim.EventChat {
			p.send(&out)
		}
	}
}

// markPlaced records that an actor was moved without walking, for example by a teleport. It inverts flagJump in the actor's
// state: clients compare this flag with the previous one and then do not interpolate between the old and the new position.
func (s *scene) markPlaced(e sim.EntityID) {
	if av := s.find(e); av != nil {
		av.placed = !av.placed
		av.state[5] ^= flagJump
	}
}

// startJump makes clients display an arc for a jump of an actor, or of its mount. It does nothing for simulated bodies and
// vehicles, because their positions already include the height of a jump.
func (s *scene) startJump(f *sim.Frame, e sim.EntityID) {
	a := f.Find(e)
	if a != nil && a.Mount != 0 {
		a = f.Find(a.Mount)
	}
	if a == nil || f.AvatarOf(a) != nil || f.FindVehicle(a.ID) != nil {
		return
	}
	if av := s.find(a.ID); av != nil && av.jumpTick == 0 {
		av.jumpTick = f.Tick
	}
}

// sendOwnEvent sends the client p an event about its own player.
func (s *scene) sendOwnEvent(p *player, f *sim.Frame, e *sim.Event) {
	switch e.Kind {
	case sim.EventCorrected:
		p.sendOwn(proto.OwnCorrected, e.Reason, e.Rewind)
	case sim.EventStance, sim.EventEffect:
		p.sendOwn(proto.OwnStance, e.Reason, e.Rewind)
	case sim.EventKnockback:
		p.sendOwn(proto.OwnKnockback, e.Reason, e.Rewind)
	case sim.EventTeleported:
		p.sendOwn(proto.OwnTeleported, e.Reason, e.Rewind)
	case sim.EventAttacked, sim.EventShotFired, sim.EventCommand, sim.EventRefused:
		p.sendResult(e)
	case sim.EventMessage:
		p.send(&proto.Event{Tick: uint32(f.Tick), Kind: proto.EventTold, Who: proto.NoHandle, Other: proto.NoHandle, Value: e.N, Text: cutText(e.Text, maxTold)})
	case sim.EventXP:
		p.send(&proto.Event{Tick: uint32(f.Tick), Kind: proto.EventXP, Who: proto.NoHandle, Other: proto.NoHandle, Value: e.Value})
	case sim.EventExpelled: // this event repeats in every tick until the player leaves or lingers
		if p.expelled {
			return
		}
		p.expelled = true
		s.w.g.door.Bad.With("expelled_" + e.Reason.String()).Inc()
		// A session ends with the reason Frozen if nothing has arrived from the client for some time. The connection is then
		// lost, even if TCP reports that only minutes later. The actor stays in the world, so the client may resume the session.
		if e.Reason == reason.Frozen {
			p.bye(proto.ByeSlow, true, "The connection was lost.")
			return
		}
		p.left.Store(true)
		p.bye(proto.ByeKicked, false, "Disconnected: "+e.Reason.Sentence()+".")
	case sim.EventDeparted:
		p.session.SetArea(e.To)
		p.leaveScene()
		s.w.scenes.Expect(p, e.To)
	case sim.EventLeft:
		p.leaveScene()
		p.farewellAt = s.w.g.nowMS() + farewellDelay
	}
}

// sendResult answers a request of the client if the event contains its result.
func (p *player) sendResult(e *sim.Event) {
	switch e.Kind {
	case sim.EventAttacked, sim.EventShotFired:
		p.settle(e.Other, reason.None, 0, 0)
	case sim.EventCommand:
		p.settleCommand(e)
	case sim.EventRefused:
		if sim.IntentKind(e.N) == sim.IntentCommand {
			p.settleCommand(e)
			return
		}
		seen := e.Reason == reason.SeenLongAgo || e.Reason == reason.SeenAhead // the result of the attack itself follows in another event
		if e.Other != 0 && !seen {
			p.settle(e.Other, e.Reason, e.Asked, e.Allowed)
		}
	}
}

// farewellDelay is the time in ms between the removal of a player from the world and the end of its connection. If the server
// stops within this time, the client is told that the server stops, which is then the reason for the removal.
const farewellDelay = 500

// sendOwn sends the client a state of its own player. The parameter r contains the state and the client tick for which it is. The
// parameter "what" is the cause, for example a correction or a knockback.
func (p *player) sendOwn(what proto.OwnKind, why reason.Reason, r *sim.Rewind) {
	if r == nil || !p.welcomed {
		return
	}
	if r.Serial != 0 {
		p.addBarrier(r.Serial)
	}
	p.send(&proto.Own{Tick: uint32(r.Tick), Serial: uint16(r.Serial), Reason: uint8(why), What: what, Avatar: avatarOf(&r.State)})
}
