package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// What the ground does to who meets it. Source: docs/wire/bedrock.md, movement physics, constants and step 11.
const (
	collidedBy float32 = 1e-5 // a loss of way that counts as a collision
	bedBounce  float32 = -0.66
	bedLimit   float32 = 1
	slimeCalm  float32 = 0.1 // vertical speed below which slime slows
	slimeDrag  float32 = 0.4
	slimeGain  float32 = 0.2 // more for each block per tick of vertical speed
)

// moveAndLand moves by the velocity and leaves of it what the blocks let through.
func (a *Avatar) moveAndLand(ground *terrain.Blocks, s *Scratch) {
	want, stood, y := a.Vel, a.OnGround, a.Pos.Y
	got := a.sweep(want, ground, s)
	if a.OnGround && !a.Sneaking && a.Pos.Y == y && geom.Abs(got.Y) < slimeCalm &&
		s.support(a.Pos, ground).Bounce == terrain.SlimeBounce {
		drag := slimeDrag + float32(slimeGain*geom.Abs(got.Y))
		got.X, got.Z = float32(got.X*drag), float32(got.Z*drag)
	}
	a.Vel = clearAxes(got, a.Collided)
	if a.OnGround && !stood && !a.Sneaking {
		a.Vel.Y = bounceSpeed(want.Y, s.support(a.Pos, ground).Bounce)
	}
}

// sweep moves the body by want, notes collisions and the ground, and returns how far it came.
func (a *Avatar) sweep(want geom.Vec, ground *terrain.Blocks, s *Scratch) (got geom.Vec) {
	a.Pos, got = s.move(a.Pos, want, a.Height(), a.OnGround, ground)
	a.Collided = blockedAxes(want, got)
	if a.Collided&AxisY != 0 {
		a.OnGround = want.Y < 0
	} else {
		a.OnGround = a.OnGround && geom.Abs(want.Y) <= collidedBy
	}
	return got
}

// lost is the axes on which less was got than wanted, or more.
func blockedAxes(want, got geom.Vec) (c Axes) {
	if geom.Abs(want.X-got.X) >= collidedBy {
		c |= AxisX
	}
	if geom.Abs(want.Y-got.Y) >= collidedBy {
		c |= AxisY
	}
	if geom.Abs(want.Z-got.Z) >= collidedBy {
		c |= AxisZ
	}
	return c
}

// without is v with nothing left on the axes of c.
func clearAxes(v geom.Vec, c Axes) geom.Vec {
	if c&AxisX != 0 {
		v.X = 0
	}
	if c&AxisY != 0 {
		v.Y = 0
	}
	if c&AxisZ != 0 {
		v.Z = 0
	}
	return v
}

// bounced is the vertical velocity after falling with v < 0 onto a block.
func bounceSpeed(v float32, b terrain.Bounce) float32 {
	switch b {
	case terrain.SlimeBounce:
		return -v
	case terrain.BedBounce:
		return min(bedLimit, float32(bedBounce*v))
	}
	return 0
}
