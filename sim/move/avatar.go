package move

import "github.com/truestep-io/truestep/sim/geom"

// Avatar is the simulated body of a predicted player after a tick: exactly the state on which the next step depends. It is plain
// comparable data: a client stores an avatar for each tick of its history, and steps a copy of it to replay its inputs. Lengths
// are in blocks, speeds in blocks per tick. Create one with NewAvatar. Between two steps, the server sets MayFly and the fields
// below it; a client sets them when the server announces new values.
type Avatar struct {
	Pos, Vel            geom.Vec // position of the feet; velocity after gravity and friction, from which the next step starts
	Pitch, Yaw, HeadYaw float32  // degrees, from the last input
	OnGround            bool     // the player stands on ground
	Collided            Axes     // axes on which the last step collided
	JumpDelay           uint8    // ticks until the next jump while the jump key is held
	Sneaking            bool     // the player sneaks
	Sprinting           bool     // the player sprints
	Swimming            bool     // the player swims lying down; only in water
	Gliding             bool     // the player glides with an elytra; never on the ground
	Flying              bool     // the player flies; only with MayFly
	Crawling            bool     // the player crawls
	ForcedLow           bool     // the player sneaks or crawls only because there is no room to stand up
	SneakHeld           bool     // the sneak key was down in the last input
	SwimPose            uint8    // how far the body has lain down to swim, 0 upright to 10 flat

	MayFly, MayGlide bool     // MayFly: creative flight is allowed; MayGlide: an elytra is worn
	MaySprint        bool     // the hunger bar allows sprinting
	UsingItem        bool     // the player uses an item that slows it, such as a drawn bow or food
	Immobile         bool     // the client was told that its player cannot move
	Dead             bool     // the player is dead until its respawn
	Speed            float32  // movement attribute including effects, without the sprint factor
	JumpBoost        uint8    // level of the jump boost effect, 0 for none
	Levitation       uint8    // level of the levitation effect, 0 for none
	SlowFalling      uint8    // level of the slow falling effect, 0 for none
	GlideBoost       uint16   // remaining ticks of a firework that accelerates a gliding player
	SoulSpeed        bool     // soul sand does not slow the player
	DepthStrider     uint8    // level of the depth strider enchantment, 0 for none
	KnockbackVel     geom.Vec // knockback velocity, valid if HasKnockback
	HasKnockback     bool     // KnockbackVel replaces the velocity in the next step
}

// WalkSpeed is the movement attribute of a player without effects, in blocks per tick.
const WalkSpeed float32 = 0.1

// NewAvatar returns an avatar that stands still on the ground with its feet at the position feet. It may sprint, and
// has no other ability.
func NewAvatar(feet geom.Vec) Avatar {
	return Avatar{Pos: feet, Vel: geom.Vec{Y: restingFall}, OnGround: true, MaySprint: true, Speed: WalkSpeed}
}

// restingFall is the vertical velocity of a player that stands still, in blocks per tick: in every tick the ground stops the
// player, and then one tick of gravity, with drag, gives it this velocity.
const restingFall float32 = -0.0784

// Axes is a set of coordinate axes, such as the axes along which a block stopped a movement.
type Axes uint8

// Values of Axes: one bit for each axis.
const (
	AxisX Axes = 1 << iota // east and west
	AxisY                  // up and down
	AxisZ                  // north and south
)

// Mode is how Avatar.Step computes the position of a predicted player: by simulation, or from the position that the client
// claims.
type Mode uint8

// Values of Mode. The server chooses the mode from its own blocks and the player's abilities, never from what the client claims.
// Movement that cannot be simulated exactly is bounded: the step accepts the client's position and velocity, but only within
// limits, and never a position behind a solid block.
const (
	ModeWalk          Mode = iota // simulated: the player is on its feet, in the air, on a ladder or in a cobweb
	ModeGlide                     // simulated: the player glides with an elytra
	ModeHeld                      // simulated: the player is immobile and does not move
	ModeLiquid                    // simulated: the body touches water or lava
	ModeBoundedLiquid             // bounded: the body touches water or lava, and the rules or an effect prevent its simulation
	ModeFly                       // bounded: the player flies by its ability; only the client knows its inertia
	ModeDead                      // bounded: the player is dead, and only its client knows how its body falls
	modes
)

// Bounded reports whether a step in this mode accepts the client's position within limits instead of simulating it.
func (m Mode) Bounded() bool { return m >= ModeBoundedLiquid }

// String returns the name of the mode in logs and metrics.
func (m Mode) String() string {
	if m >= modes {
		return "unknown"
	}
	return [modes]string{"walk", "glide", "held", "liquid", "bounded_liquid", "fly", "dead"}[m]
}

// StepResult describes what happened in a step, in addition to the resulting avatar.
type StepResult struct {
	Mode          Mode       // how the position was computed
	Refused       InputFlags // requests of the input that were refused; the client is sent the opposite state (rule SV-21 of docs/wire/bedrock.md)
	StanceChanges InputFlags // stances (sprinting, sneaking and so on) that started or ended in this step, requested or not
	Clamped       bool       // bounded modes: the client's position was beyond the limits or in a block, and was limited
}
