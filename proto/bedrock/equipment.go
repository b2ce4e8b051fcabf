package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// MobEquipment sets the item that an actor holds; a client also sends it to select a hotbar slot. Packet 31, both directions.
//
//	size  field         encoding    range
//	      Runtime       runtime id
//	      Item          item
//	1     Slot          u8          slot in the window
//	1     SelectedSlot  u8          hotbar slot, 0..8
//	1     Window        i8          WindowInventory, WindowOffHand
//
// Source: docs/wire/bedrock.md, other packets.
type MobEquipment struct {
	Runtime      ActorRuntimeID // actor that holds the item
	Item         Item           // item that the actor holds
	Slot         uint8          // slot number in the window
	SelectedSlot uint8          // hotbar slot, 0..8
	Window       int8           // WindowInventory or WindowOffHand
}

// Window ids that every player has.
const (
	WindowInventory = 0   // hotbar and inventory
	WindowOffHand   = 119 // slot of the off hand
	WindowArmor     = 120 // slots of worn armour
	WindowUI        = 124 // crafting slots and the slot of the item at the cursor
)

// ID returns IDMobEquipment.
func (MobEquipment) ID() ID { return IDMobEquipment }

// ParseMobEquipment decodes the body of packet 31. The item shares the memory of b. Errors wrap wire.ErrShort,
// wire.ErrRange or wire.ErrTrailing.
func ParseMobEquipment(b []byte, _ Version) (MobEquipment, error) {
	r := wire.NewReader(b)
	p := MobEquipment{Runtime: r.VarU64(), Item: readItem(&r), Slot: r.U8(), SelectedSlot: r.U8(), Window: int8(r.U8())}
	return p, r.Done("MobEquipment")
}

// Append appends the body of packet 31 to b and returns the extended slice.
func (p MobEquipment) Append(b []byte, _ Version) []byte {
	return append(appendItem(wire.VarU64(b, p.Runtime), &p.Item), p.Slot, p.SelectedSlot, uint8(p.Window))
}

// ContainerName identifies the part of a window to which an item slot belongs.
//
//	size  field    encoding  range
//	1     Kind     u8        6 armour, 12 hotbar and inventory, 28 hotbar, 29 inventory, 34 off hand
//	      Dynamic  opt u32   number of a bundle
//
// Source: docs/wire/bedrock.md, other packets.
type ContainerName struct {
	Kind    uint8       // part of the window: 6 armour (ContainerKindArmor), 12 hotbar and inventory, 28 hotbar, 29 inventory, 34 off hand
	Dynamic Opt[uint32] // number of the bundle to which the slot belongs
}

// ContainerKindArmor is the value of ContainerName.Kind for the slots of worn armour.
const ContainerKindArmor = 6

func readContainerName(r *wire.Reader) ContainerName {
	c := ContainerName{Kind: r.U8()}
	if r.Bool() {
		c.Dynamic = Some(r.U32())
	}
	return c
}

func appendContainerName(b []byte, c ContainerName) []byte {
	b = wire.Bool(append(b, c.Kind), c.Dynamic.Has)
	if c.Dynamic.Has {
		b = wire.U32(b, c.Dynamic.V)
	}
	return b
}

// maxWindowItems is the maximum number of slots of a window.
const maxWindowItems = 512 // chosen well above 54, the number of slots of a double chest

// InventoryContent sets all slots of a window. Packet 49, server to client.
//
//	field      encoding       range
//	Window     varu32         WindowInventory ..
//	Items      list           in the order of the slots
//	Container  ContainerName
//	Storage    item           the bundle that contains the slots; usually none
//
// Source: docs/wire/bedrock.md, other packets.
type InventoryContent struct {
	Window    uint32        // number of the window, for example WindowInventory
	Items     []Item        // items of the window in the order of the slots
	Container ContainerName // part of the window that the packet sets
	Storage   Item          // bundle that contains the slots; usually no item
}

// ID returns IDInventoryContent.
func (InventoryContent) ID() ID { return IDInventoryContent }

// ParseInventoryContent decodes the body of packet 49. The items share the memory of b. Errors wrap wire.ErrShort,
// wire.ErrRange or wire.ErrTrailing.
func ParseInventoryContent(b []byte, _ Version) (InventoryContent, error) {
	r := wire.NewReader(b)
	p := InventoryContent{
		Window:    r.VarU32(),
		Items:     readList(&r, minItem, maxWindowItems, readItem),
		Container: readContainerName(&r),
		Storage:   readItem(&r),
	}
	return p, r.Done("InventoryContent")
}

// Append appends the body of packet 49 to b and returns the extended slice.
func (p InventoryContent) Append(b []byte, _ Version) []byte {
	b = wire.VarU32(wire.VarU32(b, p.Window), uint32(len(p.Items)))
	for i := range p.Items {
		b = appendItem(b, &p.Items[i])
	}
	return appendItem(appendContainerName(b, p.Container), &p.Storage)
}

// InventorySlot sets one slot of a window. Packet 50, server to client.
//
//	field      encoding           range
//	Window     varu32             as in InventoryContent
//	Slot       varu32
//	Container  opt ContainerName
//	Storage    opt item
//	Item       item
//
// Source: docs/wire/bedrock.md, other packets.
type InventorySlot struct {
	Window    uint32             // window number as in InventoryContent
	Slot      uint32             // slot number in the window
	Container Opt[ContainerName] // part of the window to which the slot belongs
	Storage   Opt[Item]          // bundle that contains the slot
	Item      Item               // new content of the slot
}

// ID returns IDInventorySlot.
func (InventorySlot) ID() ID { return IDInventorySlot }

// ParseInventorySlot decodes the body of packet 50. The items share the memory of b. Errors wrap wire.ErrShort,
// wire.ErrRange or wire.ErrTrailing.
func ParseInventorySlot(b []byte, _ Version) (InventorySlot, error) {
	r := wire.NewReader(b)
	p := InventorySlot{Window: r.VarU32(), Slot: r.VarU32()}
	if r.Bool() {
		p.Container = Some(readContainerName(&r))
	}
	if r.Bool() {
		p.Storage = Some(readItem(&r))
	}
	p.Item = readItem(&r)
	return p, r.Done("InventorySlot")
}

// Append appends the body of packet 50 to b and returns the extended slice.
func (p InventorySlot) Append(b []byte, _ Version) []byte {
	b = wire.VarU32(wire.VarU32(b, p.Window), p.Slot)
	if b = wire.Bool(b, p.Container.Has); p.Container.Has {
		b = appendContainerName(b, p.Container.V)
	}
	if b = wire.Bool(b, p.Storage.Has); p.Storage.Has {
		b = appendItem(b, &p.Storage.V)
	}
	return appendItem(b, &p.Item)
}
