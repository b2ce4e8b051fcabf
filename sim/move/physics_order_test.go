package move

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// docs/wire/bedrock.md, movement physics, walking, step 9: movement is resolved along Y, then X, then Z. From the corner
// of a block toward its edge, each order ends at a different position.
func TestMovementIsResolvedAlongYThenXThenZ(t *testing.T) {
	for name, c := range map[string]struct {
		fill     terrain.BlockFill
		from, by geom.Vec
		stopped  Axes
	}{
		"X before Z":      {fill(2, 66, 2, 2, 69, 2, terrain.Stone), geom.Vec{X: 1.6, Y: 67, Z: 1.6}, geom.Vec{X: 0.2, Y: 0.1, Z: 0.2}, AxisZ},
		"Y before X":      {fill(2, 66, -2, 2, 66, 2, terrain.Stone), geom.Vec{X: 1.6, Y: 67.1, Z: 0.5}, geom.Vec{X: 0.2, Y: -0.2}, AxisX},
		"Y before X, up":  {fill(2, 69, -2, 2, 69, 2, terrain.Stone), geom.Vec{X: 1.6, Y: 67.1, Z: 0.5}, geom.Vec{X: 0.2, Y: 0.2}, AxisX},
		"Y before Z":      {fill(-2, 66, 2, 2, 66, 2, terrain.Stone), geom.Vec{X: 0.5, Y: 67.1, Z: 1.6}, geom.Vec{Y: -0.2, Z: 0.2}, AxisZ},
		"nothing between": {fill(9, 66, 9, 9, 66, 9, terrain.Stone), geom.Vec{X: 1.6, Y: 67, Z: 1.6}, geom.Vec{X: 0.2, Y: 0.1, Z: 0.2}, 0},
	} {
		a := onFeet(c.from.X, c.from.Y, c.from.Z)
		a.OnGround, a.HasKnockback, a.KnockbackVel = false, true, c.by
		ticks(&a, 1, Input{}, blocksOf(t, c.fill))
		if a.Collided != c.stopped {
			t.Errorf("%s: stopped along %03b, want %03b", name, a.Collided, c.stopped)
		}
	}
}

// docs/wire/bedrock.md, movement physics, walking, step 9: a player that lands in this tick also steps up. A player that
// stays in the air does not.
func TestLandingPlayerStepsUpInSameTick(t *testing.T) {
	ground := blocksOf(t, fill(-2, 64, 1, 2, 64, 9, terrain.SmoothStoneSlab))
	for name, c := range map[string]struct {
		high, fall float32
		up         bool
	}{"lands": {64.1, -0.3, true}, "falls on": {64.4, -0.1, false}, "rises": {64.1, 0.1, false}} {
		a := onFeet(0.5, c.high, 0.6)
		a.OnGround, a.HasKnockback, a.KnockbackVel = false, true, geom.Vec{Y: c.fall, Z: 0.3}
		ticks(&a, 1, Input{}, ground)
		if (a.Pos.Z > 0.8) != c.up || (a.Pos.Y == 64.5) != c.up {
			t.Errorf("%s: at %v", name, a.Pos)
		}
	}
}

// docs/wire/bedrock.md, movement physics, walking, step 2: a horizontal velocity whose square is below 1e-12 becomes 0.
func TestHorizontalVelocityBelowMinimumBecomesZero(t *testing.T) {
	for speed, moves := range map[float32]bool{5e-7: false, 4e-6: true} {
		a := onFeet(0.5, 80, 0.5)
		a.OnGround, a.Vel = false, geom.Vec{X: speed}
		if ticks(&a, 1, Input{}, nil); a.Pos.X > 0.5 != moves {
			t.Errorf("%v: at %v", speed, a.Pos.X)
		}
	}
}

// docs/wire/bedrock.md, movement physics, walking, step 6: a jump does not slow a player that already rises faster.
func TestJumpDoesNotSlowPlayerThatRisesFaster(t *testing.T) {
	for knock, want := range map[float32]float32{0.25: 64.42, 0.75: 64.75} {
		a := onFeet(0.5, 64, 0.5)
		a.HasKnockback, a.KnockbackVel = true, geom.Vec{Y: knock}
		if ticks(&a, 1, Input{Flags: InputStartJump | InputJumping}, nil); geom.Abs(a.Pos.Y-want) > 1e-4 {
			t.Errorf("knocked upward by %v: at %v, want %v", knock, a.Pos.Y, want)
		}
	}
}

// docs/wire/bedrock.md, movement physics, walking, step 8: a sneaking player stops where its box, shrunk by 0.025, is
// still supported. The cases move along X, along Z and along both.
func TestSneakingPlayerStopsAtEdgeOfBlock(t *testing.T) {
	ground := mustBlocks(t, &terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.VoidGround, Level: 64,
		Fills: []terrain.BlockFill{fill(-3, 63, -3, 0, 63, 0, terrain.Stone)}})
	const edge = 1 + 0.3 - 1e-4 - 0.025 + 1e-6
	slow := float32(0.05) // a speed at which the body stops close to the edge
	for name, c := range map[string]struct {
		move         [2]float32
		eastmost     float32 // maximum X, which the body must reach to within 0.01
		southmost    float32
		x, z         float32
		eastStopped  bool
		southStopped bool
	}{
		"south": {[2]float32{0, slow}, 0.5, edge, 0.5, 0.9, false, true},
		"east":  {[2]float32{slow, 0}, edge, 0.5, 0.9, 0.5, true, false},
		"both":  {[2]float32{slow, slow}, edge, edge, 0.9, 0.9, true, true},
	} {
		a := onFeet(c.x, 64, c.z)
		ticks(&a, 400, Input{Move: c.move, Flags: InputStartSneak | InputSneakDown}, ground)
		if !a.OnGround || a.Pos.Y != 64 {
			t.Errorf("%s: fell to %v", name, a.Pos)
		}
		if c.eastStopped && (a.Pos.X > c.eastmost || a.Pos.X < c.eastmost-0.01) || c.southStopped && (a.Pos.Z > c.southmost || a.Pos.Z < c.southmost-0.01) {
			t.Errorf("%s: at %v, want at most %v, %v", name, a.Pos, c.eastmost, c.southmost)
		}
	}
}

// docs/wire/bedrock.md, movement physics, walking, step 8: if the player is supported after each axis alone but not after
// both, the movement on both axes is reduced.
func TestSneakingPlayerStopsAtMissingCornerBlock(t *testing.T) {
	ground := mustBlocks(t, &terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.VoidGround, Level: 64,
		Fills: []terrain.BlockFill{fill(-3, 63, -3, 4, 63, 4, terrain.Stone), fill(1, 63, 1, 4, 63, 4, terrain.Air)}})
	a := onFeet(1.25, 64, 1.25)
	a.HasKnockback, a.KnockbackVel = true, geom.Vec{X: 0.1, Y: restingFall, Z: 0.1}
	if ticks(&a, 1, Input{Flags: InputStartSneak | InputSneakDown}, ground); a.Pos != (geom.Vec{X: 1.25, Y: 64, Z: 1.25}) {
		t.Errorf("at %v", a.Pos)
	}
}

// docs/wire/bedrock.md, movement physics, walking, step 8: a rising player is not stopped at an edge.
func TestRisingPlayerThatSneaksIsNotStoppedAtEdge(t *testing.T) {
	ground := mustBlocks(t, &terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.VoidGround, Level: 64,
		Fills: []terrain.BlockFill{fill(-3, 63, -3, 0, 63, 0, terrain.Stone)}})
	for rise, over := range map[float32]bool{0.2: true, restingFall: false} {
		a := onFeet(0.5, 64, 1.1)
		a.HasKnockback, a.KnockbackVel = true, geom.Vec{Y: rise, Z: 0.4}
		if ticks(&a, 1, Input{Flags: InputStartSneak | InputSneakDown}, ground); a.Pos.Z > 1.3 != over {
			t.Errorf("rising by %v: at %v", rise, a.Pos)
		}
	}
}

// docs/wire/bedrock.md, movement physics, walking, step 10: a player on the ground without vertical movement stays on the
// ground. A rising player does not.
func TestPlayerWithoutVerticalMovementStaysOnGround(t *testing.T) {
	for rise, stands := range map[float32]bool{0: true, 1e-5: true, 2e-3: false, restingFall: true} {
		a := onFeet(0.5, 64, 0.5)
		a.HasKnockback, a.KnockbackVel = true, geom.Vec{Y: rise, Z: 0.1}
		if ticks(&a, 1, Input{}, nil); a.OnGround != stands {
			t.Errorf("rising by %v: on ground %v", rise, a.OnGround)
		}
	}
}

// A flying player keeps flying, instead of swimming, when its body touches water.
func TestFlyingTakesPrecedenceOverWater(t *testing.T) {
	ground := blocksOf(t, fill(-2, 64, -2, 2, 70, 2, terrain.Water))
	for flies, want := range map[bool]Mode{true: ModeFly, false: ModeLiquid} {
		a := onFeet(0.5, 65, 0.5)
		a.MayFly, a.Flying = flies, flies
		if r := ticks(&a, 1, claimed(a, geom.Vec{}), ground); r.Mode != want {
			t.Errorf("flies %v: %v, want %v", flies, r.Mode, want)
		}
	}
}
