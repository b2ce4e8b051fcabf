package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Factors by which a block changes the velocity of a body that lands on it. Source: docs/wire/bedrock.md, movement physics,
// constants and step 11.
const (
	collisionLoss     float32 = 1e-5 // minimum shortening of the movement that counts as a collision
	bedBounce         float32 = -0.66
	bedLimit          float32 = 1
	slimeDragBelow    float32 = 0.1 // vertical speed below which slime slows the body
	slimeDrag         float32 = 0.4
	slimeDragPerSpeed float32 = 0.2 // factor on the horizontal speed that is added per unit of vertical speed
)

// moveAndLand moves the body by its velocity and keeps of the velocity what the blocks allow.
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

// sweep moves the body by want, updates Collided and OnGround, and returns the displacement.
func (a *Avatar) sweep(want geom.Vec, ground *terrain.Blocks, s *Scratch) (got geom.Vec) {
	if ground.Has(terrain.PlatformTrait) && !a.Sneaking {
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

// blockedAxes is the set of axes on which the displacement differs from the wanted one.
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

// clearAxes is v with the axes of c set to 0.
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

// bounceSpeed is the vertical velocity after landing with v < 0 on a block.
func bounceSpeed(v float32, b terrain.Bounce) float32 {
	switch b {
	case terrain.SlimeBounce:
		return -v
	case terrain.BedBounce:
		return min(bedLimit, float32(bedBounce*v))
	}
	return 0
}
