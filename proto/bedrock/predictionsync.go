package bedrock

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// ClientMovementPredictionSync reports the movement attributes that the client uses. Clients send it occasionally and
// after corrections. Packet 322, client to server. It is for diagnostics only; the server must not trust it.
//
//	size  field                encoding    unit and range
//	      Flags                varu128     ActorFlags, LEB128 of up to 19 bytes
//	4     Scale                f32
//	4     Width                f32         blocks
//	4     Height               f32         blocks
//	4     MovementSpeed        f32         blocks per tick, like the next two fields
//	4     UnderwaterSpeed      f32
//	4     LavaSpeed            f32
//	4     JumpStrength         f32
//	4     Health               f32
//	4     Hunger               f32
//	12    Newer                three f32   friction modifier, bounciness, air drag modifier; normally 1, 0, 1
//	      Unique               unique id
//	1     Flying               bool
//
// Source: docs/wire/bedrock.md, other packets.
type ClientMovementPredictionSync struct {
	Flags                ActorFlags    // actor flags of the player
	Scale, Width, Height float32       // size factor, and width and height of the bounding box in blocks
	MovementSpeed        float32       // walking speed, blocks per tick
	UnderwaterSpeed      float32       // speed under water, blocks per tick
	LavaSpeed            float32       // speed in lava, blocks per tick
	JumpStrength         float32       // value of AttributeJumpStrength
	Health, Hunger       float32       // health points and food points
	Newer                [3]float32    // three values: friction modifier, bounciness and air drag modifier; normally 1, 0 and 1
	Unique               ActorUniqueID // id of the player
	Flying               bool          // the player flies
}

// ID returns IDClientMovementPredictionSync.
func (ClientMovementPredictionSync) ID() ID { return IDClientMovementPredictionSync }

// ParseClientMovementPredictionSync decodes the body of packet 322. Errors wrap wire.ErrShort, wire.ErrRange or
// wire.ErrTrailing.
func ParseClientMovementPredictionSync(b []byte, _ Version) (ClientMovementPredictionSync, error) {
	r := wire.NewReader(b)
	p := ClientMovementPredictionSync{
		Flags: readVar128(&r),
		Scale: r.F32(), Width: r.F32(), Height: r.F32(),
		MovementSpeed: r.F32(), UnderwaterSpeed: r.F32(), LavaSpeed: r.F32(), JumpStrength: r.F32(),
		Health: r.F32(), Hunger: r.F32(),
		Newer:  readVec3(&r),
		Unique: r.VarI64(), Flying: r.Bool(),
	}
	return p, r.Done("ClientMovementPredictionSync")
}

// Append appends the body of packet 322 to b and returns the extended slice.
func (p ClientMovementPredictionSync) Append(b []byte, _ Version) []byte {
	b = wire.F32(wire.F32(wire.F32(appendVar128(b, p.Flags), p.Scale), p.Width), p.Height)
	b = wire.F32(wire.F32(wire.F32(wire.F32(b, p.MovementSpeed), p.UnderwaterSpeed), p.LavaSpeed), p.JumpStrength)
	b = appendVec3(wire.F32(wire.F32(b, p.Health), p.Hunger), p.Newer)
	return wire.Bool(wire.VarI64(b, p.Unique), p.Flying)
}

// maxVar128 is the maximum length in bytes of an integer of 128 bits in LEB128. The last byte contains the top two bits.
const maxVar128 = 19 // in bytes

// readVar128 reads an integer of up to 128 bits in LEB128. It returns the low 64 bits first. Like wire.Reader.VarU64 it
// accepts only the shortest encoding.
func readVar128(r *wire.Reader) [2]uint64 {
	var v [2]uint64
	for i := range maxVar128 {
		c := r.U8()
		group, at := uint64(c&0x7f), 7*i
		if at < 64 {
			v[0] |= group << at
			v[1] |= group >> (64 - at)
		} else {
			v[1] |= group << (at - 64)
		}
		switch {
		case r.Err() != nil:
			return [2]uint64{}
		case c == 0 && i > 0 || i == maxVar128-1 && c > 3:
			r.Fail(fmt.Errorf("integer has more than 128 bits or is not in its shortest encoding: %w", wire.ErrRange))
			return [2]uint64{}
		case c < 0x80:
			return v
		}
	}
	return v
}

// appendVar128 appends the integer v as LEB128, in 1 to 19 bytes. The first element of v contains the low 64 bits.
func appendVar128(b []byte, v [2]uint64) []byte {
	for v[0] >= 0x80 || v[1] != 0 {
		b = append(b, uint8(v[0])|0x80)
		v[0], v[1] = v[0]>>7|v[1]<<57, v[1]>>7
	}
	return append(b, uint8(v[0]))
}
