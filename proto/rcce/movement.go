package rcce

import (
	"encoding/binary"
	"math"

	"github.com/truestep-io/truestep/proto/wire"
)

// StandardUpdateRequest is the packet StandardUpdate that a client sends: the position and the destination that it claims for its own
// player. Type 14, client to server, unreliable. Known clients send at most one per 140 to 200 ms.
//
//	off  size  field            encoding  unit and range
//	0    4     DestX            f32       world units; destination of the player's movement
//	4    4     DestZ            f32       world units
//	8    4     Y                f32       world units; on the wire the height Y precedes X
//	12   4     X                f32       world units; position that the client claims
//	16   4     Z                f32       world units
//	20   1     IsRunning        u8        0 or 1; any other value counts as 1
//	21   1     WalkingBackward  u8        0 or 1; any other value counts as 1; excludes running
//
// Floats are not checked: NaN, infinities and huge values are possible. The RealmCrafter server accepts any length and
// reads missing bytes as zero, which teleports the actor; here the payload must have exactly 22 bytes.
//
// Source: P_StandardUpdate of the RealmCrafter specification; docs/wire/rcce.md#standardupdate.
type StandardUpdateRequest struct {
	DestX, DestZ    float32 // destination of the player's movement, world units
	Y, X, Z         float32 // claimed position, world units
	IsRunning       uint8   // 1 if the player runs, otherwise 0
	WalkingBackward uint8   // 1 if the player walks backward, otherwise 0
}

// ParseStandardUpdateRequest decodes the payload of a packet of type 14 from a client. b is borrowed, not kept. Errors wrap
// wire.ErrShort or wire.ErrTrailing.
func ParseStandardUpdateRequest(b []byte) (StandardUpdateRequest, error) {
	r := newReader(b)
	p := readStandardUpdateRequest(&r)
	return p, r.done("StandardUpdateRequest")
}

func readStandardUpdateRequest(r *reader) StandardUpdateRequest {
	return StandardUpdateRequest{
		DestX:           r.f32("DestX"),
		DestZ:           r.f32("DestZ"),
		Y:               r.f32("Y"),
		X:               r.f32("X"),
		Z:               r.f32("Z"),
		IsRunning:       r.u8("IsRunning"),
		WalkingBackward: r.u8("WalkingBackward"),
	}
}

// Append appends the message, 23 bytes including its type, to b and returns the longer slice.
func (p StandardUpdateRequest) Append(b []byte) []byte {
	b = append(b, uint8(TypeStandardUpdate))
	b = wire.F32(b, p.DestX)
	b = wire.F32(b, p.DestZ)
	b = wire.F32(b, p.Y)
	b = wire.F32(b, p.X)
	b = wire.F32(b, p.Z)
	return append(b, p.IsRunning, p.WalkingBackward)
}

// StandardUpdateTail says which optional field is at the end of a StandardUpdate. A packet does not name the field; the length
// of the payload determines it.
type StandardUpdateTail uint8

// Values of StandardUpdateTail, with the length of the payload for each.
const (
	NoTail     StandardUpdateTail = iota // no optional field; the payload has 22 bytes
	EnergyTail                           // field Energy, 24 bytes; only about the client's own player, if the world has energy
	HeightTail                           // field Y, 26 bytes; only about another actor, if that actor flies
)

// StandardUpdate tells a client the position and the destination of an actor. Type 14, server to client, unreliable. It is the
// most frequent packet.
//
//	off  size  field            encoding  unit and range
//	0    2     RuntimeID        u16       actor whose position follows
//	2    4     X                f32       world units
//	6    4     Z                f32       world units
//	10   1     IsRunning        u8        0 or 1
//	11   1     WalkingBackward  u8        0 or 1
//	12   4     DestX            f32       world units
//	16   4     DestZ            f32       world units
//	20   2     Mount            u16       runtime id of the mount, 0 for none
//	22   2     Energy           u16       with EnergyTail; clients ignore it
//	22   4     Y                f32       with HeightTail, world units
//
// Source: P_StandardUpdate of the RealmCrafter specification; docs/wire/rcce.md#standardupdate.
type StandardUpdate struct {
	RuntimeID       uint16             // runtime id of the actor
	X, Z            float32            // position of the actor, world units
	IsRunning       uint8              // 1 if the actor runs, otherwise 0
	WalkingBackward uint8              // 1 if the actor walks backward, otherwise 0
	DestX, DestZ    float32            // destination of the actor, world units
	Mount           uint16             // runtime id of the mount; 0 for none
	Tail            StandardUpdateTail // which of the fields Energy and Y is present
	Energy          uint16             // energy, attribute points; 0 unless Tail is EnergyTail
	Y               float32            // height in world units; 0 unless Tail is HeightTail
}

// standardUpdateMax is the maximum size of a StandardUpdate message in bytes, including its type.
const standardUpdateMax = 1 + 22 + 4

// ParseStandardUpdate decodes the payload of a packet of type 14 from a server: 22, 24 or 26 bytes. b is borrowed, not kept.
// Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseStandardUpdate(b []byte) (StandardUpdate, error) {
	r := newReader(b)
	p := readStandardUpdate(&r)
	return p, r.done("StandardUpdate")
}

func readStandardUpdate(r *reader) StandardUpdate {
	p := StandardUpdate{
		RuntimeID:       r.u16("RuntimeID"),
		X:               r.f32("X"),
		Z:               r.f32("Z"),
		IsRunning:       r.u8("IsRunning"),
		WalkingBackward: r.u8("WalkingBackward"),
		DestX:           r.f32("DestX"),
		DestZ:           r.f32("DestZ"),
		Mount:           r.u16("Mount"),
	}
	switch r.Left() {
	case 0:
	case 1, 2:
		p.Tail, p.Energy = EnergyTail, r.u16("Energy")
	default:
		p.Tail, p.Y = HeightTail, r.f32("Y")
	}
	return p
}

// Append appends the message, 23, 25 or 27 bytes including its type, to b and returns the longer slice. It allocates only if b is
// too small, so a broadcast can use one buffer for all packets.
func (p StandardUpdate) Append(b []byte) []byte {
	var m [standardUpdateMax]byte // with an array, all fields need one bounds check and one append
	m[0] = uint8(TypeStandardUpdate)
	binary.LittleEndian.PutUint16(m[1:], p.RuntimeID)
	binary.LittleEndian.PutUint32(m[3:], math.Float32bits(p.X))
	binary.LittleEndian.PutUint32(m[7:], math.Float32bits(p.Z))
	m[11] = p.IsRunning
	m[12] = p.WalkingBackward
	binary.LittleEndian.PutUint32(m[13:], math.Float32bits(p.DestX))
	binary.LittleEndian.PutUint32(m[17:], math.Float32bits(p.DestZ))
	binary.LittleEndian.PutUint16(m[21:], p.Mount)
	switch p.Tail {
	case EnergyTail:
		binary.LittleEndian.PutUint16(m[23:], p.Energy)
		return append(b, m[:25]...)
	case HeightTail:
		binary.LittleEndian.PutUint32(m[23:], math.Float32bits(p.Y))
		return append(b, m[:27]...)
	default:
		return append(b, m[:23]...)
	}
}
