package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Limits of what the bounded modes accept from the client, in blocks per tick. Source: docs/wire/bedrock.md, movement
// physics, later parts. The limits for liquids are our own and tighter, so that water cannot be used to gain height
// or speed.
const (
	boundAcross  float32 = 1.2
	boundUp      float32 = 4
	boundDown    float32 = 4
	liquidAcross float32 = 0.32 // maximum horizontal movement in a liquid; own choice: a sprinting swimmer moves 0.28
	liquidUp     float32 = 0.42 // maximum upward movement in a liquid: own choice: the speed of a jump
	liquidDown   float32 = 0.6  // maximum downward movement in a liquid; own choice
	liquidSlack  float32 = 1.01 // factor on a higher speed that the server has simulated itself, to allow for rounding of positions
	liquidCarry  float32 = 0.9  // share of such a higher speed that is kept for the next tick; own choice: water keeps 0.8

	maxClaimedStep float32 = 100  // maximum distance accepted on each axis; larger values could overflow when squared
	groundProbe    float32 = 1e-3 // depth below the feet within which a body counts as standing on ground
)

// bounds are the limits of one step: of its displacement, and of the velocity kept for the next step.
type bounds struct{ displacement, velocity limits }

type limits struct{ across, up, down float32 }

// stepBounds returns the limits of a mode. A body that enters a liquid faster than the limits of the liquid, by the velocity
// that the server knows, is slowed down to them. Otherwise one leap into a river could carry the body along the whole river.
// The client decides how a dead body falls, but not where it lies, because the player may respawn there.
func (a *Avatar) stepBounds(m Mode) bounds {
	switch m {
	case ModeFly:
		maximum := limits{boundAcross, boundUp, boundDown}
		return bounds{maximum, maximum}
	case ModeDead:
		down := limits{down: boundDown}
		return bounds{down, down}
	}
	across := geom.Sqrt(lengthXZ2(a.Vel))
	return bounds{liquidLimits(across, a.Vel.Y, liquidSlack), liquidLimits(across, a.Vel.Y, liquidCarry)}
}

// liquidLimits are the limits of a swimmer that keeps a share of its speed.
func liquidLimits(across, up, share float32) limits {
	return limits{
		across: min(max(liquidAcross, float32(across*share)), boundAcross),
		up:     min(max(liquidUp, float32(up*share)), boundUp),
		down:   min(max(liquidDown, float32(-up*share)), boundDown),
	}
}

// clamp shortens v to the limits.
func (l limits) clamp(v geom.Vec) geom.Vec {
	v = clampAcross(v, l.across)
	v.Y = max(-l.down, min(v.Y, l.up))
	return v
}

// stepBounded takes the client's position and velocity as far as the limits of the mode and the blocks in between
// allow, and reports whether the position was clamped.
func (a *Avatar) stepBounded(in *Input, m Mode, ground *terrain.Blocks, s *Scratch) (cut bool) {
	return a.stepWithin(a.stepBounds(m), in, ground, s)
}

// stepWithin is stepBounded with the given limits.
func (a *Avatar) stepWithin(b bounds, in *Input, ground *terrain.Blocks, s *Scratch) (cut bool) {
	asked := in.Pos.Sub(a.Pos)
	want := b.displacement.clamp(asked)
	s.collectBoxes(a.Pos, want, a.Height(), 0, ground)
	a.Collided = blockedAxes(want, s.slide(want))
	a.Pos = s.feet
	v := b.velocity.clamp(in.Delta)
	a.Vel = clearAxes(v, a.Collided)
	a.OnGround = v.Y <= 0 && a.onFloor(ground, s)
	return want != asked || a.Collided != 0
}

// onFloor reports whether there is ground directly under the feet.
func (a *Avatar) onFloor(ground *terrain.Blocks, s *Scratch) bool {
	s.collectBoxes(a.Pos, geom.Vec{Y: -groundProbe}, a.Height(), 0, ground)
	return s.slideY(-groundProbe) != -groundProbe
}

// clampAcross shortens the horizontal part of v to maximum.
func clampAcross(v geom.Vec, maximum float32) geom.Vec {
	x, z := clampAbs(v.X, maxClaimedStep), clampAbs(v.Z, maxClaimedStep)
	d := geom.Sqrt(float32(x*x) + float32(z*z))
	if !(d > maximum) {
		return v
	}
	k := maximum / d
	return geom.Vec{X: float32(x * k), Y: v.Y, Z: float32(z * k)}
}
