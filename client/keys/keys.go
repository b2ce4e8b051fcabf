// Package keys converts the keys that a player presses to the inputs of client-side prediction, as the client of Minecraft:
// Bedrock does. An input contains the held keys, and requests such as the start of sprinting. Headless clients use it for
// protocols in which the server simulates the inputs of the players.
package keys

import (
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Keys holds the keys that a player presses during one tick, and its view direction.
type Keys struct {
	Yaw, Pitch  float32 // direction of view in degrees; yaw 0 faces +Z, 90 faces -X; pitch -90 is straight up
	Strafe      float32 // sideways input, -1..1; positive is left
	Forward     float32 // forward input, -1..1; positive is forward
	Jump        bool    // jump key: jump; in water rise; in flight climb
	Sneak       bool    // sneak key: sneak; in water sink; in flight descend
	Sprint      bool    // sprint key: sprint; under water start swimming
	Swing       bool    // swing the arm at air
	PaddleLeft  bool    // hold the left paddle of a boat, as on a touch screen
	PaddleRight bool    // hold the right paddle of a boat
	Use         bool    // hold the use key, for an item that is used over some time, such as a bow
	Glide       bool    // glide with an elytra; the game has no key for it: players press the jump key in the air
}

// SprintForward is the value of Keys.Forward above which a player may sprint (rule SV-21 of docs/wire/bedrock.md).
const SprintForward = 0.7

// retryTicks is the time in ticks after which a sprint request is repeated if the server has not granted it. The value was
// chosen without measurements.
const retryTicks = 10

// InputBuilder builds a player's inputs from its keys, one per tick. It remembers the previous keys, to detect which were pressed
// or released.
type InputBuilder struct {
	previous          Keys   // keys of the previous tick
	lastSprintRequest uint64 // tick of the last request to start or stop sprinting
}

// Input returns the input of a tick for a player in the state a. Like the client of Minecraft: Bedrock, it sets a flag for
// each key that is held, and flags that request the start or the end of sneaking, gliding, sprinting, swimming and using an
// item.
func (h *InputBuilder) Input(tick uint64, k Keys, a *move.Avatar, ground *terrain.Blocks) move.Input {
	in := move.Input{Tick: tick, Pitch: k.Pitch, Yaw: k.Yaw, HeadYaw: k.Yaw, Move: [2]float32{k.Strafe, k.Forward}}
	f := &in.Flags
	SetFlag(f, move.InputUp, k.Forward > 0)
	SetFlag(f, move.InputDown, k.Forward < 0)
	SetFlag(f, move.InputJumpDown|move.InputJumping|move.InputWantUp, k.Jump)
	SetFlag(f, move.InputStartJump, k.Jump && a.OnGround && a.JumpDelay == 0)
	SetFlag(f, move.InputSneakDown|move.InputWantDown, k.Sneak)
	SetFlag(f, move.InputStartSneak, k.Sneak && !h.previous.Sneak)
	SetFlag(f, move.InputStopSneak, !k.Sneak && h.previous.Sneak)
	SetFlag(f, move.InputSneaking, k.Sneak)
	SetFlag(f, move.InputStartGlide, k.Glide && a.MayGlide && !a.Gliding && !a.OnGround && a.Levitation == 0)
	SetFlag(f, move.InputStopGlide, !k.Glide && a.Gliding)
	SetFlag(f, move.InputSprintDown, k.Sprint)
	h.requestSprint(f, k, a, tick)
	requestSwim(f, k, a, ground)
	SetFlag(f, move.InputMissedSwing, k.Swing)
	SetFlag(f, move.InputStartUsing, k.Use && !h.previous.Use)
	SetFlag(f, move.InputStopUsing, !k.Use && h.previous.Use)
	SetFlag(f, move.InputHorizontalCollision, a.Collided&(move.AxisX|move.AxisZ) != 0)
	SetFlag(f, move.InputVerticalCollision, a.Collided&move.AxisY != 0)
	in.Clean(a)
	h.previous = k
	return in
}

// Remember stores the keys of a tick whose input was not built by Input. The next call of Input compares its keys with them, to
// detect which were pressed or released.
func (h *InputBuilder) Remember(k Keys) { h.previous = k }

// requestSprint adds a request to start or stop sprinting to the flags f, if the state a of the player is not what the keys
// demand. It repeats the request after retryTicks, as long as the server has not granted it.
func (h *InputBuilder) requestSprint(f *move.InputFlags, k Keys, a *move.Avatar, tick uint64) {
	want := k.Sprint && (k.Forward > SprintForward || a.Swimming && k.Forward > 0) && a.MaySprint && !a.UsingItem && !k.Sneak
	SetFlag(f, move.InputSprinting, want)
	if want == a.Sprinting || tick-h.lastSprintRequest < retryTicks && h.previous.Sprint == k.Sprint && h.previous.Forward == k.Forward {
		return
	}
	h.lastSprintRequest = tick
	SetFlag(f, move.InputStartSprint, want)
	SetFlag(f, move.InputStopSprint, !want)
}

// requestSwim requests the start of swimming when the eyes of a sprinting player are under water. It requests the end when
// the player no longer sprints or touches no water.
func requestSwim(f *move.InputFlags, k Keys, a *move.Avatar, ground *terrain.Blocks) {
	want := k.Sprint && k.Forward > 0 && !k.Sneak && !a.Dead && !a.Flying
	if a.Swimming {
		want = want && a.TouchesWater(ground)
	} else {
		want = want && a.MaySprint && k.Forward > SprintForward && a.EyesUnderWater(ground)
	}
	if want == a.Swimming {
		return
	}
	SetFlag(f, move.InputStartSwim, want)
	SetFlag(f, move.InputStopSwim, !want)
}

// SetFlag adds flag to the set f if on is true. It never removes a flag.
func SetFlag(f *move.InputFlags, flag move.InputFlags, on bool) {
	if on {
		*f |= flag
	}
}
