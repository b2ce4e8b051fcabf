package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Factors by which a block changes the velocity of a body that lands on it. Source: docs/wire/bedrock.md, movement physics,
// constants and step 11.
const (
	collisionLoss     float32 = 1e-5  // a movement shortened by at least this many blocks counts as a collision
	bedBounce         float32 = -0.66 // factor on the vertical speed when a body lands on a bed
	bedLimit          float32 = 1     // maximum vertical speed after landing on a bed
	slimeDragBelow    float32 = 0.1   // vertical speed below which slime slows a walking body
	slimeDrag         float32 = 0.4   // factor on the horizontal speed on slime, at vertical speed 0
	slimeDragPerSpeed float32 = 0.2   // increase of the factor slimeDrag per unit of vertical speed
)

// moveAndLand moves the body by its velocity. Then it changes the velocity: the axes on which blocks stopped the body become 0,
// and the block on which the body lands or slides can make it bounce or slow it.
func (a *Avatar) moveAndLand(ground *terrain.Blocks, s *Scratch) {
	want, stood, y := a.Vel, a.OnGround, a.Pos.Y
	got := a.sweep(want, ground, s)
	if a.OnGround && !a.Sneaking && a.Pos.Y == y && geom.Abs(got.Y) < slimeDragBelow &&
		s.supportBlock(a.Pos, ground).Bounce == terrain.SlimeBounce {
		drag := slimeDrag + float32(slimeDragPerSpeed*geom.Abs(got.Y))
		got.X, got.Z = float32(got.X*drag), float32(got.Z*drag)
	}
	a.Vel = clearAxes(got, a.Collided)
	if a.OnGround && !stood && !a.Sneaking {
		a.Vel.Y = bounceSpeed(want.Y, s.supportBlock(a.Pos, ground).Bounce)
	}
}

// sweep moves the body by the displacement want as far as the blocks allow, updates Collided and OnGround, and returns
// the displacement that was made.
func (a *Avatar) sweep(want geom.Vec, ground *terrain.Blocks, s *Scratch) (got geom.Vec) {
	if ground.HasAny(terrain.PlatformTrait) && !a.Sneaking {
		s.collectFloors(a.Pos, want, ground)
	}
	a.Pos, got = s.move(a.Pos, want, a.Height(), a.OnGround, ground)
	s.floors = s.floors[:0]
	a.Collided = blockedAxes(want, got)
	if a.Collided&AxisY != 0 {
		a.OnGround = want.Y < 0
	} else {
		a.OnGround = a.OnGround && geom.Abs(want.Y) <= collisionLoss
	}
	return got
}

// blockedAxes returns the axes on which blocks stopped a movement: those on which the body moved less far (got) than it was to
// move (want).
func blockedAxes(want, got geom.Vec) (c Axes) {
	if geom.Abs(want.X-got.X) >= collisionLoss {
		c |= AxisX
	}
	if geom.Abs(want.Y-got.Y) >= collisionLoss {
		c |= AxisY
	}
	if geom.Abs(want.Z-got.Z) >= collisionLoss {
		c |= AxisZ
	}
	return c
}

// clearAxes returns v with the components of the axes in c set to 0.
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

// bounceSpeed returns the vertical velocity of a body after it has landed on a block. The parameter v is the vertical velocity
// before, which is negative.
func bounceSpeed(v float32, b terrain.Bounce) float32 {
	switch b {
	case terrain.SlimeBounce:
		return -v
	case terrain.BedBounce:
		return min(bedLimit, float32(bedBounce*v))
	}
	return 0
}
