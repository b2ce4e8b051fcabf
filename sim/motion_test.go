package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

func TestFrameReportsSpeedAndMotionModeUnderEachAuthority(t *testing.T) {
	w := predictWorld()
	s := newStage(t, w)
	claimer, walker, client := s.player(1, geom.Vec{}), s.pathPlayer(2, tile(3210, 3210)), s.predictClient(3, geom.Vec{X: -40})
	hawk := s.npc(tmplHawk, geom.Vec{X: 300})
	motion := func(id EntityID) Motion { return s.f.Find(id).Motion }

	s.step(client.next(0))
	for _, id := range []EntityID{1, 2, hawk.id} {
		if m := motion(id); m.Mode != MotionStand || m.Step != (geom.Vec{}) {
			t.Errorf("actor %d stands: %+v", id, m)
		}
	}
	for id, want := range map[EntityID]struct {
		walk, run float32
		own       bool // expected Motion.OwnSpeed and FacesYaw
	}{
		1: {45, 90, false}, 2: {5 / 0.6, 10 / 0.6, true}, 3: {4.317 * 3.5, 5.612 * 3.5, true},
	} {
		m := motion(id)
		if walk, run := s.f.Find(id).Speeds(); !near(walk, want.walk, 1e-3) || !near(run, want.run, 1e-3) || m.OwnSpeed != want.own {
			t.Errorf("actor %d walks at %v and runs at %v, own %v; want %+v", id, walk, run, m.OwnSpeed, want)
		}
		if m.FacesYaw != want.own || m.InAir {
			t.Errorf("actor %d: %+v", id, m)
		}
	}
	if m := motion(hawk.id); !m.InAir {
		t.Errorf("a flying NPC: %+v", m)
	}

	hawk.headFor(400, 0)
	s.cycle(walkClaim(claimer, 100, 0, true), Intent{Kind: IntentPath, Who: walker.id, Tile: tile(3215, 3210)})
	s.step(client.next(1))
	if m := motion(1); m.Mode != MotionRun || !near(m.Step.X, 90.0/20, 1e-3) {
		t.Errorf("claim, running: %+v", m)
	}
	if m := motion(2); m.Mode != MotionWalk || !near(m.Step.X, 5.0/12, 1e-3) {
		t.Errorf("path, walking: %+v", m)
	}
	if m := motion(3); m.Mode != MotionWalk || !(geom.Abs(m.Step.Z) > 0.1) {
		t.Errorf("predict, walking: %+v", m)
	}
	if m := motion(hawk.id); m.Mode != MotionFly {
		t.Errorf("a flying NPC under way: %+v", m)
	}

	s.step(Intent{Kind: IntentTeleport, Who: 1, Join: &Join{Portal: -1, Pos: geom.Vec{X: 500}}})
	if m := motion(1); m.Step != (geom.Vec{}) || m.Mode != MotionStand {
		t.Errorf("a placement counts as movement: %+v", m)
	}
}
