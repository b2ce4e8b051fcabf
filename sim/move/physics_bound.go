package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Limits of what the bounded modes accept from the client, in blocks per tick. Source: docs/wire/bedrock.md, movement physics,
// later parts. The limits for liquids are this server's own and tighter, so that a cheating client gains neither height nor speed
// in water.
const (
	boundAcross  float32 = 1.2  // maximum horizontal movement
	boundUp      float32 = 4    // maximum upward movement
	boundDown    float32 = 4    // maximum downward movement
	liquidAcross float32 = 0.32 // maximum horizontal movement in a liquid; chosen for Truestep: a sprinting swimmer moves 0.28
	liquidUp     float32 = 0.42 // maximum upward movement in a liquid, the speed of a jump; chosen for Truestep
	liquidDown   float32 = 0.6  // maximum downward movement in a liquid; chosen for Truestep
	liquidSlack  float32 = 1.01 // a body that the server simulated at a higher speed may move that speed times this factor; for rounding
	liquidCarry  float32 = 0.9  // share of such a higher speed that the body may retain per tick; chosen for Truestep: in water 0.8 remains

	maxClaimedStep float32 = 100  // maximum distance accepted on each axis; larger values could overflow when squared
	groundProbe    float32 = 1e-3 // depth below the feet within which a body counts as standing on ground
)

// bounds are the limits of one step: of its displacement, and of the velocity after it.
type bounds struct{ displacement, velocity limits }

// limits are maximum lengths of a movement, in blocks per tick: horizontally, upward and downward.
type limits struct{ across, up, down float32 }

// stepBounds returns the limits of a mode. A body that enters a liquid may be faster than the limits of the liquid, if the server
// has simulated that velocity. But the limits of its velocity decrease from tick to tick, so that a client cannot keep the speed
// of one leap into a river. A dead body may only fall: it must not move horizontally, because the player may respawn there.
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

// liquidLimits returns the limits of the next movement of a swimmer. The parameters across and up are its present horizontal
// speed and vertical velocity. A limit is that of the liquid or, if the swimmer is faster, its present speed times the parameter
// share.
func liquidLimits(across, up, share float32) limits {
	return limits{
		across: min(max(liquidAcross, float32(across*share)), boundAcross),
		up:     min(max(liquidUp, float32(up*share)), boundUp),
		down:   min(max(liquidDown, float32(-up*share)), boundDown),
	}
}

// clamp returns v shortened to the limits.
func (l limits) clamp(v geom.Vec) geom.Vec {
	v = clampAcross(v, l.across)
	v.Y = max(-l.down, min(v.Y, l.up))
	return v
}

// stepBounded moves the body to the client's position, as far as the limits of the mode and the blocks in between allow. It
// accepts the client's velocity within the limits. The result is true if the body has not reached the client's position.
func (a *Avatar) stepBounded(in *Input, m Mode, ground *terrain.Blocks, s *Scratch) (cut bool) {
	return a.stepWithin(a.stepBounds(m), in, ground, s)
}

// stepWithin moves the body to the client's position, as stepBounded does, but within the limits b.
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

// onFloor reports whether the body stands on ground.
func (a *Avatar) onFloor(ground *terrain.Blocks, s *Scratch) bool {
	s.collectBoxes(a.Pos, geom.Vec{Y: -groundProbe}, a.Height(), 0, ground)
	return s.slideY(-groundProbe) != -groundProbe
}

// clampAcross returns v with its horizontal part shortened to a length of at most maximum.
func clampAcross(v geom.Vec, maximum float32) geom.Vec {
	x, z := clampAbs(v.X, maxClaimedStep), clampAbs(v.Z, maxClaimedStep)
	d := geom.Sqrt(float32(x*x) + float32(z*z))
	if !(d > maximum) {
		return v
	}
	k := maximum / d
	return geom.Vec{X: float32(x * k), Y: v.Y, Z: float32(z * k)}
}
