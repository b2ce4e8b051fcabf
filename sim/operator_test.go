package sim

import (
	"math"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

func freezeIntent(who EntityID, amount uint16) Intent {
	return Intent{Kind: IntentFreeze, Who: who, Amount: amount}
}

func TestOperatorTeleportMovesPlayer(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{})
	join := &Join{Portal: -1, Pos: geom.Vec{X: 40, Y: 2, Z: -30}, Yaw: 90}
	e := s.expectEvent(EventPlaced, Intent{Kind: IntentTeleport, Who: 1, To: 0, Join: join})
	if e.Pos != join.Pos || x.pos != join.Pos || x.yaw != 90 {
		t.Errorf("event has %v, player is at %v", e.Pos, x.pos)
	}
	e = s.expectEvent(EventDeparted, Intent{Kind: IntentTeleport, Who: 1, To: 1, Join: join})
	if e.To != 1 || e.Join.Pos != join.Pos || e.Join.Portal != -1 || e.Record.Area != s.w.Areas[1].Name {
		t.Errorf("departed with %+v to %d", e.Join, e.To)
	}
	if join.Character != nil {
		t.Error("the intent was changed")
	}
}

// The result of an operator's command has the command's serial number, even if the player left the area in the same tick.
func TestOperatorCommandIsAnsweredWithResultAndSerial(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{})
	elsewhere := Intent{Kind: IntentTeleport, Who: 1, To: 1, Join: &Join{Portal: -1}, Serial: 8}
	tell := Intent{Kind: IntentMessage, Who: 1, Text: "wait", Serial: 7}
	expect := func(name string, want []reason.Reason, in ...Intent) {
		t.Helper()
		got := events(s.step(in...), EventOrderDone)
		if len(got) != len(want) {
			t.Fatalf("%s: %+v", name, got)
		}
		for i, e := range got {
			if e.Who != 1 || e.Reason != want[i] || uint32(e.N) != in[len(in)-len(want)+i].Serial {
				t.Errorf("%s: %+v, want %v of %+v", name, e, want[i], in[i])
			}
		}
	}
	expect("here", []reason.Reason{reason.None, reason.None}, tell, freezeIntent(1, 0))
	x.dead = true
	expect("dead", []reason.Reason{reason.None, reason.Dead}, tell, elsewhere)
	x.dead = false
	expect("on the way", []reason.Reason{reason.None, reason.Unknown}, elsewhere, tell)
	expect("gone", []reason.Reason{reason.Unknown}, tell)
	s.player(1, geom.Vec{})
	expect("logged out", []reason.Reason{reason.Unknown, reason.Unknown}, Intent{Kind: IntentLeave, Who: 1}, tell, elsewhere)
	if messages := events(s.f, EventMessage); len(messages) != 0 {
		t.Errorf("messages %+v", messages)
	}
}

func TestOperatorTeleportToInvalidPlaceIsRefused(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{})
	for _, in := range []Intent{{To: 0}, {To: -1, Join: &Join{}}, {To: 99, Join: &Join{}}} {
		in.Kind, in.Who = IntentTeleport, 1
		s.expectRefusal(reason.Unknown, in)
	}
	nan := float32(math.NaN())
	s.step(Intent{Kind: IntentTeleport, Who: 1, Join: &Join{Portal: -1, Pos: geom.Vec{X: nan, Y: nan, Z: 7}, Yaw: nan}})
	if x.pos != (geom.Vec{Z: 7}) || x.yaw != 0 {
		t.Errorf("player at %v, yaw %v", x.pos, x.yaw)
	}
	x.dead = true
	s.expectRefusal(reason.Dead, Intent{Kind: IntentTeleport, Who: 1, Join: &Join{Portal: -1}})
}

// A freeze ends the fights of the player's pets, keeps portals from transferring the player and discards actions that
// were queued before the freeze.
func TestFreezeEndsPetFightsAndPreventsPortalTransferAndQueuedActions(t *testing.T) {
	t.Run("pets stop fighting", func(t *testing.T) {
		s := newStage(t, testWorld())
		x, cow := s.player(1, geom.Vec{}), s.npc(tmplCow, geom.Vec{X: 2})
		pet := s.a.find(s.pet(x, tmplWolf))
		s.expectEvent(EventAttacked, attackIntent(x, cow))
		if pet.mode != modePetChase {
			t.Fatalf("the pet is in mode %d", pet.mode)
		}
		s.step(freezeIntent(1, 1))
		s.run(3)
		if pet.mode != modePet || pet.target != 0 || x.target != 0 {
			t.Errorf("pet still fights in mode %d", pet.mode)
		}
	})
	t.Run("portals do not transfer the player", func(t *testing.T) {
		s := newStage(t, testWorld())
		x := s.player(1, geom.Vec{X: 60})
		s.step(freezeIntent(1, 1))
		x.place(geom.Vec{X: -100}, 0)
		if s.run(1); s.f.Find(1) == nil {
			t.Fatal("a portal took a frozen player")
		}
		s.expectEvent(EventDeparted, freezeIntent(1, 0))
	})
	t.Run("queued actions are dropped", func(t *testing.T) {
		s := newStage(t, predictWorld())
		k := s.predictClient(1, geom.Vec{})
		cow := s.npc(tmplCow, geom.Vec{X: 2})
		x := s.a.find(1)
		for range 5 {
			s.step(k.next(1))
		}
		predictOf(x).enqueue(s.a, x, action{kind: actionAttack, target: cow.id})
		predictOf(x).enqueue(s.a, x, action{kind: actionUse})
		s.step(freezeIntent(1, 1), k.next(1))
		for range 3 {
			s.step(k.next(1))
		}
		if x.lastAttackMS >= 0 || predictOf(x).Avatar.UsingItem {
			t.Errorf("attacked at %d, using %v", x.lastAttackMS, predictOf(x).Avatar.UsingItem)
		}
	})
}

// A client that knows that its player is frozen predicts correctly and is not corrected.
func TestFrozenPredictingClientIsNotCorrected(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	for range 10 {
		s.step(k.next(1))
	}
	s.step(freezeIntent(1, 1), k.next(1))
	stance := events(s.f, EventStance)
	if len(stance) != 1 || !stance[0].Rewind.State.Immobile {
		t.Fatalf("stance events %+v", stance)
	}
	k.avatar = k.state().Avatar
	s.step(Intent{Kind: IntentBarrierAck, Who: 1, Serial: stance[0].Rewind.Serial})
	for range 20 {
		if f := s.step(k.next(1)); len(events(f, EventCorrected)) > 0 {
			t.Fatalf("corrected: %+v", events(f, EventCorrected)[0])
		}
	}
	at := k.state().Avatar.Pos
	for range 10 {
		s.step(k.next(1))
	}
	if now := k.state().Avatar.Pos; geom.DistXZ(now, at) > 0.01 {
		t.Errorf("frozen player moved from %v to %v", at, now)
	}
}

func TestFrozenPlayerStaysFrozenAfterTransferAndSnapshot(t *testing.T) {
	s := newStage(t, testWorld())
	s.player(1, geom.Vec{})
	s.step(freezeIntent(1, 1))
	e := s.expectEvent(EventDeparted, Intent{Kind: IntentTeleport, Who: 1, To: 1, Join: &Join{Portal: -1}})
	other := NewArea(s.w, 1, 1)
	f := other.Step([]Intent{{Kind: IntentJoin, Who: 1, Join: e.Join}})
	if !f.Find(1).Is(FlagFrozen) {
		t.Error("transfer ended the freeze")
	}
	again, err := Restore(s.w, other.Snapshot(nil))
	if err != nil || !again.find(1).frozen || again.hash() != other.hash() {
		t.Errorf("snapshot loses the freeze: %v", err)
	}
	before := other.hash()
	other.find(1).frozen = false
	if other.hash() == before {
		t.Error("hash does not cover the freeze")
	}
}

func TestJumpOfPredictedPlayerEmitsOneEvent(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	for range 10 {
		if len(events(s.step(k.next(1)), EventJumped)) > 0 {
			t.Fatal("jump emitted while walking")
		}
	}
	jump := k.next(1)
	jump.Input.Flags = move.InputStartJump | move.InputJumping
	if e := s.expectEvent(EventJumped, jump); e.Who != 1 {
		t.Errorf("events %+v", e)
	}
	for range 5 {
		in := k.next(0)
		in.Input.Flags = move.InputJumping
		if len(events(s.step(in), EventJumped)) > 0 {
			t.Fatal("jump emitted again in the air")
		}
	}
}
