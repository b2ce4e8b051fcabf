package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// AddPlayer adds another player to a client's world. A PlayerList must announce the player first, because only
// PlayerList carries the skin. Packet 12, server to client.
//
//	size  field           encoding          unit and range
//	16    UUID            uuid              as in PlayerList
//	      Name            str
//	      Runtime         runtime id
//	      PlatformChatID  str
//	12    Position        vec3              blocks; feet, unlike in the move packets
//	12    Velocity        vec3              blocks per tick
//	4     Pitch           f32               degrees
//	4     Yaw             f32               degrees
//	4     HeadYaw         f32               degrees
//	      Held            item
//	      GameMode        var32             0 survival, 1 creative, 2 adventure, 6 spectator
//	      Metadata        list
//	      Properties      two lists
//	      Abilities       PlayerAbilities   with the unique id
//	      Links           list              ride links
//	      DeviceID        str
//	4     DeviceOS        i32               0 unknown .. 15 Linux
//
// Source: docs/wire/bedrock.md, other packets.
type AddPlayer struct {
	UUID                UUID            // UUID of the player's PlayerList entry
	Name                string          // name of the player
	Runtime             ActorRuntimeID  // id of the player within the session
	PlatformChatID      string          // id of the player in the chat of its platform, for example a console; "" if none
	Position            Vec3            // feet of the player, blocks; movement packets have the eye position instead
	Velocity            Vec3            // velocity in blocks per tick
	Pitch, Yaw, HeadYaw float32         // rotations in degrees
	Held                Item            // item that the player holds
	GameMode            int32           // Survival, Creative, Adventure or Spectator
	Metadata            Metadata        // appearance and state
	Properties          ActorProperties // values that behaviour packs define
	Abilities           PlayerAbilities // abilities, and the unique id of the player
	Links               []ActorLink     // link to the vehicle that the player rides, or to its riders
	DeviceID            string          // id of the player's device, as the client states it
	DeviceOS            int32           // operating system, 0 unknown .. 15 Linux
}

// ID returns IDAddPlayer.
func (AddPlayer) ID() ID { return IDAddPlayer }

// ParseAddPlayer decodes the body of packet 12. The item and tags in the metadata share the memory of b. Errors wrap
// wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseAddPlayer(b []byte, _ Version) (AddPlayer, error) {
	r := wire.NewReader(b)
	p := AddPlayer{
		UUID: readUUID(&r), Name: r.VarStr(), Runtime: r.VarU64(), PlatformChatID: r.VarStr(),
		Position: readVec3(&r), Velocity: readVec3(&r),
		Pitch: r.F32(), Yaw: r.F32(), HeadYaw: r.F32(),
		Held: readItem(&r), GameMode: r.VarI32(),
		Metadata: readMetadata(&r, b), Properties: readActorProperties(&r),
		Abilities: readPlayerAbilities(&r),
		Links:     readList(&r, minActorLink, maxList, readActorLink),
		DeviceID:  r.VarStr(), DeviceOS: r.I32(),
	}
	return p, r.Done("AddPlayer")
}

// Append appends the body of packet 12 to b and returns the extended slice.
func (p AddPlayer) Append(b []byte, _ Version) []byte {
	b = wire.VarStr(appendUUID(b, p.UUID), p.Name)
	b = wire.VarStr(wire.VarU64(b, p.Runtime), p.PlatformChatID)
	b = appendVec3(appendVec3(b, p.Position), p.Velocity)
	b = wire.F32(wire.F32(wire.F32(b, p.Pitch), p.Yaw), p.HeadYaw)
	b = wire.VarI32(appendItem(b, &p.Held), p.GameMode)
	b = appendActorProperties(appendMetadata(b, p.Metadata), &p.Properties)
	b = appendList(appendPlayerAbilities(b, &p.Abilities), p.Links, appendActorLink)
	return wire.I32(wire.VarStr(b, p.DeviceID), p.DeviceOS)
}
