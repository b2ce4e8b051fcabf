package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// effectWorld returns predictWorld with two items: using item 0 gives an effect; wearing item 1 gives slow falling and
// allows gliding.
func effectWorld(use Effect) *World {
	w := predictWorld()
	w.Items[0].Use, w.Items[0].UseDelayMS = []Effect{use}, 100
	w.Items[1].Worn, w.Items[1].Glides = []Effect{{Kind: EffectSlowFalling, Level: 1}}, true
	return w
}

// effectClient logs in a predicting player that has item 0 in hand, and sends its first input.
func effectClient(s *stage, at geom.Vec) *predictClient {
	k := s.predictClient(1, at)
	k.x.inv[SlotWeapon] = ItemStack{Item: s.w.Items[0].ID, Amount: 1, Health: 100}
	s.a.updateEquipment(k.x)
	s.step(k.next(0))
	return k
}

// use returns the intent of using the item in hand.
func (k *predictClient) use() Intent { return Intent{Kind: IntentUseItem, Who: k.x.id, Amount: 1} }

// effectEvents returns the effect events of one kind of effect in a frame.
func effectEvents(f *Frame, kind EffectKind) (found []Event) {
	for _, e := range events(f, EventEffect) {
		if e.Type == uint8(kind) {
			found = append(found, e)
		}
	}
	return found
}

func TestUsedItemGivesEffectForConfiguredDuration(t *testing.T) {
	for kind, level := range map[EffectKind]func(a *move.Avatar) float32{
		EffectSpeed:       func(a *move.Avatar) float32 { return (a.Speed/move.WalkSpeed - 1) * 5 },
		EffectSlowness:    func(a *move.Avatar) float32 { return (1 - a.Speed/move.WalkSpeed) / 0.15 },
		EffectJumpBoost:   func(a *move.Avatar) float32 { return float32(a.JumpBoost) },
		EffectLevitation:  func(a *move.Avatar) float32 { return float32(a.Levitation) },
		EffectSlowFalling: func(a *move.Avatar) float32 { return float32(a.SlowFalling) },
	} {
		s := newStage(t, effectWorld(Effect{Kind: kind, Level: 2, Ticks: 30}))
		k := effectClient(s, geom.Vec{})
		tick := k.tick
		s.step(k.use(), k.next(0))
		got := effectEvents(s.f, kind)
		if len(got) != 1 || got[0].N != 2 || got[0].Value != 30 || got[0].Rewind.Tick != tick || got[0].Rewind.Serial == 0 {
			t.Fatalf("effect %d: %+v, want level 2 for 30 ticks from tick %d with a barrier", kind, got, tick)
		}
		if n := level(&k.state().Avatar); !near(n, 2, 1e-3) {
			t.Errorf("effect %d: the avatar has level %v", kind, n)
		}
		if len(events(s.f, EventStance)) > 0 {
			t.Errorf("effect %d: told as a changed stance too", kind)
		}
		for k.tick < tick+29 {
			s.step(k.next(0))
			if n := len(effectEvents(s.f, kind)); n > 0 {
				t.Fatalf("effect %d: told again at tick %d", kind, k.tick-tick)
			}
		}
		s.step(k.next(0))
		if got = effectEvents(s.f, kind); len(got) != 1 || got[0].N != 0 || got[0].Rewind.Tick != tick+30 || got[0].Rewind.Serial == 0 {
			t.Errorf("effect %d: %+v, want its end at tick %d", kind, got, tick+30)
		}
		if n := level(&k.state().Avatar); !near(n, 0, 1e-3) {
			t.Errorf("effect %d: the avatar keeps level %v", kind, n)
		}
	}
}

func TestEquippedItemGivesEffectUntilItIsRemoved(t *testing.T) {
	s := newStage(t, effectWorld(Effect{}))
	k := effectClient(s, geom.Vec{})
	worn := ItemStack{Item: s.w.Items[1].ID, Amount: 1, Health: 100}
	k.x.inv[SlotChest] = worn
	s.a.updateEquipment(k.x)
	s.step(k.next(0))
	if got := effectEvents(s.f, EffectSlowFalling); len(got) != 1 || got[0].N != 1 || got[0].Value != -1 || k.state().Avatar.SlowFalling != 1 || !k.state().Avatar.MayGlide {
		t.Fatalf("worn: %+v, avatar %+v", got, k.state().Avatar)
	}
	for range 200 {
		s.step(k.next(0))
	}
	if k.state().Prediction.Effects[EffectSlowFalling] != (ActiveEffect{1, -1}) {
		t.Errorf("after 200 ticks: %+v", k.state().Prediction.Effects)
	}
	k.x.inv[SlotChest].Health = 0 // broken
	s.a.updateEquipment(k.x)
	s.step(k.next(0))
	if got := effectEvents(s.f, EffectSlowFalling); len(got) != 1 || got[0].N != 0 || k.state().Avatar.SlowFalling != 0 || k.state().Avatar.MayGlide {
		t.Errorf("broken: %+v, avatar %+v", got, k.state().Avatar)
	}
}

func TestEffectZoneGivesAndRenewsEffectOfPlayerInside(t *testing.T) {
	w := effectWorld(Effect{})
	w.Areas[areaField].Zones = []EffectZone{{Min: geom.Vec{X: -9, Y: -9, Z: -9}, Max: geom.Vec{X: 9, Y: 9, Z: 9}, Effect: Effect{Kind: EffectSpeed, Level: 1, Ticks: 60}}}
	s := newStage(t, w)
	k := effectClient(s, geom.Vec{})
	// The zone gives the effect for 60 ticks. The first input has already counted one of them.
	if got := effectEvents(s.f, EffectSpeed); len(got) != 1 || got[0].N != 1 || got[0].Value != 59 || got[0].Rewind.Serial == 0 {
		t.Fatalf("on entering: %+v", got)
	}
	renewals := 0
	for range 100 {
		s.step(k.next(0))
		for _, e := range effectEvents(s.f, EffectSpeed) {
			if renewals++; e.N != 1 || e.Value != 60 || e.Rewind.Serial != 0 {
				t.Fatalf("inside: %+v", e)
			}
		}
	}
	if renewals != 5 {
		t.Errorf("renewed %d times in 100 ticks, want every 20", renewals)
	}
	s.a.beginFrame()
	s.a.transfer(k.x, 0, &Join{Portal: -1, Pos: geom.Vec{X: 35}})
	s.a.publish()
	left := 0
	for ; k.state().Prediction.Effects[EffectSpeed].Level > 0; left++ {
		if s.step(k.next(0)); left > 100 {
			t.Fatal("the effect never ends")
		}
	}
	if left < 40 || left > 60 {
		t.Errorf("lasts %d ticks outside", left)
	}
}

// Doors other than Bedrock represent speed and slowness effects by the speed attribute. Such effects are counted down by
// the ticks of the area, not by those of a client.
func TestSpeedEffectChangesSpeedAttributeUnderClaimAuthority(t *testing.T) {
	w := effectWorld(Effect{})
	w.Areas[areaField].Zones = []EffectZone{{Min: geom.Vec{X: -9, Y: -9, Z: -9}, Max: geom.Vec{X: 9, Y: 9, Z: 9}, Effect: Effect{Kind: EffectSpeed, Level: 5, Ticks: 20}}}
	s := newStage(t, w)
	s.step(joinAt(w, 1, geom.Vec{}))
	x := s.a.find(1)
	base := x.attr[w.Roles.Speed].Value
	stat := events(s.f, EventStat)
	if len(stat) != 1 || stat[0].N != int32(w.Roles.Speed) || stat[0].Value != 2*base || s.f.Find(1).Speed != 2*base {
		t.Fatalf("told %+v, row %d, want %d", stat, s.f.Find(1).Speed, 2*base)
	}
	if share := s.a.speedShare(x); !near(share, 2*move.SpeedShare(base, x.attr[w.Roles.Speed].Max), 1e-3) {
		t.Errorf("claims are judged by a share of %v", share)
	}
	if c := s.a.snapshotRecord(x); c.Attr[w.Roles.Speed].Value != base {
		t.Errorf("the record stores a speed of %d", c.Attr[w.Roles.Speed].Value)
	}
	x.place(geom.Vec{X: 50}, 0)
	ended := 0
	for ; s.f.Find(1).Speed != base && ended < 100; ended++ {
		s.step()
	}
	if ended < 1 || ended > 21 {
		t.Errorf("ended after %d ticks", ended)
	}
}

func TestTransferToOtherAreaKeepsActiveEffects(t *testing.T) {
	s := newStage(t, effectWorld(Effect{Kind: EffectJumpBoost, Level: 3, Ticks: 100}))
	k := effectClient(s, geom.Vec{})
	s.step(k.use(), k.next(0))
	s.a.beginFrame()
	s.a.transfer(k.x, areaTown, &Join{Portal: -1})
	e := events(s.a.publish(), EventDeparted)[0]
	b := AppendIntents(nil, []Intent{{Kind: IntentJoin, Who: 1, Join: e.Join}})
	in, err := ParseIntents(nil, b)
	if err != nil {
		t.Fatal(err)
	}
	town := NewArea(s.w, areaTown, 1)
	p := town.Step(in).FindAvatar(1)
	if p.Prediction.Effects[EffectJumpBoost] != (ActiveEffect{3, 99}) || p.Avatar.JumpBoost != 3 {
		t.Errorf("arrived with %+v, jump boost %d", p.Prediction.Effects, p.Avatar.JumpBoost)
	}
}

func TestFireworkBoostsOnlyGlidingPlayer(t *testing.T) {
	s := newStage(t, effectWorld(Effect{Kind: EffectFirework, Ticks: 20}))
	k := effectClient(s, geom.Vec{})
	s.step(k.use(), k.next(0))
	if got := effectEvents(s.f, EffectFirework); len(got) > 0 || k.state().Avatar.GlideBoost != 0 {
		t.Fatalf("on the ground: %+v", got)
	}
	av := &predictOf(k.x).Avatar
	av.Pos.Y, av.OnGround, k.x.glides, av.MayGlide, av.Gliding = 90, false, true, true, true
	s.step(k.next(0))
	s.step(k.use(), k.next(0))
	got := effectEvents(s.f, EffectFirework)
	if len(got) != 1 || got[0].Value != 20 || got[0].Rewind.Serial == 0 || k.state().Avatar.GlideBoost != 19 {
		t.Errorf("gliding: %+v, %d ticks left after one", got, k.state().Avatar.GlideBoost)
	}
}

func TestItemGivesEffectAtMostOncePerUseDelay(t *testing.T) {
	s := newStage(t, effectWorld(Effect{Kind: EffectSpeed, Level: 1, Ticks: 100}))
	s.w.Items[0].UseDelayMS = 1000
	k := effectClient(s, geom.Vec{})
	given := 0
	for range 100 {
		s.step(k.use(), k.next(0))
		given += len(effectEvents(s.f, EffectSpeed))
	}
	if given != 5 {
		t.Errorf("given %d times in 5 s, want once a second", given)
	}
}

func TestDeathEndsTimedEffects(t *testing.T) {
	s := newStage(t, effectWorld(Effect{Kind: EffectLevitation, Level: 1, Ticks: 1000}))
	k := effectClient(s, geom.Vec{})
	s.step(k.use(), k.next(0))
	s.a.beginFrame()
	s.a.kill(k.x, nil)
	f := s.a.publish()
	if got := effectEvents(f, EffectLevitation); len(got) != 1 || got[0].N != 0 || f.FindAvatar(1).Avatar.Levitation != 0 {
		t.Errorf("after death: %+v, avatar %+v", got, f.FindAvatar(1).Avatar)
	}
}

func TestWeakerEffectDoesNotReplaceStrongerEffect(t *testing.T) {
	s := newStage(t, effectWorld(Effect{}))
	k := effectClient(s, geom.Vec{})
	for _, c := range []struct{ give, want ActiveEffect }{
		{ActiveEffect{2, 50}, ActiveEffect{2, 50}},
		{ActiveEffect{1, 900}, ActiveEffect{2, 50}},
		{ActiveEffect{2, 40}, ActiveEffect{2, 50}},
		{ActiveEffect{2, 60}, ActiveEffect{2, 60}},
		{ActiveEffect{3, 10}, ActiveEffect{3, 10}},
	} {
		s.a.beginFrame()
		s.a.giveEffect(k.x, &Effect{EffectSpeed, c.give.Level, c.give.Ticks})
		s.a.publish()
		if got := k.x.effect(EffectSpeed); got != c.want {
			t.Errorf("after %+v the player has %+v, want %+v", c.give, got, c.want)
		}
	}
}
