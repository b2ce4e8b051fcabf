package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

func interactIntent(x, y *actor) Intent { return Intent{Kind: IntentInteract, Who: x.id, Target: y.id} }

func TestInvalidMountRequestIsRefusedWithReason(t *testing.T) {
	for name, c := range map[string]struct {
		why reason.Reason
		set func(x, m *actor)
	}{
		"a cow":                {reason.NotRideable, func(x, m *actor) { m.tmpl = x.tmpl }},
		"one ridden already":   {reason.NotRideable, func(x, m *actor) { m.rider = 77 }},
		"while riding":         {reason.NotRideable, func(x, m *actor) { x.mount = 77 }},
		"another player's pet": {reason.NotRideable, func(x, m *actor) { m.leader = 77 }},
		"too far away":         {reason.TooFar, func(x, m *actor) { m.pos.X = 21 }},
		"by a dead player":     {reason.Dead, func(x, m *actor) { x.dead, x.respawnTick = true, 1000 }},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, testWorld())
			x, m := s.player(1, geom.Vec{}), s.npc(tmplHorse, geom.Vec{X: 3})
			c.set(x, m)
			s.expectRefusal(c.why, interactIntent(x, m))
		})
	}
	s := newStage(t, testWorld())
	s.expectRefusal(reason.TargetGone, interactIntent(s.player(1, geom.Vec{}), &actor{id: 99}))
}

// Specification P_StandardUpdate: "the rider's P_StandardUpdate will move both". Specification P_AttackActor, check 4:
// mounted players cannot attack.
func TestRiderMovesMountAndCannotAttack(t *testing.T) {
	s := newStage(t, testWorld())
	x, m, cow := s.player(1, geom.Vec{}), s.npc(tmplHorse, geom.Vec{X: 3}), s.npc(tmplCow, geom.Vec{X: 4})
	s.ride(x, m)
	if f := s.step(walkClaim(x, 100, 0, false)); f.Find(1).Mount != m.id {
		t.Error("the frame does not show the mount")
	}
	for range 20 {
		s.step()
		if m.pos != x.pos {
			t.Fatalf("rider at %v, mount at %v", x.pos, m.pos)
		}
	}
	s.expectRefusal(reason.Mounted, attackIntent(x, cow))
	if e := s.expectEvent(EventDismounted, Intent{Kind: IntentDismount, Who: 1}); e.Who != 1 || e.Other != m.id {
		t.Errorf("dismounted with %+v", e)
	}
	if x.mount != 0 || m.rider != 0 || m.running {
		t.Errorf("after dismounting: mount %d, rider %d, running %v", x.mount, m.rider, m.running)
	}
	if s.step(Intent{Kind: IntentDismount, Who: 1}); len(s.f.Events) != 0 {
		t.Errorf("dismounting on foot gives %+v", s.f.Events)
	}
}

// A ridden NPC makes no decisions of its own. Otherwise it could walk away from its rider or start a fight.
func TestNPCMakesNoDecisionsWhileRidden(t *testing.T) {
	s := newStage(t, testWorld())
	s.w.Template(tmplWolf).Rideable = true
	x, m := s.player(1, geom.Vec{}), s.npc(tmplWolf, geom.Vec{X: 1})
	m.ratings[x.homeFaction] = 200
	s.ride(x, m)
	m.ratings[x.homeFaction] = 0
	m.waypoint = 0
	for range 100 {
		if s.step(); m.pos != x.pos || m.target != 0 || len(s.f.Events) != 0 {
			t.Fatalf("it goes to %v, fights %d: %+v", m.pos, m.target, s.f.Events)
		}
	}
}

// A mount that was on patrol walks back to its waypoint after the rider has dismounted.
func TestDismountedNPCReturnsToPatrol(t *testing.T) {
	s := newStage(t, testWorld())
	x, m := s.player(1, geom.Vec{X: -50, Y: 7}), s.npc(tmplHorse, geom.Vec{X: -50})
	m.waypoint = 1 // index of the waypoint at (200, 0, 0)
	s.ride(x, m)
	s.step(Intent{Kind: IntentDismount, Who: 1})
	s.run(1)
	if m.mode != modePatrol || m.waypoint != 1 || m.destX != 200 || m.pos.Y != 7 || m.pos.X <= -50 {
		t.Errorf("mode %d, waypoint %d, at %v, going to %v", m.mode, m.waypoint, m.pos, m.destX)
	}
}

func TestDeathAndLogoutDismountRider(t *testing.T) {
	for name, part := range map[string]func(s *stage, x, m *actor){
		"the rider's death":  func(s *stage, x, m *actor) { s.step(attackIntent(s.killer(x), x)) },
		"the mount's death":  func(s *stage, x, m *actor) { s.step(attackIntent(s.killer(m), m)) },
		"the rider's logout": func(s *stage, x, m *actor) { s.step(Intent{Kind: IntentLeave, Who: x.id}) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, testWorld())
			x, m := s.player(1, geom.Vec{}), s.npc(tmplHorse, geom.Vec{X: 3})
			s.ride(x, m)
			part(s, x, m)
			if n := len(events(s.f, EventDismounted)); n != 1 || x.mount != 0 || m.rider != 0 {
				t.Errorf("%d dismounts, mount %d, rider %d", n, x.mount, m.rider)
			}
		})
	}
}

// docs/wire/rcce.md 5.6: when a player changes areas, its mount and pets move before the player.
func TestTransferMovesMountWithRider(t *testing.T) {
	s := newStage(t, testWorld())
	x, m := s.player(1, geom.Vec{X: -92}), s.npc(tmplHorse, geom.Vec{X: -90})
	s.ride(x, m)
	s.health(m, 33)
	s.step(walkClaim(x, -100, 0, false))
	gone, departed := events(s.f, EventRemoved), events(s.f, EventDeparted)
	for range 20 {
		if len(departed) > 0 {
			break
		}
		s.step()
		gone, departed = events(s.f, EventRemoved), events(s.f, EventDeparted)
	}
	if len(gone) != 1 || gone[0].Who != m.id || len(departed) != 1 {
		t.Fatalf("riding into a portal gives %+v", s.f.Events)
	}
	j := departed[0].Join
	if j.Mount == nil || j.Mount.Template != tmplHorse || j.Mount.Health != 33 || j.MountIsPet || len(j.Pets) != 0 {
		t.Fatalf("joins as %+v", j)
	}
	there := NewArea(s.w, areaTown, 1)
	f := there.Step([]Intent{{Kind: IntentJoin, Who: 1, Join: j}})
	horse := f.Find(f.Find(1).Mount)
	if horse == nil || horse.Health != 33 || horse.Leader != 0 || horse.Pos != f.Find(1).Pos {
		t.Errorf("arrives as %+v on %+v", f.Find(1), horse)
	}
}

// A ridden pet stays a pet in the record of its leader and in the next area.
func TestRiddenPetRemainsPetInRecordAndAfterTransfer(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{X: -90})
	m := s.a.byID[s.pet(x, tmplHorse)]
	s.ride(x, m)
	if c := s.a.snapshotRecord(x); len(c.Pets) != 1 || c.Pets[0].Template != tmplHorse {
		t.Errorf("record has the pets %+v", c.Pets)
	}
	s.step(walkClaim(x, -100, 0, false))
	e := s.until(EventDeparted, 2)
	if len(e.Record.Pets) != 1 || len(e.Join.Pets) != 0 || e.Join.Mount == nil || !e.Join.MountIsPet {
		t.Fatalf("joins as %+v, record has pets %+v", e.Join, e.Record.Pets)
	}
	there := NewArea(s.w, areaTown, 1)
	f := there.Step([]Intent{{Kind: IntentJoin, Who: 1, Join: e.Join}})
	if horse := f.Find(f.Find(1).Mount); horse == nil || horse.Leader != 1 || len(f.Actors) != 2 {
		t.Errorf("arrives on %+v among %d actors", horse, len(f.Actors))
	}
	if c := there.snapshotRecord(there.find(1)); len(c.Pets) != 1 {
		t.Errorf("record there has the pets %+v", c.Pets)
	}
}

// A rider that goes through a portal takes its mount along, and the mount's spawn creates a replacement. The mounts that
// riders leave behind in the other area must therefore be removed, or they would fill the area.
func TestAbandonedMountIsRemoved(t *testing.T) {
	s := newStage(t, testWorld())
	in := joinAt(s.w, 1, geom.Vec{})
	in.Join.Mount = &Pet{Template: tmplHorse}
	s.step(in)
	x := s.a.find(1)
	s.run(abandonedMountMS/1000 + 1)
	if x.mount == 0 {
		t.Fatal("mount was removed under its rider")
	}
	horse := x.mount
	s.step(Intent{Kind: IntentDismount, Who: 1})
	s.run(abandonedMountMS/1000 - 1)
	if s.f.Find(horse) == nil {
		t.Fatal("mount was removed too early")
	}
	s.ride(x, s.a.find(horse)) // riding restarts the wait until the mount is removed
	s.step(Intent{Kind: IntentDismount, Who: 1})
	s.run(2)
	if s.f.Find(horse) == nil {
		t.Fatal("mount was removed too early after the second ride")
	}
	if e := s.until(EventRemoved, abandonedMountMS/1000); e.Who != horse {
		t.Errorf("wrong actor was removed: %+v", e)
	}
}
