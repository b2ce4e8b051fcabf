package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// MobArmorEquipment sets the armour that an actor wears. Packet 32, server to client.
//
//	field    encoding
//	Runtime  runtime id
//	Helmet   item
//	Chest    item
//	Legs     item
//	Boots    item
//	Body     item        of a horse or a wolf
//
// Source: docs/wire/bedrock.md, other packets.
type MobArmorEquipment struct {
	Runtime                          ActorRuntimeID // actor that wears the armour
	Helmet, Chest, Legs, Boots, Body Item           // Body is the armour of a horse or a wolf
}

// ID returns IDMobArmorEquipment.
func (MobArmorEquipment) ID() ID { return IDMobArmorEquipment }

// ParseMobArmorEquipment decodes the body of packet 32. The items share the memory of b. Errors wrap wire.ErrShort,
// wire.ErrRange or wire.ErrTrailing.
func ParseMobArmorEquipment(b []byte, _ Version) (MobArmorEquipment, error) {
	r := wire.NewReader(b)
	p := MobArmorEquipment{
		Runtime: r.VarU64(),
		Helmet:  readItem(&r), Chest: readItem(&r), Legs: readItem(&r), Boots: readItem(&r), Body: readItem(&r),
	}
	return p, r.Done("MobArmorEquipment")
}

// Append appends the body of packet 32 to b and returns the extended slice.
func (p MobArmorEquipment) Append(b []byte, _ Version) []byte {
	b = appendItem(appendItem(wire.VarU64(b, p.Runtime), &p.Helmet), &p.Chest)
	return appendItem(appendItem(appendItem(b, &p.Legs), &p.Boots), &p.Body)
}
