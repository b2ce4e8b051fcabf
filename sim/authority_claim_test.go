package sim

import (
	"math"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// Specification P_StandardUpdate checks, in this order, that the sender exists, that IgnoreUpdate is 0 and that Rider is Null.
// This server then refuses dead players.
func TestClaimsAreCheckedInSpecifiedOrder(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{})
	in := claimIntent(1, geom.Vec{X: 1})

	stranger := in
	stranger.Who = 99
	if e := s.expectRefusal(reason.Unknown, stranger); e.Who != 99 {
		t.Errorf("the refusal is of %d, want 99", e.Who)
	}
	x.ignoreClaimsUntil, x.rider, x.dead = s.a.now+100, 7, true
	x.respawnTick = s.a.now + 1000
	s.expectRefusal(reason.Warping, in)
	x.ignoreClaimsUntil = 0
	s.expectRefusal(reason.Ridden, in)
	x.rider = 0
	s.expectRefusal(reason.Dead, in)
	if x.pos != (geom.Vec{}) {
		t.Errorf("refused claims moved the actor to %v", x.pos)
	}
	x.dead = false
	s.step(in)
	if x.pos.X != 1 {
		t.Errorf("an allowed claim leaves the actor at %v", x.pos)
	}
}

// Specification P_StandardUpdate, "backward-running prevention": an actor that claims to run backward walks backward.
func TestClaimOfRunningBackwardIsTreatedAsWalking(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{})
	in := claimIntent(1, geom.Vec{})
	in.Claim.Running, in.Claim.Backward = true, true
	s.expectRefusal(reason.BackwardRun, in)
	if x.running || !x.backward {
		t.Errorf("running %v, backward %v; want walking backward", x.running, x.backward)
	}
}

// Specification P_StandardUpdate, "rider-mount synchronisation": after every claim of a rider the server copies the
// fields listed in docs/wire/rcce.md 5.1 to the mount.
func TestMountMovesWithEveryClaimOfItsRider(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{})
	m := s.npc(tmplHorse, geom.Vec{X: 3})
	s.ride(x, m)
	s.a.admitClaim(x, &Intent{Who: 1, AtMS: s.a.ms(), Claim: move.Claim{X: 1, Y: 1, Z: 1, DestX: 9, DestZ: 8, Backward: true}})
	if m.pos != x.pos || m.pos.X != 1 || m.destX != 9 || m.destZ != 8 || !m.backward || m.running != x.running {
		t.Errorf("rider at %v going to (%v, %v), mount at %v going to (%v, %v)", x.pos, x.destX, x.destZ, m.pos, m.destX, m.destZ)
	}
}

// Specification P_StandardUpdate, "speed-hack delta clamp": a claim may move an actor 0.15 x (share + 0.5) x ms units,
// where share is the actor's speed relative to the maximum. A claim that moves farther is rejected: X and Z stay at the
// previous position, but DestX, DestZ and Y are applied.
func TestRejectedClaimKeepsXAndZButAppliesHeightAndDestination(t *testing.T) {
	w := testWorld()
	w.Rules.Claim = move.OriginalClaimPolicy()
	s := newStage(t, w)
	x := s.player(1, geom.Vec{})
	s.step(claimIntent(1, geom.Vec{})) // the first claim sets the baseline
	in := claimIntent(1, geom.Vec{X: 46, Y: 3})
	in.AtMS = s.a.clock + 200
	in.Claim.DestX, in.Claim.DestZ = 0.2, 0.1 // the destination is so near that the server does not walk there
	e := s.expectEvent(EventHeld, in)
	if e.Reason != reason.TooFast || e.Asked != 46 || !near(e.Allowed, 45, 1e-4) || e.From.X != 46 || e.Pos.X != 0 {
		t.Errorf("held with %+v, want too_fast, asked 46 from X 46, allowed 45 at X 0", e)
	}
	if want := (geom.Vec{Y: 3}); x.pos != want || x.destX != 0.2 || x.destZ != 0.1 {
		t.Errorf("at %v going to (%v, %v), want %v and the claimed destination", x.pos, x.destX, x.destZ, want)
	}
	in.AtMS = s.a.clock + 200
	in.Claim.X = 44
	if s.step(in); x.pos.X == 0 {
		t.Error("44 units in 200 ms were held")
	}
}

// Specification P_StandardUpdate, "float clamp on every position field": invalid coordinates count as 0.
func TestClaimedCoordinateOutsideWorldIsReadAsZero(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{})
	for _, c := range []move.Claim{{DestX: nan}, {DestZ: inf}, {Y: -inf}, {X: 100000}, {Z: nan}} {
		s.expectRefusal(reason.NotFinite, Intent{Kind: IntentClaim, Who: 1, Claim: c})
		if x.pos != (geom.Vec{}) || x.destX != 0 || x.destZ != 0 {
			t.Errorf("%+v: at %v going to (%v, %v), want all 0", c, x.pos, x.destX, x.destZ)
		}
	}
}

// A client can neither have more than MaxIntentsPerTick intents executed in a tick nor cause more than one refusal for
// the excess intents.
func TestIntentsBeyondLimitPerTickAreRefusedWithOneEvent(t *testing.T) {
	s := newStage(t, testWorld())
	s.player(1, geom.Vec{})
	var ins []Intent
	for range MaxIntentsPerTick + 10 {
		ins = append(ins, Intent{Kind: IntentChat, Who: 1, Text: "hi"})
	}
	s.expectRefusal(reason.TooMuch, ins...)
	if n := len(events(s.f, EventChat)); n != MaxIntentsPerTick {
		t.Errorf("%d intents executed, want %d", n, MaxIntentsPerTick)
	}
	if s.step(ins[0]); len(events(s.f, EventChat)) != 1 {
		t.Error("the limit still applies in the next tick")
	}
}
