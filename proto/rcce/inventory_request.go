package rcce

import "github.com/truestep-io/truestep/proto/wire"

// InventoryUpdateRequest is one of the packets of type 15 that clients send: InventoryMoveRequest, InventoryDropRequest,
// InventoryPickUpRequest or InventoryGivenRequest. The first byte of the payload says which one it is.
type InventoryUpdateRequest interface {
	Packet
	inventoryUpdateRequest()
}

// ParseInventoryUpdateRequest decodes the payload of a packet of type 15 from a client. b is borrowed, not kept. The result is
// nil if the first byte is unknown. Errors wrap wire.ErrShort, wire.ErrRange (an unknown first byte, or 'G' with a second byte
// other than 'Y' and 'N') or wire.ErrTrailing.
func ParseInventoryUpdateRequest(b []byte) (InventoryUpdateRequest, error) {
	r := newReader(b)
	p := readInventoryUpdateRequest(&r)
	return p, r.done("InventoryUpdateRequest")
}

func readInventoryUpdateRequest(r *reader) InventoryUpdateRequest {
	switch sub := r.sub("SADPG"); sub {
	case InventorySwap, InventoryAdd:
		return InventoryMoveRequest{
			Sub:       sub,
			RuntimeID: r.u16("RuntimeID"),
			From:      r.u8("From"),
			To:        r.u8("To"),
			Amount:    r.u16("Amount"),
		}
	case 'D':
		return InventoryDropRequest{Slot: r.u8("Slot"), Amount: r.u16("Amount")}
	case 'P':
		return InventoryPickUpRequest{Drop: r.u32("Drop"), Slot: r.u8("Slot")}
	case 'G':
		p := InventoryGivenRequest{Taken: r.letter("Taken", "YN") == 'Y', Gift: r.u32("Gift")}
		if p.Taken {
			p.Slot = r.u8("Slot")
		}
		return p
	default:
		return nil
	}
}

// Values of InventoryMoveRequest.Sub, which says how the items are moved.
const (
	InventorySwap = 'S' // exchange two slots, or move items into an empty slot
	InventoryAdd  = 'A' // add items to a stack of the same kind
)

// InventoryMoveRequest asks the server to move items from one slot to another. Type 15 with the letter 'S' or 'A', client to
// server.
//
//	off  size  field      encoding  unit and range
//	0    1     Sub        u8        'S' or 'A'
//	1    2     RuntimeID  u16       owner of the inventory: the player or its pet
//	3    1     From       u8        slot 0..45
//	4    1     To         u8        slot 0..45
//	5    2     Amount     u16       number of items; 0 with 'S' moves all
//
// The parser does not check the slot numbers. Source: docs/wire/rcce.md#inventoryupdate (source code of RealmCrafter's client and
// server).
type InventoryMoveRequest struct {
	Sub       uint8  // InventorySwap or InventoryAdd
	RuntimeID uint16 // runtime id of the owner of the inventory
	From, To  uint8  // source and destination slots, not validated
	Amount    uint16 // number of items to move; 0 with InventorySwap moves all
}

// Append appends the message, 8 bytes including its type, to b and returns the longer slice.
func (p InventoryMoveRequest) Append(b []byte) []byte {
	b = wire.U16(append(b, uint8(TypeInventoryUpdate), p.Sub), p.RuntimeID)
	return wire.U16(append(b, p.From, p.To), p.Amount)
}

// InventoryDropRequest asks the server to put items of a slot on the ground. Type 15 with the letter 'D', client to server.
//
//	off  size  field   encoding  unit and range
//	0    1     'D'
//	1    1     Slot    u8        0..45, not checked here
//	2    2     Amount  u16
//
// Source: docs/wire/rcce.md#inventoryupdate (source code of RealmCrafter's client and server).
type InventoryDropRequest struct {
	Slot   uint8  // slot of the items to drop, not validated
	Amount uint16 // number of items to drop
}

// Append appends the message, 5 bytes including its type, to b and returns the longer slice.
func (p InventoryDropRequest) Append(b []byte) []byte {
	return wire.U16(append(b, uint8(TypeInventoryUpdate), 'D', p.Slot), p.Amount)
}

// InventoryPickUpRequest asks the server to move items from the ground into a slot. Type 15 with the letter 'P', client to
// server.
//
//	off  size  field  encoding  unit and range
//	0    1     'P'
//	1    4     Drop   u32       handle, as in InventoryDropped
//	5    1     Slot   u8        slot into which the client wants the item, 0..45, not checked here
//
// Source: docs/wire/rcce.md#inventoryupdate (source code of RealmCrafter's client and server).
type InventoryPickUpRequest struct {
	Drop uint32 // handle of the items on the ground, as in InventoryDropped
	Slot uint8  // slot into which the client wants the item, not validated
}

// Append appends the message, 7 bytes including its type, to b and returns the longer slice.
func (p InventoryPickUpRequest) Append(b []byte) []byte {
	return append(wire.U32(append(b, uint8(TypeInventoryUpdate), 'P'), p.Drop), p.Slot)
}

// InventoryGivenRequest is the client's reply to the offer InventoryGiven: the slot for the items, or that no slot is free. Type 15
// with the letter 'G', client to server.
//
//	off  size  field  encoding  unit and range
//	0    1     'G'
//	1    1     Taken  u8        'Y' or 'N'
//	2    4     Gift   u32       handle, as in InventoryGiven
//	6    1     Slot   u8        with 'Y', not checked here
//
// Source: docs/wire/rcce.md#inventoryupdate.
type InventoryGivenRequest struct {
	Taken bool   // the client accepts the items
	Gift  uint32 // handle of the offer, as in InventoryGiven
	Slot  uint8  // slot that receives the items; 0 unless Taken
}

// Append appends the message, 7 or 8 bytes including its type, to b and returns the longer slice.
func (p InventoryGivenRequest) Append(b []byte) []byte {
	if !p.Taken {
		return wire.U32(append(b, uint8(TypeInventoryUpdate), 'G', 'N'), p.Gift)
	}
	return append(wire.U32(append(b, uint8(TypeInventoryUpdate), 'G', 'Y'), p.Gift), p.Slot)
}

func (InventoryMoveRequest) inventoryUpdateRequest()   {}
func (InventoryDropRequest) inventoryUpdateRequest()   {}
func (InventoryPickUpRequest) inventoryUpdateRequest() {}
func (InventoryGivenRequest) inventoryUpdateRequest()  {}
