package rcce

import "github.com/truestep-io/truestep/proto/wire"

// Values of RepositionActor.Sub: the packet moves or turns an actor.
const (
	RepositionMove   = 'M' // the position changes
	RepositionRotate = 'R' // the yaw changes
)

// RepositionActor makes clients move or turn an actor within its area, for example to correct the position of the client's own
// player. Type 49, server to client. The RealmCrafter server sometimes omits Sub, and clients then misread the packet. This type
// always contains Sub.
//
//	off  size  field            encoding  unit and range
//	0    1     Sub              u8        'M' or 'R'
//	1    2     RuntimeID        u16
//	3    4     X                f32       'M', world units
//	7    4     Y                f32       'M', world units
//	11   4     Z                f32       'M', world units
//	15   1     IgnoreCollision  u8        'M': 0 resets the client's collision state and moves its camera
//	16   0..1  Extra            u8        'M': sent by scripts of the RealmCrafter server; clients ignore it
//	3    4     Yaw              f32       'R', degrees
//
// Source: docs/wire/rcce.md#repositionactor.
type RepositionActor struct {
	Sub             uint8   // RepositionMove or RepositionRotate
	RuntimeID       uint16  // runtime id of the actor
	X, Y, Z         float32 // new position, world units; 0 if Sub is RepositionRotate
	IgnoreCollision uint8   // 0: the client resets its collision state and moves its camera; only if Sub is RepositionMove
	HasExtra        bool    // the field Extra is present
	Extra           uint8   // value that clients ignore; 0 unless HasExtra
	Yaw             float32 // new yaw, degrees; 0 if Sub is RepositionMove
}

// ParseRepositionActor decodes the payload of a packet of type 49 from a server: 16 or 17 bytes with 'M', 7 with 'R'. b is
// borrowed, not kept. Errors wrap wire.ErrShort, wire.ErrRange (an unknown Sub) or wire.ErrTrailing.
func ParseRepositionActor(b []byte) (RepositionActor, error) {
	r := newReader(b)
	p := readRepositionActor(&r)
	return p, r.done("RepositionActor")
}

func readRepositionActor(r *reader) RepositionActor {
	p := RepositionActor{Sub: r.sub("MR"), RuntimeID: r.u16("RuntimeID")}
	if p.Sub == RepositionRotate {
		p.Yaw = r.f32("Yaw")
		return p
	}
	p.X, p.Y, p.Z = r.f32("X"), r.f32("Y"), r.f32("Z")
	p.IgnoreCollision = r.u8("IgnoreCollision")
	if r.more() {
		p.HasExtra, p.Extra = true, r.u8("Extra")
	}
	return p
}

// Append appends the message, 8, 17 or 18 bytes including its type, to b and returns the longer slice.
func (p RepositionActor) Append(b []byte) []byte {
	b = wire.U16(append(b, uint8(TypeRepositionActor), p.Sub), p.RuntimeID)
	if p.Sub == RepositionRotate {
		return wire.F32(b, p.Yaw)
	}
	b = wire.F32(b, p.X)
	b = wire.F32(b, p.Y)
	b = wire.F32(b, p.Z)
	b = append(b, p.IgnoreCollision)
	if p.HasExtra {
		b = append(b, p.Extra)
	}
	return b
}

// RepositionActorRequest acknowledges a RepositionActor. Type 49, client to server. As for ChangeAreaRequest, servers ignore the
// payload, and current RealmCrafter clients do not send the packet.
//
//	off  size  field  encoding  unit and range
//	0    rest  Echo   bytes     meaningless
//
// Source: docs/wire/rcce.md#repositionactor.
type RepositionActorRequest struct{ Echo string } // payload, any bytes

// ParseRepositionActorRequest decodes the payload of a packet of type 49 from a client. It accepts any payload.
func ParseRepositionActorRequest(b []byte) (RepositionActorRequest, error) {
	r := newReader(b)
	p := readRepositionActorRequest(&r)
	return p, r.done("RepositionActorRequest")
}

func readRepositionActorRequest(r *reader) RepositionActorRequest {
	return RepositionActorRequest{Echo: r.rest("Echo")}
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p RepositionActorRequest) Append(b []byte) []byte {
	return append(append(b, uint8(TypeRepositionActor)), p.Echo...)
}
