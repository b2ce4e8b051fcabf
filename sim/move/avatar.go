package move

import "github.com/truestep-io/truestep/sim/geom"

// Avatar is the body of a predicted player after a tick: everything that the next step depends on, and nothing else.
// Plain comparable data: a client keeps one for each tick of its history and steps a copy again. Lengths are blocks,
// speeds blocks per tick. Make one with NewAvatar; the fields from MayFly on belong to the server, which sets them
// between two steps, and a client sets them when it is told.
type Avatar struct {
	Pos, Vel            geom.Vec // feet; the velocity carried into the next step, gravity and friction included
	Pitch, Yaw, HeadYaw float32  // degrees, of the last input
	OnGround            bool
	Collided            Axes  // of the last step
	JumpDelay           uint8 // ticks until the next jump while the key is held
	Sneaking            bool
	Sprinting           bool
	Swimming            bool // lies in water; only there
	Gliding             bool // with an elytra; never on the ground
	Flying              bool // only with MayFly
	Crawling            bool
	ForcedLow           bool // lower than the player asked for, because there is no room to rise
	SneakHeld           bool // the key was down in the last input

	MayFly, MayGlide bool     // abilities: creative flight, an elytra that is worn
	MaySprint        bool     // not too hungry
	UsingItem        bool     // an item that slows: a drawn bow, food
	Immobile         bool     // the client was told to stand still
	Dead             bool     // until it respawns
	Speed            float32  // movement attribute, effects included, without the factor of sprinting
	JumpBoost        uint8    // level of the effect, 0 none
	Levitation       uint8    // level of the effect, 0 none
	SlowFalling      uint8    // level of the effect, 0 none
	KnockbackVel     geom.Vec // valid if Knocked
	HasKnockback     bool     // Knock replaces the velocity in the next step
}

// WalkSpeed is the movement attribute of a healthy player without effects, in blocks per tick.
const WalkSpeed float32 = 0.1

// NewAvatar stands still on the ground at feet, with nothing granted but sprinting.
func NewAvatar(feet geom.Vec) Avatar {
	return Avatar{Pos: feet, Vel: geom.Vec{Y: restingFall}, OnGround: true, MaySprint: true, Speed: WalkSpeed}
}

// restingFall is the velocity with which who stands still is pulled into the ground: one tick of gravity with its drag.
const restingFall float32 = -0.0784

// Axes is a set of axes.
type Axes uint8

// Axes.
const (
	AxisX Axes = 1 << iota
	AxisY
	AxisZ
)

// Mode is how a step came to its result.
type Mode uint8

// Modes. The server's own blocks and abilities choose one, never the client's word. What cannot be simulated honestly is
// bounded: the step takes the client's position and velocity within limits, and never through a solid block.
const (
	ModeWalk   Mode = iota // simulated: on feet, in the air, on a ladder, in a web
	ModeGlide              // simulated: with an elytra
	ModeHeld               // simulated: an immobile player stays where he is
	ModeLiquid             // bounded: the body touches water or lava, whose currents and swimming are not modelled
	ModeFly                // bounded: flight with the ability, whose inertia is the client's
	ModeDead               // bounded: how a corpse settles is the client's
	modes
)

// Bounded tells whether the mode takes the client's word within limits.
func (m Mode) Bounded() bool { return m >= ModeLiquid }

// String is a word for logs and counters.
func (m Mode) String() string {
	if m >= modes {
		return "unknown"
	}
	return [modes]string{"walk", "glide", "held", "liquid", "fly", "dead"}[m]
}

// StepResult says how a step went, beyond what the avatar holds.
type StepResult struct {
	Mode    Mode
	Refused InputFlags // requests of this input that were not granted; the client is told the opposite (SV-21)
	Changed InputFlags // starts and stops that took place, asked for or not
	Clamped bool       // bounded modes: the claim was beyond the limits or went into a block, and was cut
}
