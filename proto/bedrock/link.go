package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Values of ActorLink.Type: whether the rider is on the actor, and in which seat.
const (
	LinkRemoved   = 0 // the rider has dismounted
	LinkRider     = 1 // the rider steers
	LinkPassenger = 2 // the rider sits on the actor without steering
)

// ActorLink links a rider to the actor on which it rides.
//
//	size  field            encoding   range
//	      Ridden           unique id
//	      Rider            unique id
//	1     Type             u8         LinkRemoved..LinkPassenger, not checked
//	1     Immediate        bool
//	1     RiderInitiated   bool
//	4     AngularVelocity  f32        of the vehicle
//
// Source: docs/wire/bedrock.md, other packets (Link).
type ActorLink struct {
	Ridden, Rider             ActorUniqueID // actor on which Rider rides, and the rider
	Type                      uint8         // LinkRemoved..LinkPassenger, not validated
	Immediate, RiderInitiated bool          // Immediate: apply the link at once; RiderInitiated: the rider asked for the link
	AngularVelocity           float32       // angular velocity of the vehicle
}

// minActorLink is the size in bytes of the smallest encoded ActorLink.
const minActorLink = 1 + 1 + 1 + 1 + 1 + 4 // minimum bytes of a link: that with one-byte ids

// SetActorLink makes an actor ride on another one, or ends the ride. Packet 41, server to client. The client must
// know both actors.
//
//	size  field  encoding
//	      Link   ActorLink
//
// Source: docs/wire/bedrock.md, other packets (Link).
type SetActorLink struct{ Link ActorLink }

// ID returns IDSetActorLink.
func (SetActorLink) ID() ID { return IDSetActorLink }

// ParseSetActorLink decodes the body of packet 41. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseSetActorLink(b []byte, _ Version) (SetActorLink, error) {
	r := wire.NewReader(b)
	p := SetActorLink{Link: readActorLink(&r)}
	return p, r.Done("SetActorLink")
}

// Append appends the body of packet 41 to b and returns the extended slice.
func (p SetActorLink) Append(b []byte, _ Version) []byte { return appendActorLink(b, p.Link) }

func readActorLink(r *wire.Reader) ActorLink {
	return ActorLink{
		Ridden: r.VarI64(), Rider: r.VarI64(), Type: r.U8(), Immediate: r.Bool(), RiderInitiated: r.Bool(),
		AngularVelocity: r.F32(),
	}
}

func appendActorLink(b []byte, l ActorLink) []byte {
	b = append(wire.VarI64(wire.VarI64(b, l.Ridden), l.Rider), l.Type)
	return wire.F32(wire.Bool(wire.Bool(b, l.Immediate), l.RiderInitiated), l.AngularVelocity)
}
