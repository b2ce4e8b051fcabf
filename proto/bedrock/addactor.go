package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// AddActor adds an actor that is not a player to a client's world. Packet 13, server to client.
//
//	size  field       encoding               unit and range
//	      Unique      var64
//	      Runtime     varu64
//	      Type        str                    "minecraft:cow"; must be a type that the client knows
//	12    Position    vec3                   blocks; feet
//	12    Velocity    vec3                   blocks per tick
//	16    Pitch, Yaw, HeadYaw, BodyYaw  f32  degrees
//	      Attributes  list ActorAttribute    at most 4096
//	      Metadata    list
//	      Properties  two lists
//	      Links       list                   ride links
//
// Source: docs/wire/bedrock.md, actors.
type AddActor struct {
	Unique                       ActorUniqueID    // permanent id of the actor
	Runtime                      ActorRuntimeID   // id of the actor within the session
	Type                         string           // for example "minecraft:cow"; the client must know the type
	Position                     Vec3             // feet of the actor, blocks
	Velocity                     Vec3             // velocity in blocks per tick
	Pitch, Yaw, HeadYaw, BodyYaw float32          // rotations in degrees
	Attributes                   []ActorAttribute // attributes, for example the health
	Metadata                     Metadata         // metadata: appearance and state of the actor
	Properties                   ActorProperties  // values of properties that behaviour packs define
	Links                        []ActorLink      // links between the actor and its riders, or the vehicle that it rides
}

// ActorAttribute is an attribute of an actor in AddActor. Unlike Attribute it has no default values.
//
//	size  field     encoding  range
//	      Name      str       "minecraft:health"
//	4     Min       f32
//	4     Current   f32
//	4     Max       f32
type ActorAttribute struct {
	Name              string  // for example "minecraft:health"
	Min, Current, Max float32 // limits of the attribute, and its value
}

// minActorAttribute is the size in bytes of the smallest encoded ActorAttribute, which has an empty name.
const minActorAttribute = 1 + 3*4 // minimum bytes of an attribute: that with an empty name

// ID returns IDAddActor.
func (AddActor) ID() ID { return IDAddActor }

// ParseAddActor decodes the body of packet 13. Tags in the metadata share the memory of b. Errors wrap wire.ErrShort,
// wire.ErrRange or wire.ErrTrailing.
func ParseAddActor(b []byte, _ Version) (AddActor, error) {
	r := wire.NewReader(b)
	p := AddActor{
		Unique:     r.VarI64(),
		Runtime:    r.VarU64(),
		Type:       r.VarStr(),
		Position:   readVec3(&r),
		Velocity:   readVec3(&r),
		Pitch:      r.F32(),
		Yaw:        r.F32(),
		HeadYaw:    r.F32(),
		BodyYaw:    r.F32(),
		Attributes: readList(&r, minActorAttribute, maxList, readActorAttribute),
		Metadata:   readMetadata(&r, b),
		Properties: readActorProperties(&r),
		Links:      readList(&r, minActorLink, maxList, readActorLink),
	}
	return p, r.Done("AddActor")
}

// Append appends the body of packet 13 to b and returns the extended slice.
func (p AddActor) Append(b []byte, _ Version) []byte {
	b = wire.VarStr(wire.VarU64(wire.VarI64(b, p.Unique), p.Runtime), p.Type)
	b = appendVec3(appendVec3(b, p.Position), p.Velocity)
	b = wire.F32(wire.F32(wire.F32(wire.F32(b, p.Pitch), p.Yaw), p.HeadYaw), p.BodyYaw)
	b = appendList(b, p.Attributes, appendActorAttribute)
	b = appendActorProperties(appendMetadata(b, p.Metadata), &p.Properties)
	return appendList(b, p.Links, appendActorLink)
}

func readActorAttribute(r *wire.Reader) ActorAttribute {
	return ActorAttribute{Name: r.VarStr(), Min: r.F32(), Current: r.F32(), Max: r.F32()}
}

func appendActorAttribute(b []byte, a ActorAttribute) []byte {
	return wire.F32(wire.F32(wire.F32(wire.VarStr(b, a.Name), a.Min), a.Current), a.Max)
}
