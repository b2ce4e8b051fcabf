package bedrock

import (
	"math/bits"

	"github.com/truestep-io/truestep/proto/wire"
)

// InputFlag is one of the 66 flags of a PlayerAuthInput.
type InputFlag uint8

// Values of InputFlag: the bits of PlayerAuthInput.InputData, under Mojang's names. The flags to start or stop something
// are requests, which the server may refuse.
//
// Source: docs/wire/bedrock.md, input flags.
const (
	InputAscend              InputFlag = 0  // fly up, on a touch screen
	InputDescend             InputFlag = 1  // fly down, on a touch screen
	InputNorthJump           InputFlag = 2  // meaning not documented
	InputJumpDown            InputFlag = 3  // the jump key is down, whether or not the player jumps
	InputSprintDown          InputFlag = 4  // the sprint key is down
	InputChangeHeight        InputFlag = 5  // meaning not documented
	InputJumping             InputFlag = 6  // the player jumps, by key or auto jump; also set in water and in flight
	InputAutoJumpingInWater  InputFlag = 7  // the client jumps by itself in water
	InputSneaking            InputFlag = 8  // the player sneaks, by key or under a low ceiling
	InputSneakDown           InputFlag = 9  // the sneak key is down
	InputUp                  InputFlag = 10 // move forward
	InputDown                InputFlag = 11 // move backward
	InputLeft                InputFlag = 12 // the left key is down
	InputRight               InputFlag = 13 // the right key is down
	InputUpLeft              InputFlag = 14 // forward and left
	InputUpRight             InputFlag = 15 // forward and right
	InputWantUp              InputFlag = 16 // fly up
	InputWantDown            InputFlag = 17 // fly down
	InputWantDownSlow        InputFlag = 18 // fly down slowly
	InputWantUpSlow          InputFlag = 19 // fly up slowly
	InputSprinting           InputFlag = 20 // the client predicts that it sprints
	InputAscendBlock         InputFlag = 21 // climb within a block, such as scaffolding
	InputDescendBlock        InputFlag = 22 // descend within a block, such as scaffolding
	InputSneakToggleDown     InputFlag = 23 // the key that toggles sneaking is down
	InputPersistSneak        InputFlag = 24 // meaning not documented
	InputStartSprinting      InputFlag = 25 // request to start sprinting; the server answers with SetActorData and UpdateAttributes
	InputStopSprinting       InputFlag = 26 // request to stop sprinting; the server answers with SetActorData and UpdateAttributes
	InputStartSneaking       InputFlag = 27 // request to start sneaking; the server answers with SetActorData
	InputStopSneaking        InputFlag = 28 // request to stop sneaking; the server answers with SetActorData
	InputStartSwimming       InputFlag = 29 // request to start swimming
	InputStopSwimming        InputFlag = 30 // request to stop swimming
	InputStartJumping        InputFlag = 31 // a jump starts in this tick; not set for a jump of a vehicle
	InputStartGliding        InputFlag = 32 // request to start gliding with elytra
	InputStopGliding         InputFlag = 33 // request to stop gliding
	InputItemInteract        InputFlag = 34 // PlayerAuthInput has the field Transaction
	InputBlockAction         InputFlag = 35 // PlayerAuthInput has the field BlockActions
	InputItemStackRequest    InputFlag = 36 // PlayerAuthInput has the field StackRequest
	InputHandledTeleport     InputFlag = 37 // the client has applied a teleport
	InputEmoting             InputFlag = 38 // the player plays an emote
	InputMissedSwing         InputFlag = 39 // the arm swing hit nothing
	InputStartCrawling       InputFlag = 40 // request to start crawling
	InputStopCrawling        InputFlag = 41 // request to stop crawling
	InputStartFlying         InputFlag = 42 // request to start flying; the server answers with UpdateAbilities
	InputStopFlying          InputFlag = 43 // request to stop flying
	InputReceivedServerData  InputFlag = 44 // not used by servers that simulate the movement
	InputClientVehicle       InputFlag = 45 // PlayerAuthInput has the vehicle fields, and its Position and Delta describe the vehicle
	InputPaddlingLeft        InputFlag = 46 // the left paddle of a boat moves
	InputPaddlingRight       InputFlag = 47 // the right paddle of a boat moves
	InputBlockBreakDelay     InputFlag = 48 // the client pauses between two broken blocks (on a touch screen, in creative mode)
	InputHorizontalCollision InputFlag = 49 // the client's player hit a wall; a hint, which the server must not trust
	InputVerticalCollision   InputFlag = 50 // the client's player stands on the ground or hit a floor or ceiling; a hint, as above
	InputDownLeft            InputFlag = 51 // backward and left
	InputDownRight           InputFlag = 52 // backward and right
	InputStartUsingItem      InputFlag = 53 // an InventoryTransaction that uses an item belongs to this tick
	InputCameraRelative      InputFlag = 54 // movement is relative to the camera
	InputRotatedByMove       InputFlag = 55 // the player turns towards the direction of movement
	InputStartSpinAttack     InputFlag = 56 // a riptide attack starts
	InputStopSpinAttack      InputFlag = 57 // a riptide attack ends
	InputHotbarOnlyTouch     InputFlag = 58 // meaning not documented
	InputJumpReleasedRaw     InputFlag = 59 // the jump key was released since the last packet
	InputJumpPressedRaw      InputFlag = 60 // the jump key was pressed since the last packet
	InputJumpCurrentRaw      InputFlag = 61 // the jump key is down
	InputSneakReleasedRaw    InputFlag = 62 // the sneak key was released since the last packet
	InputSneakPressedRaw     InputFlag = 63 // the sneak key was pressed since the last packet
	InputSneakCurrentRaw     InputFlag = 64 // the sneak key is down
	InputInternalUpdate      InputFlag = 65 // meaning not documented
	InputFlagCount                     = 66 // number of defined flags
	inputFlagsPerWord                  = 64 // flags per word of InputData
)

// InputData is the set of input flags of one tick. Flag n is bit n%64 of word n/64.
type InputData [2]uint64

// InputDataOf returns the set that has exactly the given flags.
func InputDataOf(flags ...InputFlag) InputData {
	var d InputData
	for _, f := range flags {
		d.Set(f)
	}
	return d
}

// Has reports whether f is in the set.
func (d InputData) Has(f InputFlag) bool {
	return d[f/inputFlagsPerWord&1]>>(f%inputFlagsPerWord)&1 != 0
}

// Set adds f to the set.
func (d *InputData) Set(f InputFlag) { d[f/inputFlagsPerWord&1] |= 1 << (f % inputFlagsPerWord) }

// Clear removes f from the set.
func (d *InputData) Clear(f InputFlag) { d[f/inputFlagsPerWord&1] &^= 1 << (f % inputFlagsPerWord) }

// Len returns the number of flags in the set.
func (d InputData) Len() int { return bits.OnesCount64(d[0]) + bits.OnesCount64(d[1]) }

// readInputData reads the set of input flags: a list of their numbers in any order, without duplicates. In protocol 2169, a
// byte before the list says whether there is a list; without a list the set is empty.
func readInputData(r *wire.Reader, f *layout) InputData {
	var d InputData
	if f.inputsOptional && !r.Bool() {
		return d
	}
	for n := r.VarCount(1, InputFlagCount); n > 0; n-- {
		id := r.VarI32()
		ok := uint32(id) < InputFlagCount && !d.Has(InputFlag(id))
		r.CheckRange(ok, "unknown or repeated input flag")
		if !ok {
			return d
		}
		d.Set(InputFlag(id))
	}
	return d
}

// appendInputData appends the flags in increasing order.
func appendInputData(b []byte, d InputData, f *layout) []byte {
	if f.inputsOptional {
		b = append(b, 1)
	}
	b = wire.VarU32(b, uint32(d.Len()))
	for word, set := range d {
		for ; set != 0; set &= set - 1 {
			b = wire.VarI32(b, int32(word*inputFlagsPerWord+bits.TrailingZeros64(set)))
		}
	}
	return b
}
