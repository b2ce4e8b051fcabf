package move

import (
	"github.com/truestep-io/truestep/sim/geom"
)

// Input is one tick of a predicting client: what its player pressed, and where the client says that this took him.
// Lengths are blocks, angles degrees, speeds blocks per tick of 50 ms. Axes are Bedrock's: X east, Y up, Z south.
// Fields hold what the wire held until Clean has mended them. Source: docs/wire/bedrock.md, PlayerAuthInput.
type Input struct {
	Tick       uint64
	Pitch, Yaw float32    // yaw 0 looks to +Z, 90 to -X, 180 to -Z
	HeadYaw    float32    // for those who watch; the step does not use it
	Move       [2]float32 // strafe, positive is left, and forward; each -1..1
	Pos        geom.Vec   // predicted feet after this tick: the wire's position less EyeHeight
	Delta      geom.Vec   // predicted velocity after this tick, gravity and friction included
	Flags      InputFlags
	RTT        uint16 // ms, measured by the door; the step does not use it
}

// EyeHeight is how far the position of the wire is above the feet, in blocks, in every posture.
const EyeHeight float32 = 1.62

// InputFlags are the requests and hints of one input. The bits are ours; the gateway maps the wire's numbers.
type InputFlags uint64

// Flags of an input. Start and stop flags are requests, which the step grants or refuses (SV-21).
const (
	InputJumpDown    InputFlags = 1 << iota // the key is down
	InputJumping                            // the key or an automatic jump holds on; climbs ladders
	InputStartJump                          // a jump begins in this tick
	InputSneakDown                          // the key is down
	InputSneaking                           // the client believes that it sneaks
	InputStartSneak                         // request
	InputStopSneak                          // request
	InputSprintDown                         // the key is down
	InputSprinting                          // the client believes that it sprints
	InputStartSprint                        // request, as the pairs of start and stop below; the stop follows the start
	InputStopSprint
	InputStartSwim
	InputStopSwim
	InputStartGlide
	InputStopGlide
	InputStartCrawl
	InputStopCrawl
	InputStartFly
	InputStopFly
	InputUp                  // forward key
	InputDown                // backward key
	InputWantUp              // fly up
	InputWantDown            // fly down
	InputHandledTeleport     // the teleport that was sent has been handled
	InputVehicle             // Pos and Delta are a vehicle's
	InputStartUsing          // an item is used from this tick on
	InputMissedSwing         // the arm struck air
	InputHorizontalCollision // hint, never trusted
	InputVerticalCollision   // hint, never trusted
	InputUnloaded            // set by the door: it has not sent the ground that the player stands on (CH-1)

	inputStarts = InputStartSneak | InputStartSprint | InputStartSwim | InputStartGlide | InputStartCrawl |
		InputStartFly | InputStartJump
)

// Has tells whether all flags of g are in f.
func (f InputFlags) Has(g InputFlags) bool { return f&g == g }

// Any tells whether one of the flags of g is in f.
func (f InputFlags) Any(g InputFlags) bool { return f&g != 0 }

// Limits of what an input may say (SV-16).
const (
	MaxMove     = 1.001 // of a component of the move vector; above it the value is counted as mended
	MaxDistance = 3.2e7 // blocks from the origin on each axis
)

// Cleaned says what Clean had to mend, for the counters of the door.
type Cleaned uint8

// What may have been wrong with an input.
const (
	CleanedNotFinite Cleaned = 1 << iota // NaN or infinity, replaced by the server's value
	CleanedMove                          // a component of the move vector was beyond MaxMove
	CleanedPitch                         // beyond -90..90
	CleanedFar                           // |position| > MaxDistance: the packet is malformed, do not step it
)

// Clean makes in fit for a step: what is not finite takes the value that the server has, the move vector is clamped to
// 1, pitch to -90..90, and yaws are brought to -180..180, which is not counted. last is the avatar before the step.
// Source: SV-16.
func (in *Input) Clean(last *Avatar) Cleaned {
	var c Cleaned
	c |= sanitizeFloat(&in.Pitch, last.Pitch) | sanitizeFloat(&in.Yaw, last.Yaw) | sanitizeFloat(&in.HeadYaw, last.HeadYaw)
	c |= sanitizeFloat(&in.Move[0], 0) | sanitizeFloat(&in.Move[1], 0)
	c |= sanitizeVec(&in.Pos, last.Pos) | sanitizeVec(&in.Delta, last.Vel)
	c |= clampMove(&in.Move[0]) | clampMove(&in.Move[1])
	if in.Pitch < -90 || in.Pitch > 90 {
		in.Pitch = max(-90, min(in.Pitch, 90))
		c |= CleanedPitch
	}
	in.Yaw, in.HeadYaw = geom.WrapDegrees(in.Yaw), geom.WrapDegrees(in.HeadYaw)
	if !inWorld(in.Pos.X) || !inWorld(in.Pos.Y) || !inWorld(in.Pos.Z) {
		in.Pos = last.Pos
		c |= CleanedFar
	}
	return c
}

func sanitizeFloat(x *float32, server float32) Cleaned {
	if geom.Finite(*x) {
		return 0
	}
	*x = server
	return CleanedNotFinite
}

// mendVec replaces the whole vector: two thirds of a position are no position.
func sanitizeVec(v *geom.Vec, server geom.Vec) Cleaned {
	if geom.Finite(v.X) && geom.Finite(v.Y) && geom.Finite(v.Z) {
		return 0
	}
	*v = server
	return CleanedNotFinite
}

func clampMove(x *float32) Cleaned {
	var c Cleaned
	if geom.Abs(*x) > MaxMove {
		c = CleanedMove
	}
	*x = max(-1, min(*x, 1))
	return c
}

func inWorld(x float32) bool { return geom.Abs(x) <= MaxDistance }
