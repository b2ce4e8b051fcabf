package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// RemoveActor removes an actor from a client's world. Packet 14, server to client.
//
//	field   encoding   range
//	Unique  unique id
//
// Source: docs/wire/bedrock.md, other packets.
type RemoveActor struct{ Unique ActorUniqueID }

// ID returns IDRemoveActor.
func (RemoveActor) ID() ID { return IDRemoveActor }

// ParseRemoveActor decodes the body of packet 14. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseRemoveActor(b []byte, _ Version) (RemoveActor, error) {
	r := wire.NewReader(b)
	p := RemoveActor{Unique: r.VarI64()}
	return p, r.Done("RemoveActor")
}

// Append appends the body of packet 14 to b and returns the extended slice.
func (p RemoveActor) Append(b []byte, _ Version) []byte { return wire.VarI64(b, p.Unique) }
