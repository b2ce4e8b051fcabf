package rcce

import (
	"github.com/truestep-io/truestep/proto/wire"
)

// NewActor tells a client about an actor in its area, with everything that the client needs to display the actor. Type 11, server
// to client.
//
//	off  size  field      encoding  unit and range
//	0    4     Area       u32       handle of the area; clients in other areas drop the packet
//	4    2     RuntimeID  u16       1..65534
//	6    2     Level      u16
//	8    4     XP         u32
//	12   2     Template   u16       id in the project's Actors.dat
//	14   4     X          f32       world units
//	18   4     Y          f32       world units
//	22   4     Z          f32       world units
//	26   4     Yaw        f32       degrees
//	30   1     IsPlayer   u8        1 for a player, 0 for an NPC
//	31   1+n   Name       str8
//	     1+n   Tag        str8      displayed under the name
//	     0..1  Gender     u8        0 male, 1 female; present only if the template's Genders is 0
//
// and then 127 bytes, with offsets from the end of the fields above:
//
//	0    2     Reputation  i16
//	2    2     Face        u16      index of a face of the template
//	4    2     Hair        u16
//	6    2     Body        u16      here Body precedes Beard; in a roster it follows
//	8    2     Beard       u16
//	10   2     Speed       u16      attribute points
//	12   2     SpeedMax    u16
//	14   2     Health      u16
//	16   2     HealthMax   u16
//	18   2     Weapon      u16      item id, 65535 for none
//	20   2     Shield      u16
//	22   2     Hat         u16      here Hat precedes Chest; in InventoryEquipment it follows
//	24   2     Chest       u16
//	26   1     Faction     u8       home faction, 0..99
//	27   100   Ratings     u8       toward each faction, 0..200, 100 is neutral
//
// No flag says whether Gender is present. The length of the packet does: the fields after Gender have 127 bytes, so that
// 128 bytes after Tag include Gender. A client expects Gender if its actor template has Genders 0.
//
// Source: docs/wire/rcce.md#newactor.
type NewActor struct {
	Area                       uint32              // handle of the area, as in ChangeArea
	RuntimeID, Level           uint16              // runtime id of the actor, 1..65534, and its level
	XP                         uint32              // experience points
	Template                   uint16              // id of the actor template
	X, Y, Z, Yaw               float32             // position in world units; Yaw in degrees
	IsPlayer                   uint8               // 1 for a player, 0 for an NPC
	Name, Tag                  string              // name, and tag that is displayed under the name; at most 255 bytes each
	HasGender                  bool                // the field Gender is present
	Gender                     uint8               // gender: 0 male, 1 female; 0 unless HasGender
	Reputation                 int16               // reputation of the actor, as in StatUpdate
	Face, Hair, Body, Beard    uint16              // indices into the meshes and textures of the template
	Speed, SpeedMax            uint16              // current and maximum speed, in attribute points
	Health, HealthMax          uint16              // current and maximum health, in attribute points
	Weapon, Shield, Hat, Chest uint16              // item ids; NoItem if the slot is empty
	Faction                    uint8               // home faction, 0..99
	Ratings                    [FactionCount]uint8 // attitude of the actor toward each faction, 0..200; 100 is neutral
}

// newActorEnd is the total size in bytes of the fields that follow Gender in a NewActor.
const newActorEnd = 27 + FactionCount

// ParseNewActor decodes the payload of a packet of type 11. b is borrowed, not kept. Errors wrap wire.ErrShort or
// wire.ErrTrailing.
func ParseNewActor(b []byte) (NewActor, error) {
	r := newReader(b)
	p := readNewActor(&r)
	return p, r.done("NewActor")
}

func readNewActor(r *reader) NewActor {
	p := NewActor{
		Area:      r.u32("Area"),
		RuntimeID: r.u16("RuntimeID"),
		Level:     r.u16("Level"),
		XP:        r.u32("XP"),
		Template:  r.u16("Template"),
		X:         r.f32("X"),
		Y:         r.f32("Y"),
		Z:         r.f32("Z"),
		Yaw:       r.f32("Yaw"),
		IsPlayer:  r.u8("IsPlayer"),
		Name:      r.str8("Name"),
		Tag:       r.str8("Tag"),
	}
	if r.Left() > newActorEnd {
		p.HasGender, p.Gender = true, r.u8("Gender")
	}
	p.Reputation = r.i16("Reputation")
	p.Face, p.Hair = r.u16("Face"), r.u16("Hair")
	p.Body, p.Beard = r.u16("Body"), r.u16("Beard")
	p.Speed, p.SpeedMax = r.u16("Speed"), r.u16("SpeedMax")
	p.Health, p.HealthMax = r.u16("Health"), r.u16("HealthMax")
	p.Weapon, p.Shield = r.u16("Weapon"), r.u16("Shield")
	p.Hat, p.Chest = r.u16("Hat"), r.u16("Chest")
	p.Faction = r.u8("Faction")
	r.u8s("Ratings", p.Ratings[:])
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p NewActor) Append(b []byte) []byte {
	b = wire.U32(append(b, uint8(TypeNewActor)), p.Area)
	b = wire.U16(b, p.RuntimeID)
	b = wire.U16(b, p.Level)
	b = wire.U32(b, p.XP)
	b = wire.U16(b, p.Template)
	b = wire.F32(b, p.X)
	b = wire.F32(b, p.Y)
	b = wire.F32(b, p.Z)
	b = wire.F32(b, p.Yaw)
	b = append(b, p.IsPlayer)
	b = wire.Str8(b, p.Name)
	b = wire.Str8(b, p.Tag)
	if p.HasGender {
		b = append(b, p.Gender)
	}
	b = wire.U16(b, uint16(p.Reputation))
	for _, v := range [...]uint16{
		p.Face, p.Hair, p.Body, p.Beard,
		p.Speed, p.SpeedMax, p.Health, p.HealthMax,
		p.Weapon, p.Shield, p.Hat, p.Chest,
	} {
		b = wire.U16(b, v)
	}
	b = append(b, p.Faction)
	return append(b, p.Ratings[:]...)
}

// ActorGone makes clients remove an actor. Type 13, server to client. The RealmCrafter server sends the id as u16 when a player
// logs out, and as u32 when a player changes areas. Clients accept both.
//
//	off  size    field      encoding    unit and range
//	0    2 or 4  RuntimeID  u16 or u32  1..65534
//
// Source: docs/wire/rcce.md#actorgone.
type ActorGone struct {
	RuntimeID uint16 // runtime id of the removed actor
	Wide      bool   // RuntimeID has four bytes on the wire instead of two
}

// ParseActorGone decodes the payload of a packet of type 13. b is borrowed, not kept. Errors wrap wire.ErrShort, wire.ErrRange
// (an id above 65535) or wire.ErrTrailing.
func ParseActorGone(b []byte) (ActorGone, error) {
	r := newReader(b)
	p := readActorGone(&r)
	return p, r.done("ActorGone")
}

func readActorGone(r *reader) ActorGone {
	if r.Left() <= 2 {
		return ActorGone{RuntimeID: r.u16("RuntimeID")}
	}
	id := r.u32("RuntimeID")
	if id > 0xffff {
		r.refuse("RuntimeID")
	}
	return ActorGone{RuntimeID: uint16(id), Wide: true}
}

// Append appends the message, 3 or 5 bytes including its type, to b and returns the longer slice.
func (p ActorGone) Append(b []byte) []byte {
	b = append(b, uint8(TypeActorGone))
	if p.Wide {
		return wire.U32(b, uint32(p.RuntimeID))
	}
	return wire.U16(b, p.RuntimeID)
}
