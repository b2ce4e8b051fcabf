package rcce

import "github.com/truestep-io/truestep/proto/wire"

// InventoryUpdate is one of the packets of type 15 that servers send: InventoryEquipment, InventoryDropped, InventoryGone,
// InventoryReceived, InventoryTaken, InventoryGiven or InventoryHealth. The first byte of the payload says which one it is.
type InventoryUpdate interface {
	Packet
	inventoryUpdate()
}

// ParseInventoryUpdate decodes the payload of a packet of type 15 from a server. b is borrowed, not kept. The result is nil if
// the first byte is unknown. Errors wrap wire.ErrShort, wire.ErrRange (an unknown first byte) or wire.ErrTrailing.
func ParseInventoryUpdate(b []byte) (InventoryUpdate, error) {
	r := newReader(b)
	p := readInventoryUpdate(&r)
	return p, r.done("InventoryUpdate")
}

func readInventoryUpdate(r *reader) InventoryUpdate {
	switch r.sub("ODPRTGH") {
	case 'O':
		return readInventoryEquipment(r)
	case 'D':
		return readInventoryDropped(r)
	case 'P':
		return InventoryGone{Drop: r.u32("Drop")}
	case 'R':
		return InventoryReceived{Drop: r.u32("Drop"), Slot: r.u8("Slot")}
	case 'T':
		return InventoryTaken{Slot: r.u8("Slot"), Amount: r.u16("Amount")}
	case 'G':
		return InventoryGiven{Gift: r.u32("Gift"), Item: r.u16("Item"), Amount: r.u16("Amount")}
	case 'H':
		return InventoryHealth{Slot: r.u8("Slot"), Health: r.u8("Health")}
	default:
		return nil
	}
}

// InventoryEquipment tells clients what an actor wears. Type 15 with the letter 'O', server to the other players in the area.
//
//	off  size  field      encoding  unit and range
//	0    1     'O'
//	1    2     RuntimeID  u16
//	3    2     Weapon     u16       item id, 65535 for none
//	5    2     Shield     u16
//	7    2     Chest      u16       here Chest precedes Hat; in NewActor it follows
//	9    2     Hat        u16
//	11   6     Gubbins    u8        1 if the extra mesh with that index is visible
//
// Source: docs/wire/rcce.md#inventoryupdate.
type InventoryEquipment struct {
	RuntimeID                  uint16   // runtime id of the actor
	Weapon, Shield, Chest, Hat uint16   // item ids; NoItem if the slot is empty
	Gubbins                    [6]uint8 // by index of an extra mesh: 1 if the actor displays the mesh
}

func readInventoryEquipment(r *reader) InventoryEquipment {
	p := InventoryEquipment{
		RuntimeID: r.u16("RuntimeID"),
		Weapon:    r.u16("Weapon"),
		Shield:    r.u16("Shield"),
		Chest:     r.u16("Chest"),
		Hat:       r.u16("Hat"),
	}
	r.u8s("Gubbins", p.Gubbins[:])
	return p
}

// Append appends the message, 18 bytes including its type, to b and returns the longer slice.
func (p InventoryEquipment) Append(b []byte) []byte {
	b = append(b, uint8(TypeInventoryUpdate), 'O')
	for _, v := range [...]uint16{p.RuntimeID, p.Weapon, p.Shield, p.Chest, p.Hat} {
		b = wire.U16(b, v)
	}
	return append(b, p.Gubbins[:]...)
}

// InventoryDropped tells clients that items lie on the ground. Type 15 with the letter 'D', server to every player in the area.
//
//	off  size  field    encoding      unit and range
//	0    1     'D'
//	1    2     Amount   u16
//	3    4     X        f32           world units
//	7    4     Y        f32
//	11   4     Z        f32
//	15   4     Drop     u32           handle, any number but 0
//	19   83    Item     ItemInstance
//
// Source: docs/wire/rcce.md#inventoryupdate.
type InventoryDropped struct {
	Amount  uint16       // number of dropped items
	X, Y, Z float32      // position on the ground, world units
	Drop    uint32       // handle of the items on the ground, not 0
	Item    ItemInstance // the item with its attributes and condition
}

func readInventoryDropped(r *reader) InventoryDropped {
	return InventoryDropped{
		Amount: r.u16("Amount"),
		X:      r.f32("X"),
		Y:      r.f32("Y"),
		Z:      r.f32("Z"),
		Drop:   r.u32("Drop"),
		Item:   readItemInstance(r),
	}
}

// Append appends the message, 103 bytes including its type, to b and returns the longer slice.
func (p InventoryDropped) Append(b []byte) []byte {
	b = wire.U16(append(b, uint8(TypeInventoryUpdate), 'D'), p.Amount)
	b = wire.F32(b, p.X)
	b = wire.F32(b, p.Y)
	b = wire.F32(b, p.Z)
	return p.Item.append(wire.U32(b, p.Drop))
}

// InventoryGone tells clients that items were picked up from the ground. Type 15 with the letter 'P', server to all players in
// the area except the one that has picked them up.
//
//	off  size  field  encoding  unit and range
//	0    1     'P'
//	1    4     Drop   u32       handle, as in InventoryDropped
//
// Source: docs/wire/rcce.md#inventoryupdate.
type InventoryGone struct{ Drop uint32 } // handle of the items on the ground, as in InventoryDropped

// Append appends the message, 6 bytes including its type, to b and returns the longer slice.
func (p InventoryGone) Append(b []byte) []byte {
	return wire.U32(append(b, uint8(TypeInventoryUpdate), 'P'), p.Drop)
}

// InventoryReceived tells a client that its own player has picked up items from the ground. Type 15 with the letter 'R', server
// to client.
//
//	off  size  field  encoding  unit and range
//	0    1     'R'
//	1    4     Drop   u32       handle, as in InventoryDropped
//	5    1     Slot   u8        slot that received the item, 0..45
//
// Source: docs/wire/rcce.md#inventoryupdate (source code of RealmCrafter's server).
type InventoryReceived struct {
	Drop uint32 // handle of the items on the ground, as in InventoryDropped
	Slot uint8  // slot that received the item, 0..45
}

// Append appends the message, 7 bytes including its type, to b and returns the longer slice.
func (p InventoryReceived) Append(b []byte) []byte {
	return append(wire.U32(append(b, uint8(TypeInventoryUpdate), 'R'), p.Drop), p.Slot)
}

// InventoryTaken tells a client that items were removed from a slot of its own player. Type 15 with the letter 'T', server to
// client.
//
//	off  size  field   encoding  unit and range
//	0    1     'T'
//	1    1     Slot    u8        0..45
//	2    2     Amount  u16       number of removed items
//
// Source: docs/wire/rcce.md#inventoryupdate.
type InventoryTaken struct {
	Slot   uint8  // slot from which the items are removed, 0..45
	Amount uint16 // number of removed items
}

// Append appends the message, 5 bytes including its type, to b and returns the longer slice.
func (p InventoryTaken) Append(b []byte) []byte {
	return wire.U16(append(b, uint8(TypeInventoryUpdate), 'T', p.Slot), p.Amount)
}

// InventoryGiven offers items to the client's own player. The client selects a slot for them and replies with
// InventoryGivenRequest. Type 15 with the letter 'G', server to client.
//
//	off  size  field   encoding  unit and range
//	0    1     'G'
//	1    4     Gift    u32       handle, any number but 0
//	5    2     Item    u16       item id
//	7    2     Amount  u16
//
// Source: docs/wire/rcce.md#inventoryupdate.
type InventoryGiven struct {
	Gift   uint32 // handle of the offer, not 0
	Item   uint16 // id of the offered item
	Amount uint16 // number of offered items
}

// Append appends the message, 10 bytes including its type, to b and returns the longer slice.
func (p InventoryGiven) Append(b []byte) []byte {
	b = wire.U32(append(b, uint8(TypeInventoryUpdate), 'G'), p.Gift)
	return wire.U16(wire.U16(b, p.Item), p.Amount)
}

// InventoryHealth tells a client the condition of an item, as ItemHealth does, but in one byte. Type 15 with the letter 'H',
// server to client. In the RealmCrafter server, only the scripts of a game send it.
//
//	off  size  field   encoding  unit and range
//	0    1     'H'
//	1    1     Slot    u8        0..45
//	2    1     Health  u8        0..100 percent
//
// Source: docs/wire/rcce.md#inventoryupdate (source code of RealmCrafter's server).
type InventoryHealth struct{ Slot, Health uint8 } // slot 0..45; condition 0..100 percent

// Append appends the message, 4 bytes including its type, to b and returns the longer slice.
func (p InventoryHealth) Append(b []byte) []byte {
	return append(b, uint8(TypeInventoryUpdate), 'H', p.Slot, p.Health)
}

func (InventoryEquipment) inventoryUpdate() {}
func (InventoryDropped) inventoryUpdate()   {}
func (InventoryGone) inventoryUpdate()      {}
func (InventoryReceived) inventoryUpdate()  {}
func (InventoryTaken) inventoryUpdate()     {}
func (InventoryGiven) inventoryUpdate()     {}
func (InventoryHealth) inventoryUpdate()    {}
