package bedrock

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Tamper is what a client does to its own movement that an honest one does not (CL-8): a bad line by its delays, a cheat
// by the rest. The zero value does nothing. Its functions are called in the client's goroutine.
type Tamper struct {
	DelayIn  int     // ticks by which what the server sends is held back
	DelayOut int     // ticks by which what is sent is held back
	Rate     float64 // ticks per 50 ms; 0 is 1

	NoBarriers bool // leaves every NetworkStackLatency without an answer

	// Bend changes the state that a step came to, as a client with another physics would; the client believes in it. It
	// must give the same for the same arguments, because a replay calls it again.
	AlterStep func(before move.Avatar, after *move.Avatar, in *move.Input)

	// Input has the last word on what is sent; the client goes on from its own state. It may set NaN, forge the tick, or
	// drop InputHandledTeleport.
	AlterInput func(in *move.Input)
}

// always reports whether every tick is tampered with.
func (t *Tamper) always() bool { return t.AlterStep != nil || t.Rate > 1 }

// input and bend take and give values, so that they do not go to the heap for those who are honest.

func (t *Tamper) alterInput(in move.Input) move.Input {
	if t.AlterInput == nil {
		return in
	}
	forged := in
	t.AlterInput(&forged)
	return forged
}

func (t *Tamper) alterStep(before, after move.Avatar, in move.Input) move.Avatar {
	if t.AlterStep == nil {
		return after
	}
	bent, with := after, in
	t.AlterStep(before, &bent, &with)
	return bent
}

// Cheats are the names that Cheat knows, sorted.
func Cheats() []string {
	return []string{"fly", "nan", "noteleport", "speed", "teleport", "tick", "timer"}
}

// Cheat returns a known kind of cheating; ok is false if there is none of that name. luck is used by that tamper alone.
//
//	speed       walks half as far again as its inputs lead to
//	fly         does not fall, and rises while it jumps
//	timer       lives a quarter faster than the clock
//	teleport    claims to be 8 blocks further, now and then
//	nan         sends numbers that are none, now and then
//	tick        forges ticks, now and then: used ones, lower ones, 0 and huge ones
//	noteleport  never says that it has handled a teleport
func Cheat(name string, luck *rand.Rand) (t *Tamper, ok bool) {
	if !slices.Contains(Cheats(), name) {
		return nil, false
	}
	t = &Tamper{}
	switch name {
	case "speed":
		t.AlterStep = speedUp
	case "fly":
		t.AlterStep = hover
	case "timer":
		t.Rate = 1.25
	case "teleport":
		t.AlterInput = sometimes(luck, func(in *move.Input) {
			in.Pos.X += 8 * (2*luck.Float32() - 1)
			in.Pos.Z += 8 * (2*luck.Float32() - 1)
		})
	case "nan":
		t.AlterInput = sometimes(luck, func(in *move.Input) { notANumber(in, luck) })
	case "tick":
		t.AlterInput = sometimes(luck, func(in *move.Input) {
			in.Tick = [...]uint64{in.Tick - 1, in.Tick - uint64(luck.IntN(100)), 0, in.Tick + 10000, math.MaxInt64, math.MaxUint64}[luck.IntN(6)]
		})
	case "noteleport":
		t.AlterInput = func(in *move.Input) { in.Flags &^= move.InputHandledTeleport }
	}
	return t, true
}

// cheatsOneIn is how many inputs a cheat leaves alone for one that it does not.
const cheatOneIn = 20

func sometimes(luck *rand.Rand, do func(in *move.Input)) func(in *move.Input) {
	return func(in *move.Input) {
		if luck.IntN(cheatOneIn) == 0 {
			do(in)
		}
	}
}

// speedUp adds half of the way again, walls or not.
func speedUp(before move.Avatar, after *move.Avatar, _ *move.Input) {
	after.Pos.X += (after.Pos.X - before.Pos.X) / 2
	after.Pos.Z += (after.Pos.Z - before.Pos.Z) / 2
}

const hoverRise = 0.25 // blocks per tick

func hover(before move.Avatar, after *move.Avatar, in *move.Input) {
	after.Pos.Y, after.Vel.Y = max(before.Pos.Y, after.Pos.Y), 0
	if in.Flags.Has(move.InputJumpDown) {
		after.Pos.Y = before.Pos.Y + hoverRise
	}
}

func notANumber(in *move.Input, luck *rand.Rand) {
	bad := [...]float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32}[luck.IntN(4)]
	switch luck.IntN(5) {
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
