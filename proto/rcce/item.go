package rcce

import "github.com/truestep-io/truestep/proto/wire"

// ItemInstance is one item with its attributes and its condition. It is contained in several packets.
//
//	off  size    field       encoding   unit and range
//	0    2       ID          u16        id in the project's Items.dat, 65535 none
//	2    40 x 2  Attributes  u16        the value plus 5000
//	82   1       Health      u8         0..100 percent, 0 is broken
//
// Source: RealmCrafter specification, section 2; docs/wire/rcce.md#primitives.
type ItemInstance struct {
	ID         uint16                // item template id; NoItem for none
	Attributes [AttributeCount]int32 // attribute points added to the wearer, -5000..60535
	Health     uint8                 // condition, 0..100 percent
}

// ItemInstanceSize is the number of bytes of an ItemInstance in a packet.
const ItemInstanceSize = 2 + 2*AttributeCount + 1

// attributeBias is the number that is added to an item's attribute in a packet. It makes the field unsigned.
const attributeBias = 5000

func readItemInstance(r *reader) ItemInstance {
	it := ItemInstance{ID: r.u16("Item.ID")}
	r.biased("Item.Attributes", &it.Attributes)
	it.Health = r.u8("Item.Health")
	return it
}

// biased reads the attributes of an item and subtracts attributeBias from each.
func (r *reader) biased(name string, dst *[AttributeCount]int32) {
	start := r.Offset()
	for i := range dst {
		dst[i] = int32(r.U16()) - attributeBias
	}
	r.note(name, KindBiased, start)
}

func appendBiased(b []byte, attributes *[AttributeCount]int32) []byte {
	for _, a := range attributes {
		b = wire.U16(b, uint16(a+attributeBias))
	}
	return b
}

func (it *ItemInstance) append(b []byte) []byte {
	b = appendBiased(wire.U16(b, it.ID), &it.Attributes)
	return append(b, it.Health)
}

// ItemHealth tells a client the condition of an item of its own player. Type 45, server to client.
//
//	off  size  field   encoding  unit and range
//	0    1     Slot    u8        0..45
//	1    2     Health  u16       0..100 percent
//
// Source: docs/wire/rcce.md#itemhealth.
type ItemHealth struct {
	Slot   uint8  // inventory slot, 0..45
	Health uint16 // condition, 0..100 percent
}

// ParseItemHealth decodes the payload of a packet of type 45. b is borrowed, not kept. Errors wrap wire.ErrShort or
// wire.ErrTrailing.
func ParseItemHealth(b []byte) (ItemHealth, error) {
	r := newReader(b)
	p := readItemHealth(&r)
	return p, r.done("ItemHealth")
}

func readItemHealth(r *reader) ItemHealth {
	return ItemHealth{Slot: r.u8("Slot"), Health: r.u16("Health")}
}

// Append appends the message, 4 bytes including its type, to b and returns the longer slice.
func (p ItemHealth) Append(b []byte) []byte {
	return wire.U16(append(b, uint8(TypeItemHealth), p.Slot), p.Health)
}
