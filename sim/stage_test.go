package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
)

// stage is an area under test and its last frame. Intents without a time get the time of the tick in which they are
// submitted.
type stage struct {
	t *testing.T
	w *World
	a *Area
	f *Frame
}

func newStage(t *testing.T, w *World) *stage {
	t.Helper()
	return &stage{t: t, w: w, a: NewArea(w, 0, 1)}
}

// step advances the area by one tick.
func (s *stage) step(ins ...Intent) *Frame {
	for i := range ins {
		if ins[i].AtMS == 0 {
			ins[i].AtMS = s.a.ms() + 1000/int64(s.w.TicksPerSecond)
		}
	}
	s.f = s.a.Step(ins)
	return s.f
}

// run advances the area by the given number of seconds without intents.
func (s *stage) run(seconds float32) *Frame {
	for range int(seconds * float32(s.w.TicksPerSecond)) {
		s.step()
	}
	return s.f
}

// until steps until a frame has an event of a kind, and returns the event. It fails the test if none occurs within the
// given number of seconds.
func (s *stage) until(kind EventKind, seconds int) Event {
	s.t.Helper()
	for range seconds * s.w.TicksPerSecond {
		if found := events(s.step(), kind); len(found) > 0 {
			return found[0]
		}
	}
	s.t.Fatalf("no event of kind %d within %d s", kind, seconds)
	return Event{}
}

// player logs in a human that may claim and attack immediately, and disables autosaves of this player.
func (s *stage) player(who EntityID, pos geom.Vec) *actor {
	s.step(joinAt(s.w, who, pos))
	x := s.a.find(who)
	x.ignoreClaimsUntil, x.lastAttackMS, x.saveTick = 0, -1_000_000, 1<<40
	return x
}

// npc adds an NPC that may attack immediately.
func (s *stage) npc(template uint16, pos geom.Vec) *actor {
	x := npc(s.a, template, pos)
	x.lastAttackMS = -1_000_000
	return x
}

// ride makes a player mount an actor beside it.
func (s *stage) ride(x, mount *actor) {
	s.t.Helper()
	s.expectEvent(EventMounted, Intent{Kind: IntentInteract, Who: x.id, Target: mount.id})
}

// health sets the health of an actor.
func (s *stage) health(x *actor, v int32) *actor {
	x.attr[attrHealth].Value = v
	return x
}

// expectEvent steps with the intents and returns the only event of the given kind. It fails the test if there is none or
// more than one.
func (s *stage) expectEvent(kind EventKind, ins ...Intent) Event {
	s.t.Helper()
	found := events(s.step(ins...), kind)
	if len(found) != 1 {
		s.t.Fatalf("%d events of kind %d, want 1; all: %+v", len(found), kind, s.f.Events)
	}
	return found[0]
}

// expectRefusal steps with the intents and returns the only refusal. It fails the test unless the frame has exactly one
// refusal, with the given reason.
func (s *stage) expectRefusal(why reason.Reason, ins ...Intent) Event {
	s.t.Helper()
	e := s.expectEvent(EventRefused, ins...)
	if e.Reason != why {
		s.t.Fatalf("refused for %q, want %q", e.Reason, why)
	}
	return e
}

// kinds returns the kinds of the frame's events, in order.
func (f *Frame) kinds() []EventKind {
	var ks []EventKind
	for _, e := range f.Events {
		ks = append(ks, e.Kind)
	}
	return ks
}

// claimIntent returns a claim of a position, without a destination.
func claimIntent(who EntityID, at geom.Vec) Intent {
	return Intent{Kind: IntentClaim, Who: who, Claim: move.Claim{X: at.X, Y: at.Y, Z: at.Z, DestX: at.X, DestZ: at.Z}}
}

// walkClaim returns a claim of the actor's current position with a destination.
func walkClaim(x *actor, destX, destZ float32, running bool) Intent {
	in := claimIntent(x.id, x.pos)
	in.Claim.DestX, in.Claim.DestZ, in.Claim.Running = destX, destZ, running
	return in
}

func attackIntent(x, y *actor) Intent { return Intent{Kind: IntentAttack, Who: x.id, Target: y.id} }

// near reports whether two numbers differ by at most tolerance.
func near(p, q, tolerance float32) bool { return geom.Abs(p-q) <= tolerance }

// killer returns a player that stands beside the actor and kills it with its next attack.
func (s *stage) killer(y *actor) *actor {
	x := s.player(1000+y.id%100, y.pos)
	x.ratings[y.homeFaction] = 100
	s.health(y, 1)
	s.advanceRNG(func(r *rng.Stream) bool { return r.Between(1, 100) > 10 })
	return x
}

// advanceRNG advances the area's random stream until wanted returns true for a copy of it.
func (s *stage) advanceRNG(wanted func(*rng.Stream) bool) {
	for {
		next := *s.a.rng
		if wanted(&next) {
			return
		}
		s.a.rng.Uint32()
	}
}

// pet gives a player a pet of the given template and returns the pet's id.
func (s *stage) pet(x *actor, template uint16) EntityID {
	s.a.beginFrame()
	y := s.a.spawnPet(x, Pet{Template: template})
	y.lastAttackMS = -1_000_000
	s.a.publish()
	return y.id
}

// pathOf returns the authority of a player, which must be a path authority.
func pathOf(x *actor) *pathAuthority { return x.authority.(*pathAuthority) }

// predictOf returns the authority of a player, which must be a predict authority.
func predictOf(x *actor) *predictAuthority { return x.authority.(*predictAuthority) }

// routeOf returns the route of an NPC, or nil if it has none.
func routeOf(x *actor) *route { return x.authority.(*goalAuthority).route }
