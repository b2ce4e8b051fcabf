package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// docs/wire/rcce.md 5.3: actors walk 1.5 units per 1/30 s at full speed, at any tick rate of the area.
func TestWalkSpeedIsIndependentOfTickRate(t *testing.T) {
	for _, pace := range []struct {
		name              string
		running, backward bool
		unitsIn2s         float32
	}{
		{"walking", false, false, 90}, {"running", true, false, 180}, {"backward", false, true, 45},
	} {
		for _, rate := range []int{10, 20, 30, 60} {
			w := testWorld()
			w.TicksPerSecond, w.Roles.Energy = rate, -1
			s := newStage(t, w)
			x := s.player(1, geom.Vec{})
			in := walkClaim(x, 3000, 4000, pace.running)
			in.Claim.Backward = pace.backward
			s.step(in)
			for range 2*rate - 1 { // without claims the server walks the player toward Dest
				s.step()
			}
			at := geom.DistXZ(x.pos, geom.Vec{})
			if !near(at, pace.unitsIn2s, 0.01) || !near(x.pos.X/x.pos.Z, 0.75, 1e-4) {
				t.Errorf("%s at %d ticks/s: %v after 2 s, %v units; want %v", pace.name, rate, x.pos, at, pace.unitsIn2s)
			}
		}
	}
}

func TestWalkEndsAtDestination(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{Y: 2})
	s.step(walkClaim(x, 10, 0, false))
	s.run(2)
	if want := (geom.Vec{X: 10, Y: 2}); x.pos != want {
		t.Errorf("at %v, want %v", x.pos, want)
	}
}

// docs/wire/rcce.md 5.3: running costs one point of energy per 1/30 s. A player without energy walks.
func TestRunningUsesEnergyAndStopsAtZero(t *testing.T) {
	for _, rate := range []int{10, 20, 30, 60} {
		w := testWorld()
		w.TicksPerSecond = rate
		s := newStage(t, w)
		x := s.player(1, geom.Vec{})
		s.step(walkClaim(x, 10000, 0, true))
		for range rate - 1 {
			s.step()
		}
		if got := s.f.Find(1); got.Energy != 30 || !got.Is(FlagRunning) {
			t.Errorf("%d ticks/s: energy %d after 1 s of 60, running %v; want 30, true", rate, got.Energy, got.Is(FlagRunning))
		}
		s.run(1)
		if got := s.f.Find(1); got.Energy != 0 || got.Is(FlagRunning) {
			t.Errorf("%d ticks/s: energy %d after 2 s, running %v; want 0, false", rate, got.Energy, got.Is(FlagRunning))
		}
		before := x.pos.X
		s.run(1)
		if !near(x.pos.X-before, 45, 0.01) {
			t.Errorf("%d ticks/s: %v units in the next second, want a walk of 45", rate, x.pos.X-before)
		}
	}
}

func TestEnergyRegeneratesWhileNotRunning(t *testing.T) {
	for _, regen := range []int32{0, 7} {
		w := testWorld()
		w.Rules.EnergyRegen = regen
		s := newStage(t, w)
		x := s.player(1, geom.Vec{})
		x.attr[attrEnergy].Value = 10
		s.run(3)
		if got, want := x.attr[attrEnergy].Value, 10+3*regen; got != want {
			t.Errorf("%d a second: energy %d after 3 s from 10, want %d", regen, got, want)
		}
		s.run(60)
		if got := x.attr[attrEnergy].Value; got > 60 {
			t.Errorf("energy %d is above its maximum", got)
		}
	}
}

// docs/wire/rcce.md 5.3: the RealmCrafter server divides a step by |dx| + |dz| instead of by its length. A world can
// enable the same rule.
func TestManhattanStepIsShorterOnDiagonals(t *testing.T) {
	w := testWorld()
	w.Rules.Step = move.L1
	s := newStage(t, w)
	x := s.player(1, geom.Vec{})
	s.step(walkClaim(x, 1000, 1000, false))
	if !near(x.pos.X, 1.125, 1e-5) || !near(x.pos.Z, 1.125, 1e-5) {
		t.Errorf("one tick of 2.25 units on a diagonal leads to %v, want 1.125 on each axis", x.pos)
	}
}

// docs/wire/rcce.md 5.3: a rider moves at the speed of its mount and uses no energy of its own.
func TestRiderMovesAtSpeedOfMount(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{})
	m := s.npc(tmplHorse, geom.Vec{})
	m.attr[attrSpeed] = combat.Attribute{Value: 50, Max: 25} // twice the speed of a human
	s.ride(x, m)
	s.step(walkClaim(x, 10000, 0, true))
	for range 19 {
		s.step()
	}
	if !near(x.pos.X, 180, 0.01) || m.pos != x.pos {
		t.Errorf("after 1 s of riding the rider is at %v and the mount at %v, want X 180", x.pos, m.pos)
	}
	if x.attr[attrEnergy].Value != 60 || m.attr[attrEnergy].Value != 60 {
		t.Errorf("riding cost energy: %d and %d of 60 left", x.attr[attrEnergy].Value, m.attr[attrEnergy].Value)
	}
}

// The claim allowance depends on the Speed attribute of the actor (RealmCrafter specification, P_StandardUpdate). A slow
// mount must not reduce it below the allowance of the rider on foot.
func TestClaimAllowanceUsesFasterOfRiderAndMount(t *testing.T) {
	for _, speed := range []int32{0, 300} {
		w := testWorld()
		w.Rules.Claim = move.OriginalClaimPolicy()
		s := newStage(t, w)
		x := s.player(1, geom.Vec{})
		m := s.npc(tmplHorse, geom.Vec{})
		m.attr[attrSpeed].Value = speed
		s.ride(x, m)
		s.step(claimIntent(1, geom.Vec{}))
		in := claimIntent(1, geom.Vec{X: 44})
		in.AtMS = s.a.clock + 200
		if speed > 100 {
			in.Claim.X = 104 // the allowance is 0.15 x 3.5 x 200 = 105 units
		}
		if s.step(in); len(events(s.f, EventHeld)) != 0 {
			t.Errorf("mount of speed %d: %+v", speed, s.f.Events)
		}
	}
}

// Specification P_StandardUpdate: the height of a patrolling flyer is interpolated between its previous height and that
// of the waypoint.
func TestHeightOfFlyingPatrolIsInterpolatedBetweenWaypoints(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.npc(tmplHawk, geom.Vec{X: 0, Y: 0, Z: 0})
	x.waypoint, x.mode = 2, modePatrol // at (0, 40, 500)
	x.headFor(0, 500)
	shown := func() float32 { return s.f.Find(x.id).Pos.Y }
	last := float32(0)
	for x.pos.Z < 490 {
		s.step()
		if want := 40 * x.pos.Z / 500; !near(shown(), want, 0.01) {
			t.Fatalf("at Z %v height %v, want %v", x.pos.Z, shown(), want)
		}
		if shown() < last {
			t.Fatalf("height sinks from %v to %v", last, shown())
		}
		last = shown()
	}
	s.run(1)
	if shown() != 40 || x.pos.Y != 40 {
		t.Errorf("height at the waypoint %v, want 40", shown())
	}
}

// In the RealmCrafter server, chasing NPCs sink toward the waypoint that they left; here they keep their height.
func TestFlyingNPCKeepsItsHeightDuringChase(t *testing.T) {
	s := newStage(t, testWorld())
	p := s.player(1, geom.Vec{X: 100, Y: 10})
	x := s.npc(tmplHawk, geom.Vec{Y: 10})
	x.waypoint = 2
	s.a.startChase(x, p)
	for range 20 {
		s.step()
		if got := s.f.Find(x.id).Pos.Y; !near(got, 10, 1e-3) {
			t.Fatalf("chase at height 10 is shown at %v", got)
		}
	}
}

func TestFlyingPlayerIsAtClaimedHeight(t *testing.T) {
	w := testWorld()
	w.Template(tmplHuman).Environment = Fly
	s := newStage(t, w)
	s.player(1, geom.Vec{Y: 7})
	if got := s.step().Find(1); got.Pos.Y != 7 || !got.Is(FlagFlying) {
		t.Errorf("shown at %v, flying %v", got.Pos, got.Is(FlagFlying))
	}
}
