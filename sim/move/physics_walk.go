package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Constants of walking, jumping and falling. Speeds are in blocks per tick of 50 ms. Source: docs/wire/bedrock.md, movement
// physics, constants.
const (
	impulseScale float32 = 0.98   // factor on the move vector
	sneakImpulse float32 = 0.3    // limit of the move vector while sneaking or crawling
	usingImpulse float32 = 0.1225 // limit of the move vector while using an item
	minImpulse2  float32 = 1e-4   // square of the length of a move vector below which it does not move the body

	airFriction    float32 = 0.91       // factor on the horizontal speed per tick in the air
	groundAccel    float32 = 0.16277136 // acceleration on ground is this divided by the cube of the friction
	airAccel       float32 = 0.02       // acceleration in the air for an input of 1
	airAccelSprint float32 = 0.026      // acceleration in the air for an input of 1 while sprinting
	SprintFactor   float32 = 1.3        // factor on the movement attribute while sprinting; clients are sent the product
	probeDepth     float32 = 0.5        // depth below the feet of the block whose friction applies

	jumpSpeed      float32 = 0.42 // vertical speed at the start of a jump
	jumpBoostSpeed float32 = 0.1  // jump speed added per level of jump boost
	jumpDelayTicks         = 10   // minimum ticks between two jumps while the key is held
	sprintJump     float32 = 0.2  // forward speed added by a jump while sprinting

	climbSpeed    float32 = 0.2  // vertical speed on a ladder
	scaffoldSpeed float32 = 0.15 // vertical speed in scaffolding

	honeyAcross float32 = 0.4  // factor on the horizontal velocity of a body that touches the cell of a honey block
	honeySlide  float32 = 0.12 // maximum falling speed of a body that slides down honey
	honeyJump   float32 = 0.6  // factor on the speed of a jump from honey

	gravity        float32 = 0.08
	slowGravity    float32 = 0.01 // gravity of a falling body under the slow falling effect
	verticalDrag   float32 = 0.98 // factor on the vertical speed per tick
	levitationLift float32 = 0.01 // speed added per tick and level of levitation
	levitationKeep float32 = 0.8  // share of the vertical speed that remains per tick of levitation

	minSpeed float32 = 1e-30 // horizontal speeds below this are set to 0; chosen for Truestep, not a value of the game

	radPerDegree float32 = 0.017453292 // pi / 180, rounded as in the client
)

// stepWalk computes one tick of a player that is on its feet, in the air, on a ladder, or in a block that slows it.
func (a *Avatar) stepWalk(in *Input, t contacts, ground *terrain.Blocks, s *Scratch) {
	if t.sticky {
		a.Vel = geom.Vec{X: float32(a.Vel.X * honeyAcross), Y: max(a.Vel.Y, -honeySlide), Z: float32(a.Vel.Z * honeyAcross)}
	}
	below := terrain.Air.Kind()
	if a.OnGround {
		below = ground.At(blockAt(a.Pos.X), blockAt(a.Pos.Y-probeDepth), blockAt(a.Pos.Z)).Kind()
	}
	friction, accel := a.groundFriction(below)
	a.accelerate(in, accel)
	a.jump(in, below.Sticky)
	a.climb(in, ground)
	rising := a.Vel.Y
	if slowed := a.moveSlowed(t, ground, s); slowed {
		rising = 0
	}
	a.applyGravity(rising)
	a.Vel.X = flushTiny(float32(a.Vel.X * friction))
	a.Vel.Z = flushTiny(float32(a.Vel.Z * friction))
}

// moveSlowed moves the body by its velocity, slowed by the blocks that it touches. A sneaking body does not fall off an
// edge. A body that was slowed has no velocity afterwards.
func (a *Avatar) moveSlowed(t contacts, ground *terrain.Blocks, s *Scratch) (slowed bool) {
	slowed = t.slow.X != 0
	if slowed {
		a.Vel = geom.Vec{X: float32(a.Vel.X * t.slow.X), Y: float32(a.Vel.Y * t.slow.Y), Z: float32(a.Vel.Z * t.slow.Z)}
	}
	if a.Sneaking && a.OnGround && a.Vel.Y <= 0 {
		a.guardEdge(ground, s)
	}
	a.moveAndLand(ground, s)
	if slowed {
		a.Vel = geom.Vec{}
	}
	return slowed
}

// flushTiny returns the speed v, or 0 if v is too small to move anything. Friction alone would reduce v to a denormal number but
// never to 0, and arithmetic with denormal numbers is slow.
func flushTiny(v float32) float32 {
	if geom.Abs(v) < minSpeed {
		return 0
	}
	return v
}

// groundFriction returns the factor on the horizontal speed in this tick, and the acceleration for a move vector of length 1. The
// parameter below is the kind of block probeDepth below the feet; it matters only for a body on the ground.
func (a *Avatar) groundFriction(below *terrain.BlockKind) (friction, accel float32) {
	if !a.OnGround {
		if a.Sprinting {
			return airFriction, airAccelSprint
		}
		return airFriction, airAccel
	}
	friction = float32(airFriction * below.Slipperiness)
	speed := a.Speed
	if !a.SoulSpeed {
		speed = float32(speed * below.SpeedFactor)
	}
	if a.Sprinting {
		speed = float32(speed * SprintFactor)
	}
	cube := float32(float32(friction*friction) * friction)
	return friction, float32(speed * float32(groundAccel/cube))
}

// accelerate adds to the velocity what the movement keys cause in one tick: the move vector times accel, rotated by the yaw.
func (a *Avatar) accelerate(in *Input, accel float32) {
	maximum := float32(1)
	if a.UsingItem {
		maximum = usingImpulse
	}
	if a.Sneaking || a.Crawling {
		maximum = float32(maximum * sneakImpulse)
	}
	a.accelerateWithin(in, accel, maximum)
}

// accelerateWithin accelerates the body like accelerate, but limits each component of the move vector to maximum.
func (a *Avatar) accelerateWithin(in *Input, accel, maximum float32) {
	strafe := float32(clampAbs(in.Move[0], maximum) * impulseScale)
	forward := float32(clampAbs(in.Move[1], maximum) * impulseScale)
	q := float32(strafe*strafe) + float32(forward*forward)
	if q < minImpulse2 {
		return
	}
	k := accel / max(geom.Sqrt(q), 1)
	strafe, forward = float32(strafe*k), float32(forward*k)
	facing := float32(a.Yaw * radPerDegree)
	sin, cos := sine(facing), cosine(facing)
	a.Vel.X += float32(strafe*cos) - float32(forward*sin)
	a.Vel.Z += float32(forward*cos) + float32(strafe*sin)
}

// jump starts a jump from the ground, in the tick of the request or while the key is held. A held key is enough, because after
// a correction a player may reach the ground in another tick than the one in which its client requested the jump. Releasing the
// key ends the delay until the next jump. Honey below the feet makes the jump lower.
func (a *Avatar) jump(in *Input, honey bool) {
	if !in.Flags.Has(InputJumping) {
		a.JumpDelay = 0
	}
	if !in.Flags.Any(InputStartJump|InputJumping) || a.JumpDelay > 0 {
		return
	}
	if !a.OnGround {
		if in.Flags.Has(InputStartJump) {
			a.JumpDelay = jumpDelayTicks // the client has jumped in its own prediction, so its delay has begun
		}
		return
	}
	speed := jumpSpeed + float32(jumpBoostSpeed*float32(a.JumpBoost))
	if honey {
		speed = float32(speed * honeyJump)
	}
	a.Vel.Y = max(a.Vel.Y, speed)
	a.JumpDelay = jumpDelayTicks
	if a.Sprinting {
		facing := float32(a.Yaw * radPerDegree)
		a.Vel.X -= float32(sine(facing) * sprintJump)
		a.Vel.Z += float32(cosine(facing) * sprintJump)
	}
}

// followJumpDelay gives JumpDelay the value that it has on the client, while the server does not simulate the player's inputs.
// The client simulates them at its own position and may have jumped there.
func (a *Avatar) followJumpDelay(in *Input) {
	switch {
	case a.JumpDelay == seatedJumpDelay:
		return
	case in.Flags.Has(InputStartJump):
		a.JumpDelay = jumpDelayTicks
	case !in.Flags.Has(InputJumping):
		a.JumpDelay = 0
	}
	if a.JumpDelay > 0 {
		a.JumpDelay--
	}
}

// climb limits the falling speed of a body with its feet on a ladder. It raises a body that jumps or that presses against
// the ladder.
func (a *Avatar) climb(in *Input, ground *terrain.Blocks) {
	k := ground.At(blockAt(a.Pos.X), blockAt(a.Pos.Y), blockAt(a.Pos.Z)).Kind()
	switch {
	case !k.Climbable:
		return
	case k.Platform:
		a.climbScaffolding(in)
		return
	}
	a.Vel.Y = max(a.Vel.Y, -climbSpeed)
	if in.Flags.Has(InputJumping) || a.Collided&(AxisX|AxisZ) != 0 {
		a.Vel.Y = climbSpeed
	}
	if a.Sneaking {
		a.Vel.Y = max(a.Vel.Y, 0)
	}
}

// climbScaffolding moves a body whose feet are in scaffolding: up if it jumps, down if it sneaks. Otherwise it limits the
// falling speed.
func (a *Avatar) climbScaffolding(in *Input) {
	switch {
	case in.Flags.Has(InputJumping):
		a.Vel.Y = scaffoldSpeed
	case a.Sneaking:
		a.Vel.Y = -scaffoldSpeed
	default:
		a.Vel.Y = max(a.Vel.Y, -scaffoldSpeed)
	}
}

// applyGravity changes the vertical velocity by one tick of gravity or, with the levitation effect, of levitation. The
// parameter rising is the vertical velocity with which the body tried to move in this tick, before blocks stopped it.
// Levitation computes the new velocity from it. The slow falling effect reduces gravity only if rising is negative.
func (a *Avatar) applyGravity(rising float32) {
	if a.Levitation > 0 {
		lift := float32(levitationLift * float32(a.Levitation))
		// The product is exact in float64, so the sum is rounded only once.
		a.Vel.Y = float32(float32(float64(levitationKeep)*float64(rising)+float64(lift)) * verticalDrag)
		return
	}
	g := gravity
	if a.SlowFalling > 0 && rising < 0 {
		g = slowGravity
	}
	a.Vel.Y = float32((a.Vel.Y - g) * verticalDrag)
}
