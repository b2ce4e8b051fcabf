package bedrock

import (
	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/sim/move"
)

// Keys holds the keys that a player presses during one tick, and its view direction.
type Keys = keys.Keys

// ridingInput builds the input of a player that rides. The input contains the held keys, but not the requests to sneak, sprint or
// swim, which only a player on foot makes.
func ridingInput(h *keys.InputBuilder, tick uint64, k Keys, r *rider) move.Input {
	in := move.Input{Tick: tick, Pitch: k.Pitch, Yaw: k.Yaw, HeadYaw: k.Yaw, Move: [2]float32{k.Strafe, k.Forward}}
	f := &in.Flags
	keys.SetFlag(f, move.InputUp, k.Forward > 0)
	keys.SetFlag(f, move.InputDown, k.Forward < 0)
	keys.SetFlag(f, move.InputJumpDown, k.Jump)
	keys.SetFlag(f, move.InputPaddleLeft, k.PaddleLeft)
	keys.SetFlag(f, move.InputPaddleRight, k.PaddleRight)
	if r.seat == driverSeat {
		in.Flags |= move.InputVehicle
		in.Vehicle = uint64(r.unique)
	}
	in.Clean(&r.Avatar)
	h.Remember(k)
	return in
}
