package bedrock

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// TransactionType is the type of an InventoryTransaction.
type TransactionType uint32

// Values of TransactionType, the type of an InventoryTransaction.
const (
	TransactionNormal         TransactionType = 0 // items were moved; the packet has only Actions
	TransactionMismatch       TransactionType = 1 // the client requests its inventory again
	TransactionUseItem        TransactionType = 2 // the item was used on a block or in the air; see UseItem
	TransactionUseItemOnActor TransactionType = 3 // the item was used on an actor; see UseItemOnActor
	TransactionReleaseItem    TransactionType = 4 // the use of the item ended; see ReleaseItem
)

// InventoryTransaction reports what a client did with an item. Packet 30, legal in both directions, but in practice
// only clients send it. It is part of the same tick as the PlayerAuthInput that follows it.
//
//	field            encoding       range
//	LegacyRequestID  var32
//	LegacySlots      opt list       {u8 container, list u8 slots}
//	Type             varu32         0..4; in protocol 2169 after a byte 1
//	Actions          list           in protocol 2169 after a byte 1
//	data                            UseItem, UseOnActor or Release, depending on the type; none for 0 and 1
//
// Source: docs/wire/bedrock.md, other packets; Mojang's PlayerMovementOverview for the pairing.
type InventoryTransaction struct {
	LegacyRequestID int32             // id of the request to which LegacySlots belongs; 0 if there is none
	LegacySlots     []LegacySlots     // slots that the client changed without an ItemStackRequest; nil if the list is absent on the wire
	Type            TransactionType   // what the player did
	Actions         []InventoryAction // slots that the client expects to change
	UseItem         UseItem           // use of an item on a block or in the air; zero unless Type is TransactionUseItem
	UseOnActor      UseItemOnActor    // use of an item on an actor; zero unless Type is TransactionUseItemOnActor
	Release         ReleaseItem       // end of the use of an item; zero unless Type is TransactionReleaseItem
}

// LegacySlots lists the slots of one container that a transaction changes without an ItemStackRequest, which is the newer way
// to change slots.
type LegacySlots struct {
	Container uint8   // number of the container
	Slots     []uint8 // slot numbers; borrowed after parsing
}

// InventoryAction is the change of one slot.
//
//	field   encoding   range
//	Source  varu32     0 container, 1 global, 2 world, 3 creative, 100 and 99999 crafting
//	Window  opt i8     two presence bytes in protocol 2169
//	Flags   opt varu32 two presence bytes in protocol 2169
//	Slot    varu32
//	Old     item
//	New     item
type InventoryAction struct {
	Source   uint32      // place of the slot: 0 container, 1 global, 2 world, 3 creative, 100 and 99999 crafting
	Window   Opt[int8]   // number of the window; only if Source is 0
	Flags    Opt[uint32] // flags of the items that are dropped into the world; only if Source is 2
	Slot     uint32      // slot number in the window
	Old, New Item        // content of the slot before and after the change
}

// Maximum and minimum sizes of the parts of an InventoryTransaction.
const (
	maxLegacySlots      = 64  // maximum number of containers; chosen without measurements
	minLegacySlots      = 2   // bytes of the shortest element: container and an empty list of slots
	maxInventoryActions = 128 // maximum number of actions; chosen well above the few that a client sends
	minInventoryAction  = 4 + 2*minItem
)

// ID returns IDInventoryTransaction.
func (InventoryTransaction) ID() ID { return IDInventoryTransaction }

// ParseInventoryTransaction decodes the body of packet 30. Items and slots share the memory of b. Errors wrap
// wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseInventoryTransaction(b []byte, v Version) (InventoryTransaction, error) {
	r, f := wire.NewReader(b), v.layout()
	p := InventoryTransaction{LegacyRequestID: r.VarI32(), LegacySlots: readLegacySlots(&r)}
	if f.transactionPresence {
		r.CheckRange(r.Bool(), "presence byte of the type")
	}
	p.Type = TransactionType(r.VarU32())
	if f.transactionPresence {
		r.CheckRange(r.Bool(), "presence byte of the actions")
	}
	p.Actions = readInventoryActions(&r, f)
	switch p.Type {
	case TransactionNormal, TransactionMismatch:
	case TransactionUseItem:
		p.UseItem = readUseItem(&r, f)
	case TransactionUseItemOnActor:
		p.UseOnActor = readUseItemOnActor(&r)
	case TransactionReleaseItem:
		p.Release = readReleaseItem(&r)
	default:
		r.Fail(fmt.Errorf("unknown inventory transaction type %d: %w", p.Type, wire.ErrRange))
	}
	return p, r.Done("InventoryTransaction")
}

// Append appends the body of packet 30 to b and returns the extended slice. It allocates only if b lacks the capacity.
func (p InventoryTransaction) Append(b []byte, v Version) []byte {
	f := v.layout()
	b = appendLegacySlots(wire.VarI32(b, p.LegacyRequestID), p.LegacySlots)
	if f.transactionPresence {
		b = append(b, 1)
	}
	b = wire.VarU32(b, uint32(p.Type))
	if f.transactionPresence {
		b = append(b, 1)
	}
	b = appendInventoryActions(b, p.Actions, f)
	switch p.Type {
	case TransactionUseItem:
		return appendUseItem(b, &p.UseItem, f)
	case TransactionUseItemOnActor:
		return appendUseItemOnActor(b, &p.UseOnActor)
	case TransactionReleaseItem:
		return appendReleaseItem(b, &p.Release)
	}
	return b
}

func readLegacySlots(r *wire.Reader) []LegacySlots {
	if !r.Bool() {
		return nil
	}
	list := make([]LegacySlots, r.VarCount(minLegacySlots, maxLegacySlots))
	for i := range list {
		list[i] = LegacySlots{Container: r.U8(), Slots: r.VarBytes()}
	}
	return list
}

func appendLegacySlots(b []byte, list []LegacySlots) []byte {
	if b = wire.Bool(b, list != nil); list == nil {
		return b
	}
	b = wire.VarU32(b, uint32(len(list)))
	for _, s := range list {
		b = wire.VarBytes(append(b, s.Container), s.Slots)
	}
	return b
}

// readInventoryActions reads a list of inventory actions. It returns nil for an empty list.
func readInventoryActions(r *wire.Reader, f *layout) []InventoryAction {
	n := r.VarCount(minInventoryAction, maxInventoryActions)
	if n == 0 {
		return nil
	}
	list := make([]InventoryAction, n)
	for i := 0; i < n && r.Err() == nil; i++ {
		a := &list[i]
		a.Source = r.VarU32()
		if f.readPresence(r) {
			a.Window = Some(int8(r.U8()))
		}
		if f.readPresence(r) {
			a.Flags = Some(r.VarU32())
		}
		a.Slot, a.Old, a.New = r.VarU32(), readItem(r), readItem(r)
	}
	return list
}

func appendInventoryActions(b []byte, list []InventoryAction, f *layout) []byte {
	b = wire.VarU32(b, uint32(len(list)))
	for i := range list {
		a := &list[i]
		b = wire.VarU32(b, a.Source)
		if b = f.appendPresence(b, a.Window.Has); a.Window.Has {
			b = append(b, uint8(a.Window.V))
		}
		if b = f.appendPresence(b, a.Flags.Has); a.Flags.Has {
			b = wire.VarU32(b, a.Flags.V)
		}
		b = appendItem(appendItem(wire.VarU32(b, a.Slot), &a.Old), &a.New)
	}
	return b
}
