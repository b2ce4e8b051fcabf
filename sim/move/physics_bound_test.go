package move

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// claimed returns an input that claims a displacement and, as its velocity, the same vector.
func claimed(a Avatar, d geom.Vec) Input { return Input{Pos: a.Pos.Add(d), Delta: d} }

// boundedTicks steps an avatar n times with the same input, with the mode BoundLiquid for water and lava.
func boundedTicks(a *Avatar, n int, in Input, ground *terrain.Blocks) (r StepResult) {
	l := DefaultLiquids()
	l.Water.Mode, l.Lava.Mode = BoundLiquid, BoundLiquid
	var s Scratch
	for range n {
		r = a.StepIn(&l, &in, ground, &s)
		in.Flags &^= InputStartJump
	}
	return r
}

func TestClientPositionInLiquidIsAcceptedWithinLimits(t *testing.T) {
	ground := blocksOf(t, fill(-8, 64, -8, 8, 70, 8, terrain.Water), fill(3, 64, -8, 3, 70, 8, terrain.Stone))
	for name, tt := range map[string]struct {
		d, came, vel geom.Vec
		cut          bool
	}{
		"a swim":                  {geom.Vec{X: 0.1875, Y: 0.25}, geom.Vec{X: 0.1875, Y: 0.25}, geom.Vec{X: 0.1875, Y: 0.25}, false},
		"standing still":          {geom.Vec{}, geom.Vec{}, geom.Vec{}, false},
		"too far":                 {geom.Vec{Z: 30}, geom.Vec{Z: liquidAcross}, geom.Vec{Z: liquidAcross}, true},
		"a leap":                  {geom.Vec{Y: 3}, geom.Vec{Y: liquidUp}, geom.Vec{Y: liquidUp}, true},
		"another swim":            {geom.Vec{X: -0.25, Z: 0.125}, geom.Vec{X: -0.25, Z: 0.125}, geom.Vec{X: -0.25, Z: 0.125}, false},
		"through a wall":          {geom.Vec{X: 1}, geom.Vec{X: 0.2001}, geom.Vec{}, true},
		"through the floor":       {geom.Vec{Y: -3}, geom.Vec{Y: -0.375}, geom.Vec{}, true},
		"to the end of the world": {geom.Vec{X: -3e7, Z: -3e7}, geom.Vec{X: -0.22627417, Z: -0.22627417}, geom.Vec{X: -0.22627417, Z: -0.22627417}, true},
	} {
		a := onFeet(2.5, 64.375, 0.5)
		a.OnGround, a.Vel = false, geom.Vec{}
		from := a.Pos
		r := boundedTicks(&a, 1, claimed(a, tt.d), ground)
		off := a.Pos.Sub(from).Sub(tt.came)
		if r.Mode != ModeBoundedLiquid || r.Clamped != tt.cut || geom.Dist2(off, geom.Vec{}) > 1e-10 || geom.Dist2(a.Vel, tt.vel) > 1e-10 {
			t.Errorf("%s: %+v moved by %v with velocity %v, want %v with %v", name, r, a.Pos.Sub(from), a.Vel, tt.came, tt.vel)
		}
	}
}

func TestPlayerThatStandsUnderWaterIsOnGround(t *testing.T) {
	ground := blocksOf(t, fill(-2, 64, -2, 2, 64, 2, terrain.Water))
	a := onFeet(0.5, 64, 0.5)
	if r := boundedTicks(&a, 1, claimed(a, geom.Vec{Y: -0.02}), ground); r.Mode != ModeBoundedLiquid || !a.OnGround {
		t.Fatalf("mode %v, on ground %v at %v", r.Mode, a.OnGround, a.Pos)
	}
}

func TestClientThatClaimsUpwardSpeedInWaterLeapsNoHigherThanJump(t *testing.T) {
	ground := blocksOf(t, fill(-2, 64, -2, 2, 65, 2, terrain.Water))
	a := onFeet(0.5, 64, 0.5)
	top := a.Pos.Y
	for range 200 {
		boundedTicks(&a, 1, claimed(a, geom.Vec{Y: 4}), ground)
		top = max(top, a.Pos.Y)
	}
	if top > 66+1.75 {
		t.Fatalf("leapt to %v out of a pond whose surface is at 66", top)
	}
}

func TestClaimedMovementModeIsIgnoredIfServerHasNoLiquid(t *testing.T) {
	for _, f := range []InputFlags{0, InputStartSwim, InputStartFly, InputStartGlide, InputVehicle, InputHandledTeleport, ^InputFlags(0)} {
		a := onFeet(0.5, 64, 0.5)
		in := claimed(a, geom.Vec{X: 1, Y: 1})
		in.Flags = f
		if r := ticks(&a, 20, in, nil); r.Mode != ModeWalk || a.Pos.X != 0.5 {
			t.Errorf("flags %b: %v to %v", f, r.Mode, a.Pos)
		}
	}
}

func TestFlightWithoutAbilityIsRefused(t *testing.T) {
	a := onFeet(0.5, 64, 0.5)
	a.MayFly = true
	in := claimed(a, geom.Vec{X: 1, Y: 2})
	in.Flags = InputStartFly
	if r := ticks(&a, 1, in, nil); r.Mode != ModeFly || r.Clamped || a.Pos != in.Pos || a.OnGround {
		t.Fatalf("%+v at %v", r, a.Pos)
	}
	a.MayFly = false
	if r := ticks(&a, 1, claimed(a, geom.Vec{X: 1}), nil); r.Mode != ModeWalk || a.Flying {
		t.Fatalf("%+v at %v", r, a.Pos)
	}
}

func TestDeadPlayerFallsAtClaimedSpeedButNotThroughGround(t *testing.T) {
	a := onFeet(0.5, 66, 0.5)
	a.OnGround, a.Dead = false, true
	if r := ticks(&a, 1, claimed(a, geom.Vec{Y: -3}), nil); r.Mode != ModeDead || !r.Clamped || a.Pos.Y != 64 || !a.OnGround {
		t.Fatalf("%+v at %v", r, a.Pos)
	}
}

func TestGlidingConvertsHeightToSpeedAndSpeedToHeight(t *testing.T) {
	a := onFeet(0.5, 200, 0.5)
	a.OnGround, a.MayGlide, a.Vel = false, true, geom.Vec{}
	ticks(&a, 1, Input{Flags: InputStartGlide}, nil)
	if r := ticks(&a, 70, Input{Pitch: 40}, nil); r.Mode != ModeGlide || a.Vel.Z < 1 || a.Vel.Z > 2.5 {
		t.Fatalf("mode %v: dived to %v with velocity %v", r.Mode, a.Pos, a.Vel)
	}
	low, peak := a.Pos.Y, a.Pos.Y
	for range 40 {
		ticks(&a, 1, Input{Pitch: -30}, nil)
		peak = max(peak, a.Pos.Y)
	}
	if peak < low+1 || peak > 200 {
		t.Fatalf("climbed from %v to %v", low, peak)
	}
	for range 2000 {
		if ticks(&a, 1, Input{Yaw: 90}, nil); a.OnGround {
			break
		}
	}
	if a.Pos.Y != 64 || !a.OnGround {
		t.Fatalf("did not come down: %+v", a)
	}
	if r := ticks(&a, 1, Input{}, nil); r.Mode != ModeWalk || a.Gliding || a.Height() != standingHeight {
		t.Fatalf("still gliding on the ground: %+v", a)
	}
}

func TestGlidingLosesHeightAtAnyPitch(t *testing.T) {
	for period := 2; period < 120; period += 3 {
		a := onFeet(0.5, 200, 0.5)
		a.OnGround, a.MayGlide = false, true
		ticks(&a, 1, Input{Flags: InputStartGlide}, nil)
		for tick := range 400 {
			in := Input{Pitch: 35}
			if tick%period > period/2 {
				in.Pitch = -35
			}
			ticks(&a, 1, in, nil)
		}
		if a.Pos.Y > 200 || lengthXZ2(a.Vel) > 4*4 {
			t.Errorf("period %d: at %v with %v", period, a.Pos, a.Vel)
		}
	}
}

func TestEveryMovementModeHasUniqueName(t *testing.T) {
	seen := map[string]bool{}
	for m := range modes {
		if name := m.String(); name == "unknown" || seen[name] {
			t.Errorf("mode %d is %q", m, name)
		} else {
			seen[name] = true
		}
		if m.Bounded() != (m == ModeBoundedLiquid || m == ModeFly || m == ModeDead) {
			t.Errorf("%v: bounded %v", m, m.Bounded())
		}
	}
	if modes.String() != "unknown" {
		t.Error("an unknown mode has a name")
	}
}

// A player that enters water faster than it can swim is slowed to swimming speed, as the client of an honest player does
// by itself.
func TestPlayerThatEntersLiquidFastIsSlowed(t *testing.T) {
	ground := blocksOf(t, fill(-8, 20, -8, 200, 70, 8, terrain.Water))
	a := onFeet(0.5, 66, 0.5)
	a.OnGround, a.Vel = false, geom.Vec{X: 1, Y: -2}
	honest := a
	for tick := range 40 {
		boundedTicks(&a, 1, claimed(a, geom.Vec{X: 4}), ground)
		from := honest.Pos
		v := honest.Vel
		in := Input{Pos: from.Add(v), Delta: geom.Vec{X: 0.8*v.X + 0.056, Y: 0.8*v.Y - 0.02}}
		if r := boundedTicks(&honest, 1, in, ground); r.Clamped {
			t.Fatalf("tick %d: an honest swimmer is clamped from %v to %v", tick, in.Pos, honest.Pos)
		}
	}
	if across := a.Pos.X - 0.5; across > 40*liquidAcross+9 || a.Vel.X > liquidAcross {
		t.Errorf("moved %v blocks in two seconds, final speed %v", across, a.Vel.X)
	}
}
