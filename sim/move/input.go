package move

import (
	"github.com/truestep-io/truestep/sim/geom"
)

// Input is one tick of a predicting client: the keys that were pressed, and the position that the client predicted from
// them. Lengths are in blocks, angles in degrees, speeds in blocks per tick of 50 ms. The axes are X east,
// Y up, Z south. Fields contain the values from the packet until Clean sanitizes them. Source: docs/wire/bedrock.md,
// PlayerAuthInput.
type Input struct {
	Tick       uint64     // number of the client tick
	Pitch, Yaw float32    // in degrees; yaw 0 faces +Z, 90 faces -X, 180 faces -Z
	HeadYaw    float32    // yaw of the head, which other players see; the step does not use it
	Move       [2]float32 // strafe (positive is left) and forward axes, each -1..1
	Pos        geom.Vec   // predicted position of the feet after this tick: the packet's position minus EyeHeight
	Delta      geom.Vec   // predicted velocity after this tick, after gravity and friction
	Flags      InputFlags // keys and requests
	VehicleYaw float32    // with InputVehicle: yaw of the vehicle as in packets, degrees
	Vehicle    uint64     // with InputVehicle: sim.EntityID of the vehicle, or any other number if the door does not know the vehicle
	RTT        uint16     // round-trip time in ms, measured by the door; the step does not use it
}

// EyeHeight is subtracted from the height of a player in a packet to get the height of its feet, in blocks. Packets contain the
// position of the eyes of a standing player, whatever the posture is.
const EyeHeight float32 = 1.62

// InputFlags are the keys, requests and hints of one input. The bits are not those of the protocol; the gateway converts
// them.
type InputFlags uint64

// Values of InputFlags. The start and stop flags are requests, which Avatar.Step grants or refuses (rule SV-21 of
// docs/wire/bedrock.md).
const (
	InputJumpDown            InputFlags = 1 << iota // the jump key is down
	InputJumping                                    // the jump key or an automatic jump is active; climbs ladders
	InputStartJump                                  // request: a jump begins in this tick
	InputSneakDown                                  // the sneak key is down
	InputSneaking                                   // the client predicts that the player sneaks
	InputStartSneak                                 // request to begin sneaking
	InputStopSneak                                  // request to stop sneaking
	InputSprintDown                                 // the sprint key is down
	InputSprinting                                  // the client predicts that the player sprints
	InputStartSprint                                // request to begin sprinting; each stop flag is the bit above its start flag, see stanceChanges
	InputStopSprint                                 // request to stop sprinting
	InputStartSwim                                  // request to begin swimming
	InputStopSwim                                   // request to stop swimming
	InputStartGlide                                 // request to begin gliding
	InputStopGlide                                  // request to stop gliding
	InputStartCrawl                                 // request to begin crawling
	InputStopCrawl                                  // request to stop crawling
	InputStartFly                                   // request to begin flying
	InputStopFly                                    // request to stop flying
	InputUp                                         // the forward key is down
	InputDown                                       // the backward key is down
	InputWantUp                                     // the player wants to fly up
	InputWantDown                                   // the player wants to fly down
	InputHandledTeleport                            // the client has handled the teleport that was sent
	InputVehicle                                    // Pos and Delta are the position and the velocity of a vehicle, not of the player
	InputStartUsing                                 // use of an item begins in this tick
	InputMissedSwing                                // the player swung its arm without hitting anything
	InputHorizontalCollision                        // the client reports a horizontal collision; the server does not rely on it
	InputVerticalCollision                          // the client reports a vertical collision; the server does not rely on it
	InputUnloaded                                   // set by the door while it has not sent the ground under the player (rule CH-1 of docs/wire/bedrock.md)
	InputStopUsing                                  // set by a client when it replays inputs: use of an item ends in this tick
	InputPaddleLeft                                 // the left paddle of a boat is held, as on a touch screen
	InputPaddleRight                                // the right paddle of a boat is held
	InputFormerVehicle                              // set by the area: the vehicle is the one that the player has left, but its client may not know yet
	InputUnclaimed                                  // set by the door: the client repeats a lost input and states no position; the input is simulated, not compared

	inputStarts = InputStartSneak | InputStartSprint | InputStartSwim | InputStartGlide | InputStartCrawl |
		InputStartFly | InputStartJump
)

// Has reports whether f contains every flag of g.
func (f InputFlags) Has(g InputFlags) bool { return f&g == g }

// Any reports whether f contains at least one flag of g.
func (f InputFlags) Any(g InputFlags) bool { return f&g != 0 }

// Limits of the values of an input (rule SV-16 of docs/wire/bedrock.md).
const (
	MaxMove     = 1.001 // maximum of each component of the move vector; larger values are counted as sanitized
	MaxDistance = 3.2e7 // maximum blocks from the origin on each axis
)

// Cleaned is a set of defects that Clean found in an input. A door counts them in its metrics.
type Cleaned uint8

// Values of Cleaned: one bit for each kind of invalid value in an input.
const (
	CleanedNotFinite Cleaned = 1 << iota // a value was NaN or infinite and was replaced by the server's value
	CleanedMove                          // a component of the move vector was beyond MaxMove
	CleanedPitch                         // the pitch was outside -90..90 degrees
	CleanedFar                           // the position was beyond MaxDistance: the packet is malformed and must not be simulated
)

// Clean makes the input valid for a step. Values that are not finite are replaced by the server's values, the move vector is
// limited to 1 per axis and the pitch to -90..90, and yaws are wrapped to -180..180, which does not count as a defect. The
// parameter last is the avatar before the step. Source: docs/wire/bedrock.md, SV-16.
func (in *Input) Clean(last *Avatar) Cleaned {
	var c Cleaned
	c |= sanitizeFloat(&in.Pitch, last.Pitch) | sanitizeFloat(&in.Yaw, last.Yaw) | sanitizeFloat(&in.HeadYaw, last.HeadYaw)
	c |= sanitizeFloat(&in.VehicleYaw, 0)
	c |= sanitizeFloat(&in.Move[0], 0) | sanitizeFloat(&in.Move[1], 0)
	c |= sanitizeVec(&in.Pos, last.Pos) | sanitizeVec(&in.Delta, last.Vel)
	c |= clampMove(&in.Move[0]) | clampMove(&in.Move[1])
	if in.Pitch < -90 || in.Pitch > 90 {
		in.Pitch = max(-90, min(in.Pitch, 90))
		c |= CleanedPitch
	}
	in.Yaw, in.HeadYaw, in.VehicleYaw = geom.WrapDegrees(in.Yaw), geom.WrapDegrees(in.HeadYaw), geom.WrapDegrees(in.VehicleYaw)
	if !withinMaxDistance(in.Pos.X) || !withinMaxDistance(in.Pos.Y) || !withinMaxDistance(in.Pos.Z) {
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

// sanitizeVec replaces a whole vector of the client by the vector that the server has, if one component is not finite.
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

func withinMaxDistance(x float32) bool { return geom.Abs(x) <= MaxDistance }
