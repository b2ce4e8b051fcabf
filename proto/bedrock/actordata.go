package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// SetActorData changes metadata of an actor; keys that the packet does not list keep their values. Packet 39, server to client.
// If Tick is not 0, the client goes back to that tick in the prediction history of its own player, applies the change there,
// and replays later inputs.
//
//	field       encoding    range
//	Runtime     runtime id
//	Metadata    list
//	Properties  two lists
//	Tick        varu64      tick of the receiving player's input; 0 for other actors
//
// Source: docs/wire/bedrock.md, client-bound packets with a tick; Mojang's PlayerMovementOverview.
type SetActorData struct {
	Runtime    ActorRuntimeID  // actor whose metadata changes
	Metadata   Metadata        // entries that change
	Properties ActorProperties // values of properties that behaviour packs define
	Tick       uint64          // input tick of the receiving player at which the change applies; 0 for other actors
}

// ActorProperties are the values of properties that a behaviour pack, an add-on of the game, declares for an actor. Without
// such packs there are none.
//
//	field   encoding
//	Ints    list {varu32 index, var32 value}
//	Floats  list {varu32 index, f32 value}
type ActorProperties struct {
	Ints   []IntProperty   // integer values
	Floats []FloatProperty // float values
}

// IntProperty is the value of an integer property of an actor: one element of ActorProperties.Ints.
type IntProperty struct {
	Index uint32 // number of the property in the behaviour pack
	Value int32  // value of the property
}

// FloatProperty is the value of a float property of an actor: one element of ActorProperties.Floats.
type FloatProperty struct {
	Index uint32  // number of the property in the behaviour pack
	Value float32 // value of the property
}

// ID returns IDSetActorData.
func (SetActorData) ID() ID { return IDSetActorData }

// ParseSetActorData decodes the body of packet 39. Tags in the metadata share the memory of b. Errors wrap wire.ErrShort,
// wire.ErrRange or wire.ErrTrailing.
func ParseSetActorData(b []byte, _ Version) (SetActorData, error) {
	r := wire.NewReader(b)
	p := SetActorData{
		Runtime: r.VarU64(), Metadata: readMetadata(&r, b), Properties: readActorProperties(&r), Tick: r.VarU64(),
	}
	return p, r.Done("SetActorData")
}

// Append appends the body of packet 39 to b and returns the extended slice. It allocates only if b lacks the capacity.
func (p SetActorData) Append(b []byte, _ Version) []byte {
	b = appendMetadata(wire.VarU64(b, p.Runtime), p.Metadata)
	return wire.VarU64(appendActorProperties(b, &p.Properties), p.Tick)
}

func readActorProperties(r *wire.Reader) ActorProperties {
	return ActorProperties{
		Ints: readList(r, 2, maxList, func(r *wire.Reader) IntProperty {
			return IntProperty{Index: r.VarU32(), Value: r.VarI32()}
		}),
		Floats: readList(r, 1+4, maxList, func(r *wire.Reader) FloatProperty {
			return FloatProperty{Index: r.VarU32(), Value: r.F32()}
		}),
	}
}

func appendActorProperties(b []byte, p *ActorProperties) []byte {
	b = wire.VarU32(b, uint32(len(p.Ints)))
	for _, i := range p.Ints {
		b = wire.VarI32(wire.VarU32(b, i.Index), i.Value)
	}
	b = wire.VarU32(b, uint32(len(p.Floats)))
	for _, f := range p.Floats {
		b = wire.F32(wire.VarU32(b, f.Index), f.Value)
	}
	return b
}
