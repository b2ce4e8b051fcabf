package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// Rule SV-22 of docs/wire/bedrock.md: only the use of a ranged weapon slows the player, so use intents for other items
// are refused.
func TestUseIntentIsAcceptedForRangedWeaponsOnly(t *testing.T) {
	for item, want := range map[uint16]bool{itemBow: true, itemSword: false, NoItem: false} {
		s := newStage(t, predictWorld())
		k := s.predictClient(1, geom.Vec{})
		if item != NoItem {
			k.x.inv[SlotWeapon] = ItemStack{Item: item, Amount: 1, Health: 100}
		}
		s.a.updateEquipment(k.x)
		s.step(Intent{Kind: IntentUseItem, Who: 1, Amount: 1}, k.next(0))
		if got := k.state().Avatar.UsingItem; got != want {
			t.Errorf("item %d: in use %v, want %v", item, got, want)
		}
	}
}

// Rule SV-14 of docs/wire/bedrock.md: the acknowledgement of a barrier takes effect in its order among the inputs, because the
// client had learnt of the change when it made the later inputs.
func TestBarrierAckTakesEffectOnlyAfterEarlierInputs(t *testing.T) {
	s := newStage(t, predictWorld())
	s.w.Rules.Predict.MinDelay = 0
	k := s.predictClient(1, geom.Vec{})
	s.step(k.next(1))
	e := s.expectEvent(EventCorrected, k.mispredict(0.6))
	for range 3 { // no error is corrected before the acknowledgement
		if s.step(k.mispredict(0.6)); len(events(s.f, EventCorrected)) > 0 {
			t.Fatal("corrected again before the acknowledgement")
		}
	}
	answer := Intent{Kind: IntentBarrierAck, Who: 1, Serial: e.Rewind.Serial}
	other := answer
	other.Serial++
	for range 3 {
		if s.step(other, k.mispredict(0.6)); len(events(s.f, EventCorrected)) > 0 {
			t.Fatal("the acknowledgement of another barrier counts")
		}
	}
	if s.step(answer, k.mispredict(0.6)); len(events(s.f, EventCorrected)) > 0 {
		t.Fatal("the input that came with the acknowledgement is corrected")
	}
	if e := s.expectEvent(EventCorrected, k.mispredict(0.6)); e.Reason != reason.Mispredicted {
		t.Errorf("got %v", e.Reason)
	}
}

// knockbackOf applies to player y, outside of a tick, the knockback of a hit by the actor "by", and returns the new velocity of y.
func (s *stage) knockbackOf(y, by *actor) geom.Vec {
	s.a.frame = &Frame{}
	y.authority.knockback(s.a, y, by)
	s.a.frame = nil
	return predictOf(y).Avatar.Vel
}

// Knockback points away from the attacker in every direction. East is +X in world units and in blocks. North is +Z in
// world units and -Z in blocks.
func TestKnockbackPointsAwayFromAttacker(t *testing.T) {
	const away = 0.4
	for name, c := range map[string]struct{ from, want geom.Vec }{
		"from the west":  {geom.Vec{X: -3.5}, geom.Vec{X: away, Y: 0.4}},
		"from the east":  {geom.Vec{X: 3.5}, geom.Vec{X: -away, Y: 0.4}},
		"from the south": {geom.Vec{Z: -3.5}, geom.Vec{Y: 0.4, Z: -away}},
		"from the north": {geom.Vec{Z: 3.5}, geom.Vec{Y: 0.4, Z: away}},
		"from inside":    {geom.Vec{}, geom.Vec{Y: 0.4}},
	} {
		s := newStage(t, predictWorld())
		k := s.predictClient(1, geom.Vec{})
		s.step(k.next(0))
		by := s.player(2, c.from)
		got := s.knockbackOf(k.x, by)
		if !near(got.X, c.want.X, 1e-6) || !near(got.Y, c.want.Y, 1e-6) || !near(got.Z, c.want.Z, 1e-6) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A player that has not acknowledged a teleport stays at the destination of the teleport when it is hit. After the
// acknowledgement, hits push it again.
func TestKnockbackBeforeTeleportAckIsIgnored(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	by := s.player(2, geom.Vec{X: -3.5})
	s.step(k.next(0))
	k.tick += 500
	s.expectEvent(EventTeleported, k.next(0))
	held, serial := predictOf(k.x).Avatar, predictOf(k.x).serial
	s.knockbackOf(k.x, by)
	if predictOf(k.x).Avatar != held || predictOf(k.x).serial != serial {
		t.Errorf("pushed to %+v", predictOf(k.x).Avatar.Vel)
	}
	ack := k.next(0)
	ack.Input.Flags |= move.InputHandledTeleport
	s.step(ack)
	if s.knockbackOf(k.x, by) == held.Vel {
		t.Error("no knockback after the acknowledgement")
	}
}

// Rule SV-14 of docs/wire/bedrock.md: a client that does not know its new speed yet is not corrected because of the
// difference.
func TestInputsAreNotCorrectedForSpeedChangeBeforeBarrierAck(t *testing.T) {
	s := newStage(t, predictWorld())
	s.w.Rules.Predict.Threshold = 0.01
	k := s.predictClient(1, geom.Vec{})
	s.step(k.next(1))
	speed := &k.x.attr[s.w.Roles.Speed].Value
	*speed /= 2
	e := s.expectEvent(EventStance, k.next(1))
	for i := range 10 {
		if s.step(k.next(1)); len(events(s.f, EventCorrected)) > 0 {
			t.Fatalf("corrected %d inputs after the change, before the client can know it", i+1)
		}
	}
	s.step(Intent{Kind: IntentBarrierAck, Who: 1, Serial: e.Rewind.Serial}, k.next(1))
	if s.step(k.next(1)); len(events(s.f, EventCorrected)) != 1 {
		t.Error("client that knows the new speed and ignores it is not corrected")
	}
}
