package bedrock

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Tamper modifies a client's behaviour for tests (rule CL-8 of docs/wire/bedrock.md): some fields simulate a slow
// connection, the others make the client cheat. The zero value changes nothing. Its functions are called in the client's
// goroutine.
type Tamper struct {
	DelayIn  int     // ticks by which received packets are delayed
	DelayOut int     // ticks by which sent packets are delayed
	Rate     float64 // speed of the client's clock: game ticks per 50 ms; 0 selects 1

	NoBarriers bool // do not answer NetworkStackLatency

	// AlterStep changes the player's state after a simulated tick, as a client with modified physics does. The client
	// continues with the changed state. AlterStep must be deterministic, because a replay calls it again.
	AlterStep func(before move.Avatar, after *move.Avatar, in *move.Input)

	// AlterVehicle is like AlterStep, but changes the state of the vehicle that the player drives.
	AlterVehicle func(before move.Vehicle, after *move.Vehicle, in *move.Input)

	// AlterInput changes the input that is sent to the server, but not the state with which the client continues. It may
	// set NaN, forge the tick, or remove InputHandledTeleport.
	AlterInput func(in *move.Input)
}

// always reports whether all inputs of the client count as altered, because its physics or the speed of its clock is
// altered.
func (t *Tamper) always() bool { return t.AlterStep != nil || t.AlterVehicle != nil || t.Rate > 1 }

// alterInput returns the input to send, which AlterInput may have changed. It takes and returns a value, not a pointer: with a
// pointer, the inputs of honest clients would be allocated on the heap, too.
func (t *Tamper) alterInput(in move.Input) move.Input {
	if t.AlterInput == nil {
		return in
	}
	forged := in
	t.AlterInput(&forged)
	return forged
}

// alterStep calls AlterStep, which must not be nil, and returns the state after the tick with its changes.
func (t *Tamper) alterStep(before, after move.Avatar, in move.Input) move.Avatar {
	altered, with := after, in
	t.AlterStep(before, &altered, &with)
	return altered
}

func (t *Tamper) alterVehicle(before, after move.Vehicle, in move.Input) move.Vehicle {
	if t.AlterVehicle == nil {
		return after
	}
	altered, with := after, in
	t.AlterVehicle(before, &altered, &with)
	return altered
}

// CheatNames returns the names that NewCheat accepts, sorted.
func CheatNames() []string {
	return []string{"fly", "nan", "noteleport", "speed", "spin", "teleport", "tick", "timer"}
}

// NewCheat returns the Tamper of a named cheat; ok is false for an unknown name. rng must not be used by other clients.
//
//	speed       moves 50 % further per tick
//	fly         does not fall, and rises while jumping
//	spin        turns its vehicle by 30 degrees per tick
//	timer       runs 25 % more ticks
//	teleport    occasionally claims a position up to 8 blocks away
//	nan         occasionally sends NaN and infinities
//	tick        occasionally sends forged ticks: already used, lower, 0 or huge
//	noteleport  never reports a teleport as handled
func NewCheat(name string, rng *rand.Rand) (t *Tamper, ok bool) {
	if !slices.Contains(CheatNames(), name) {
		return nil, false
	}
	t = &Tamper{}
	switch name {
	case "speed":
		t.AlterStep, t.AlterVehicle = speedUp, speedUpVehicle
	case "fly":
		t.AlterStep, t.AlterVehicle = hover, hoverVehicle
	case "spin":
		t.AlterVehicle = spin
	case "timer":
		t.Rate = 1.25
	case "teleport":
		t.AlterInput = sometimes(rng, func(in *move.Input) {
			in.Pos.X += 8 * (2*rng.Float32() - 1)
			in.Pos.Z += 8 * (2*rng.Float32() - 1)
		})
	case "nan":
		t.AlterInput = sometimes(rng, func(in *move.Input) { notANumber(in, rng) })
	case "tick":
		t.AlterInput = sometimes(rng, func(in *move.Input) {
			in.Tick = [...]uint64{in.Tick - 1, in.Tick - uint64(rng.IntN(100)), 0, in.Tick + 10000, math.MaxInt64, math.MaxUint64}[rng.IntN(6)]
		})
	case "noteleport":
		t.AlterInput = func(in *move.Input) { in.Flags &^= move.InputHandledTeleport }
	}
	return t, true
}

// cheatOneIn is the number n for which a cheat that acts occasionally alters one of n inputs, on average.
const cheatOneIn = 20

func sometimes(rng *rand.Rand, do func(in *move.Input)) func(in *move.Input) {
	return func(in *move.Input) {
		if rng.IntN(cheatOneIn) == 0 {
			do(in)
		}
	}
}

// speedUp implements the cheat "speed": it increases each horizontal movement by half, even through walls.
func speedUp(before move.Avatar, after *move.Avatar, _ *move.Input) {
	after.Pos.X += (after.Pos.X - before.Pos.X) / 2
	after.Pos.Z += (after.Pos.Z - before.Pos.Z) / 2
}

func speedUpVehicle(before move.Vehicle, after *move.Vehicle, _ *move.Input) {
	after.Pos.X += (after.Pos.X - before.Pos.X) / 2
	after.Pos.Z += (after.Pos.Z - before.Pos.Z) / 2
}

// spinStep is the angle in degrees by which the cheat "spin" turns a vehicle per tick.
const spinStep = 30

func spin(before move.Vehicle, after *move.Vehicle, _ *move.Input) {
	after.Yaw = geom.WrapDegrees(before.Yaw + spinStep)
}

const hoverRise = 0.25 // speed of the cheat "fly" while jumping, in blocks per tick

func hover(before move.Avatar, after *move.Avatar, in *move.Input) {
	after.Pos.Y, after.Vel.Y = max(before.Pos.Y, after.Pos.Y), 0
	if in.Flags.Has(move.InputJumpDown) {
		after.Pos.Y = before.Pos.Y + hoverRise
	}
}

func hoverVehicle(before move.Vehicle, after *move.Vehicle, in *move.Input) {
	after.Pos.Y, after.Vel.Y = max(before.Pos.Y, after.Pos.Y), 0
	if in.Flags.Has(move.InputJumpDown) {
		after.Pos.Y = before.Pos.Y + hoverRise
	}
}

func notANumber(in *move.Input, rng *rand.Rand) {
	bad := [...]float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32}[rng.IntN(4)]
	switch rng.IntN(5) {
	case 0:
		in.Pos = geom.Vec{X: bad, Y: bad, Z: bad}
	case 1:
		in.Delta.Y = bad
	case 2:
		in.Yaw, in.HeadYaw = bad, bad
	case 3:
		in.Pitch = bad
	case 4:
		in.Move = [2]float32{bad, bad}
	}
}
