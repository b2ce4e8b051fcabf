package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Bits of MoveActorAbsolute.Flags: how a client applies the move.
const (
	MoveOnGround   = 1 // the actor stands on the ground
	MoveTeleported = 2 // the receiver shows the new position at once, without interpolation
	MoveForceLocal = 4 // the packet applies even to an actor that the receiver controls
)

// MoveActorAbsolute sets the position of another actor. Packet 18, legal in both directions, but in practice only
// servers send it. It is the most frequent packet from a server.
//
//	size  field     encoding    unit and range
//	      Runtime   runtime id
//	1     Flags     u8          see the constants
//	12    Position  vec3        blocks; the eyes of a player
//	1     Pitch     u8          360/256 degrees
//	1     Yaw       u8          360/256 degrees
//	1     HeadYaw   u8          360/256 degrees
//
// Source: docs/wire/bedrock.md, other packets.
type MoveActorAbsolute struct {
	Runtime             ActorRuntimeID // actor that moves
	Flags               uint8          // combination of MoveOnGround, MoveTeleported and MoveForceLocal
	Position            Vec3           // position in blocks; for a player the position of its eyes
	Pitch, Yaw, HeadYaw ByteAngle      // rotations, in units of 1/256 of a turn
}

// ID returns IDMoveActorAbsolute.
func (MoveActorAbsolute) ID() ID { return IDMoveActorAbsolute }

// ParseMoveActorAbsolute decodes the body of packet 18. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseMoveActorAbsolute(b []byte, _ Version) (MoveActorAbsolute, error) {
	r := wire.NewReader(b)
	p := MoveActorAbsolute{
		Runtime: r.VarU64(), Flags: r.U8(), Position: readVec3(&r),
		Pitch: ByteAngle(r.U8()), Yaw: ByteAngle(r.U8()), HeadYaw: ByteAngle(r.U8()),
	}
	return p, r.Done("MoveActorAbsolute")
}

// Append appends the body of packet 18 to b and returns the extended slice.
func (p MoveActorAbsolute) Append(b []byte, _ Version) []byte {
	b = appendVec3(append(wire.VarU64(b, p.Runtime), p.Flags), p.Position)
	return append(b, uint8(p.Pitch), uint8(p.Yaw), uint8(p.HeadYaw))
}

// MoveActorDelta sets those coordinates and angles of another actor that have changed. Packet 111, server to client.
//
//	size  field            encoding    unit and range
//	      Runtime          runtime id
//	      X, Y, Z          opt f32     absolute position in blocks; the eyes of a player
//	      Pitch            opt u8      360/256 degrees
//	      Yaw              opt u8      360/256 degrees
//	      HeadYaw          opt u8      360/256 degrees
//	1     OnGround         bool
//	1     Force            bool        do not interpolate
//	1     ForceLocal       bool        also apply to an actor that the receiver controls
//	1     ForceCompletion  bool
//	      Ticks            varu64      only in protocol 2193
//
// Source: docs/wire/bedrock.md, other packets.
type MoveActorDelta struct {
	Runtime             ActorRuntimeID // actor that moves
	X, Y, Z             Opt[float32]   // new coordinates of the actor, blocks; for a player those of its eyes
	Pitch, Yaw, HeadYaw Opt[ByteAngle] // rotations, in units of 1/256 of a turn
	OnGround            bool           // the actor stands on the ground
	Force               bool           // the receiver shows the new position at once, without interpolation
	ForceLocal          bool           // the packet applies even to an actor that the receiver controls
	ForceCompletion     bool           // meaning not documented; not used by Truestep
	Ticks               uint64         // ticks that the movement takes; 0 in protocol 2169
}

// ID returns IDMoveActorDelta.
func (MoveActorDelta) ID() ID { return IDMoveActorDelta }

// ParseMoveActorDelta decodes the body of packet 111. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseMoveActorDelta(b []byte, v Version) (MoveActorDelta, error) {
	r := wire.NewReader(b)
	p := MoveActorDelta{
		Runtime: r.VarU64(),
		X:       readOptF32(&r), Y: readOptF32(&r), Z: readOptF32(&r),
		Pitch: readOptAngle(&r), Yaw: readOptAngle(&r), HeadYaw: readOptAngle(&r),
		OnGround: r.Bool(), Force: r.Bool(), ForceLocal: r.Bool(), ForceCompletion: r.Bool(),
	}
	if v.layout().moveDeltaTicks {
		p.Ticks = r.VarU64()
	}
	return p, r.Done("MoveActorDelta")
}

// Append appends the body of packet 111 to b and returns the extended slice.
func (p MoveActorDelta) Append(b []byte, v Version) []byte {
	b = wire.VarU64(b, p.Runtime)
	b = appendOptF32(appendOptF32(appendOptF32(b, p.X), p.Y), p.Z)
	b = appendOptAngle(appendOptAngle(appendOptAngle(b, p.Pitch), p.Yaw), p.HeadYaw)
	b = wire.Bool(wire.Bool(wire.Bool(wire.Bool(b, p.OnGround), p.Force), p.ForceLocal), p.ForceCompletion)
	if v.layout().moveDeltaTicks {
		b = wire.VarU64(b, p.Ticks)
	}
	return b
}

func readOptAngle(r *wire.Reader) Opt[ByteAngle] {
	if r.Bool() {
		return Some(ByteAngle(r.U8()))
	}
	return Opt[ByteAngle]{}
}

func appendOptAngle(b []byte, o Opt[ByteAngle]) []byte {
	if !o.Has {
		return append(b, 0)
	}
	return append(b, 1, uint8(o.V))
}
