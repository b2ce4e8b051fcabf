package bedrock

import (
	"math"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// toVec3 converts a vector in blocks to its type in packets.
func toVec3(v geom.Vec) proto.Vec3 { return proto.Vec3{v.X, v.Y, v.Z} }

// fromVec3 converts a vector of a packet to a vector in blocks.
func fromVec3(v proto.Vec3) geom.Vec { return geom.Vec{X: v[0], Y: v[1], Z: v[2]} }

// eyePosition returns the position of a player's eyes, which packets contain instead of the feet. The parameter v is the
// position of the feet. Both are in blocks.
func eyePosition(v geom.Vec) proto.Vec3 { return proto.Vec3{v.X, v.Y + move.EyeHeight, v.Z} }

// feetPosition is the inverse of eyePosition: it returns the position of a player's feet. The parameter v is the position
// of the eyes. Both are in blocks.
func feetPosition(v proto.Vec3) geom.Vec { return geom.Vec{X: v[0], Y: v[1] - move.EyeHeight, Z: v[2]} }

// inputFlags pairs each input flag of the protocol with the input flag of package sim/move that has the same meaning.
var inputFlags = [...]struct {
	wire proto.InputFlag
	move move.InputFlags
}{
	{proto.InputJumpDown, move.InputJumpDown},
	{proto.InputJumping, move.InputJumping},
	{proto.InputStartJumping, move.InputStartJump},
	{proto.InputSneakDown, move.InputSneakDown},
	{proto.InputSneaking, move.InputSneaking},
	{proto.InputStartSneaking, move.InputStartSneak},
	{proto.InputStopSneaking, move.InputStopSneak},
	{proto.InputSprintDown, move.InputSprintDown},
	{proto.InputSprinting, move.InputSprinting},
	{proto.InputStartSprinting, move.InputStartSprint},
	{proto.InputStopSprinting, move.InputStopSprint},
	{proto.InputStartSwimming, move.InputStartSwim},
	{proto.InputStopSwimming, move.InputStopSwim},
	{proto.InputStartGliding, move.InputStartGlide},
	{proto.InputStopGliding, move.InputStopGlide},
	{proto.InputStartCrawling, move.InputStartCrawl},
	{proto.InputStopCrawling, move.InputStopCrawl},
	{proto.InputStartFlying, move.InputStartFly},
	{proto.InputStopFlying, move.InputStopFly},
	{proto.InputUp, move.InputUp},
	{proto.InputDown, move.InputDown},
	{proto.InputWantUp, move.InputWantUp},
	{proto.InputWantDown, move.InputWantDown},
	{proto.InputHandledTeleport, move.InputHandledTeleport},
	{proto.InputClientVehicle, move.InputVehicle},
	{proto.InputPaddlingLeft, move.InputPaddleLeft},
	{proto.InputPaddlingRight, move.InputPaddleRight},
	{proto.InputStartUsingItem, move.InputStartUsing},
	{proto.InputMissedSwing, move.InputMissedSwing},
	{proto.InputHorizontalCollision, move.InputHorizontalCollision},
	{proto.InputVerticalCollision, move.InputVerticalCollision},
}

// toInput converts a PlayerAuthInput packet to an input for the area. The parameter rtt is the client's round-trip time in ms.
// The parameter unloaded is true while the client lacks the chunk in which its player is, so that it cannot simulate the player.
func toInput(p *proto.PlayerAuthInput, rtt uint16, unloaded bool) move.Input {
	in := move.Input{
		Tick: p.Tick, Pitch: p.Pitch, Yaw: p.Yaw, HeadYaw: p.HeadYaw,
		Move: [2]float32{p.MoveVector[0], p.MoveVector[1]},
		Pos:  feetPosition(p.Position), Delta: fromVec3(p.Delta), RTT: rtt,
	}
	for _, f := range &inputFlags {
		if p.Input.Has(f.wire) {
			in.Flags |= f.move
		}
	}
	if p.Input.Has(proto.InputClientVehicle) {
		in.VehicleYaw = p.VehicleRotation[1]
		if pitch := p.VehicleRotation[0]; !geom.Finite(pitch) {
			in.VehicleYaw = pitch // pass a pitch that is NaN or infinite on as the yaw, so that the area counts it as invalid; a finite pitch is not used
		}
	}
	if unloaded {
		in.Flags |= move.InputUnloaded
	}
	return in
}

// chunkOf returns the chunk that contains the point v. The coordinates of v are in blocks.
func chunkOf(v geom.Vec) proto.ChunkPos {
	return proto.ChunkPos{X: floor(v.X) >> 4, Z: floor(v.Z) >> 4}
}

func floor(v float32) int32 { return int32(math.Floor(float64(v))) }

// toBlockPos returns the block that contains the point v. The coordinates of v are in blocks.
func toBlockPos(v geom.Vec) proto.BlockPos { return proto.BlockPos{floor(v.X), floor(v.Y), floor(v.Z)} }

// kindNetworkIDs returns the network ids of all block kinds. Encoded chunks name block kinds by these ids.
func kindNetworkIDs() proto.KindIDs {
	n := terrain.BlockKindCount()
	ids := proto.KindIDs{Blocks: make([]int32, n), Second: make([]int32, n), Air: blockNetworkID(terrain.Air)}
	for i := range n {
		id := terrain.BlockID(i)
		ids.Blocks[i], ids.Second[i] = blockNetworkID(id), ids.Air
		if id.Kind().InLiquid {
			ids.Second[i] = blockNetworkID(terrain.Water)
		}
	}
	return ids
}

// blockNetworkID returns the network id of a block kind. Every kind has one.
func blockNetworkID(id terrain.BlockID) int32 {
	b, _ := proto.BlockNamed(id.Kind().Word)
	return b.NetworkID()
}
