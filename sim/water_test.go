package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

// diverAt returns a player at the given height in a lake whose surface is at height 10.
func diverAt(t *testing.T, y float32, set func(w *World)) (*stage, *actor) {
	w := testWorld()
	if set != nil {
		set(w)
	}
	s := newStage(t, w)
	return s, s.player(1, geom.Vec{X: 1050, Y: y, Z: 1050})
}

// docs/wire/rcce.md 6.8, underwater: each full second at a depth of more than 2 units costs a point of breath. An actor
// without breath loses health instead.
func TestUnderwaterActorLosesBreathThenHealth(t *testing.T) {
	s, x := diverAt(t, 7, nil)
	for second, want := range []struct{ breath, health int32 }{{3, 100}, {2, 100}, {1, 100}, {0, 100}, {0, 99}, {0, 98}} {
		if got := x.attr[attrBreath].Value; got != want.breath || x.attr[attrHealth].Value != want.health {
			t.Errorf("after %d s: breath %d, health %d, want %v", second, got, x.attr[attrHealth].Value, want)
		}
		s.run(1)
	}
}

func TestBreathIsLostDeeperThanTwoUnitsUnderWater(t *testing.T) {
	for y, breath := range map[float32]int32{7.9: 0, 8: 3, 10.4: 3, 10.5: 3} {
		s, x := diverAt(t, y, nil)
		if s.run(4); x.attr[attrBreath].Value != breath {
			t.Errorf("at height %v under 10: breath %d, want %d", y, x.attr[attrBreath].Value, breath)
		}
	}
}

func TestPositionOnSideOrTopOfWaterBoxIsNotUnderWater(t *testing.T) {
	a := NewArea(testWorld(), 0, 1)
	for p, in := range map[geom.Vec]bool{
		{X: 1050, Y: -5000, Z: 1050}: true, {X: 1050, Y: 10.4, Z: 1050}: true, {X: 1050, Y: 10.5, Z: 1050}: false,
		{X: 1000, Z: 1050}: false, {X: 1100, Z: 1050}: false, {X: 1000.1, Z: 1099.9}: true, {X: 1050, Z: 1000}: false,
	} {
		if (a.waterAt(p) != nil) != in {
			t.Errorf("%v: under water %v, want %v", p, !in, in)
		}
	}
}

// docs/wire/rcce.md 6.8: harmful water causes max(1, damage - (resistance - 100)). Water with damage 0 is harmless.
func TestHarmfulWaterDamageIsReducedByResistance(t *testing.T) {
	for _, c := range []struct{ damage, resist, want int32 }{{0, 0, 0}, {10, 100, 10}, {10, 104, 6}, {10, 200, 1}, {10, 90, 20}} {
		s, x := diverAt(t, 10, func(w *World) { w.Areas[0].Waters[0].Damage, w.Areas[0].Waters[0].DamageType = c.damage, 7 })
		x.resist[7] = c.resist
		if s.run(1); x.attr[attrHealth].Value != 100-c.want {
			t.Errorf("%+v: health %d", c, x.attr[attrHealth].Value)
		}
	}
}

func TestWaterDoesNotHurtSwimmingActors(t *testing.T) {
	s, x := diverAt(t, -20, func(w *World) {
		w.Template(tmplHuman).Environment = Swim
		w.Areas[0].Waters[0].Damage = 50
	})
	if s.run(5); x.attr[attrHealth].Value != 100 || x.attr[attrBreath].Value != 3 {
		t.Errorf("health %d, breath %d", x.attr[attrHealth].Value, x.attr[attrBreath].Value)
	}
}

// After an actor has surfaced, a full second under water passes before it loses the next point of breath.
func TestWaterTimerIsResetWhenActorSurfaces(t *testing.T) {
	s, x := diverAt(t, 0, nil)
	for range 20 {
		s.run(0.9)
		x.pos.Y = 20
		s.step()
		x.pos.Y = 0
	}
	if x.attr[attrBreath].Value != 3 {
		t.Errorf("breath %d after dives of 0.9 s", x.attr[attrBreath].Value)
	}
}

func TestBreathRegeneratesAboveWater(t *testing.T) {
	s, x := diverAt(t, 20, nil)
	x.attr[attrBreath].Value, x.attr[attrBreath].Max = 0, 1000
	if s.run(60); x.attr[attrBreath].Value < 130 || x.attr[attrBreath].Value > 230 { // about 3 points per second, chosen at random
		t.Errorf("breath %d after a minute", x.attr[attrBreath].Value)
	}
	x.attr[attrBreath].Max = x.attr[attrBreath].Value
	if s.run(10); x.attr[attrBreath].Value != x.attr[attrBreath].Max {
		t.Errorf("breath %d above its maximum", x.attr[attrBreath].Value)
	}
}

// docs/wire/rcce.md 6.8: a death by water has no killer. A mount may drown while its rider survives.
func TestDeathByDrowningHasNoKiller(t *testing.T) {
	s, x := diverAt(t, 0, func(w *World) { w.Areas[0].Waters[0].Damage = 40 })
	m := s.npc(tmplHorse, x.pos)
	s.ride(x, m)
	s.health(m, 1)
	e := s.until(EventDied, 2)
	if e.Who != m.id || e.Other != 0 || x.mount != 0 || x.dead || s.f.Find(m.id) != nil {
		t.Fatalf("%+v", e)
	}
	if e := s.until(EventDied, 5); e.Who != 1 || e.Other != 0 || !x.dead || len(events(s.f, EventXP)) != 0 {
		t.Errorf("%+v", s.f.Events)
	}
}
