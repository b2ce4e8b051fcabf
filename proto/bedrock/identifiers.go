package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// AvailableActorIdentifiers lists the actor types. Packet 119, server to client, optional.
//
//	size  field  encoding
//	      Data   nbt       built by ActorIdentifiers
//
// Source: docs/wire/bedrock.md, registries.
type AvailableActorIdentifiers struct{ Data NBT }

// ActorIdentifiers builds the packet for the given actor types, such as "minecraft:wolf": a compound with a list
// "idlist" of compounds, each with a string "id".
func ActorIdentifiers(kinds []string) AvailableActorIdentifiers {
	if len(kinds) == 0 {
		return AvailableActorIdentifiers{}
	}
	b := append(wire.VarStr([]byte{tagCompound, 0, tagList}, "idlist"), tagCompound)
	b = wire.VarI32(b, int32(len(kinds)))
	for _, kind := range kinds {
		b = append(wire.VarStr(wire.VarStr(append(b, tagString), "id"), kind), tagEnd)
	}
	return AvailableActorIdentifiers{Data: append(b, tagEnd)}
}

// ID returns IDAvailableActorIdentifiers.
func (AvailableActorIdentifiers) ID() ID { return IDAvailableActorIdentifiers }

// ParseAvailableActorIdentifiers decodes the body of packet 119. Data shares the memory of b. Errors wrap wire.ErrShort,
// wire.ErrRange or wire.ErrTrailing.
func ParseAvailableActorIdentifiers(b []byte, _ Version) (AvailableActorIdentifiers, error) {
	r := wire.NewReader(b)
	p := AvailableActorIdentifiers{Data: readNBT(&r, b)}
	return p, r.Done("AvailableActorIdentifiers")
}

// Append appends the body of packet 119 to b and returns the extended slice.
func (p AvailableActorIdentifiers) Append(b []byte, _ Version) []byte { return appendNBT(b, p.Data) }
