package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// CreativeStack is an item of the creative inventory, the menu from which players in creative mode take items. Unlike an Item
// in a player's inventory it has no stack id.
type CreativeStack struct {
	NetworkID int32  // network id of the item; 0 means no item
	Count     uint16 // number of items
	Meta      uint32 // damage of the item, or its variant
	Block     int32  // network id of the block that the item places; 0 means none
	Extra     []byte // user data of the item, not parsed
}

// CreativeGroup is a group of items in the creative inventory. The player can collapse the group.
type CreativeGroup struct {
	Category uint8         // category: 0 all, 1 construction, 2 nature, 3 equipment, 4 items, 5 available by command only
	Name     string        // name of the group, a key of the language file
	Icon     CreativeStack // item that is displayed for the group
}

// CreativeEntry places an item in a group of the creative inventory.
type CreativeEntry struct {
	NetworkID uint32        // network id of the entry, different from the network id of the item
	Stack     CreativeStack // the item
	Group     uint32        // index into CreativeContent.Groups
}

// CreativeContent is the creative inventory. Packet 145, server to client. It may be empty.
//
//	size  field    encoding                       range
//	      Groups   list (u8, str, CreativeStack)  at most 4096
//	      Entries  list (varu32, CreativeStack, varu32)  at most 8192
//
// A CreativeStack is var32 network id, u16 count, varu32 meta, var32 block, bytes extra.
//
// Source: docs/wire/bedrock.md, registries.
type CreativeContent struct {
	Groups  []CreativeGroup // groups, to which the entries refer by index
	Entries []CreativeEntry // items of the inventory
}

// ID returns IDCreativeContent.
func (CreativeContent) ID() ID { return IDCreativeContent }

// ParseCreativeContent decodes the body of packet 145. Extra shares the memory of b. Errors wrap wire.ErrShort,
// wire.ErrRange or wire.ErrTrailing.
func ParseCreativeContent(b []byte, _ Version) (CreativeContent, error) {
	r := wire.NewReader(b)
	p := CreativeContent{
		Groups: readList(&r, 8, maxList, func(r *wire.Reader) CreativeGroup {
			return CreativeGroup{Category: r.U8(), Name: r.VarStr(), Icon: readCreativeStack(r)}
		}),
		Entries: readList(&r, 8, maxItems, func(r *wire.Reader) CreativeEntry {
			return CreativeEntry{NetworkID: r.VarU32(), Stack: readCreativeStack(r), Group: r.VarU32()}
		}),
	}
	return p, r.Done("CreativeContent")
}

// Append appends the body of packet 145 to b and returns the extended slice.
func (p CreativeContent) Append(b []byte, _ Version) []byte {
	b = appendList(b, p.Groups, func(b []byte, g CreativeGroup) []byte {
		return appendCreativeStack(wire.VarStr(append(b, g.Category), g.Name), g.Icon)
	})
	return appendList(b, p.Entries, func(b []byte, e CreativeEntry) []byte {
		return wire.VarU32(appendCreativeStack(wire.VarU32(b, e.NetworkID), e.Stack), e.Group)
	})
}

func readCreativeStack(r *wire.Reader) CreativeStack {
	return CreativeStack{
		NetworkID: r.VarI32(),
		Count:     r.U16(),
		Meta:      r.VarU32(),
		Block:     r.VarI32(),
		Extra:     r.VarBytes(),
	}
}

func appendCreativeStack(b []byte, s CreativeStack) []byte {
	b = wire.U16(wire.VarI32(b, s.NetworkID), s.Count)
	return wire.VarBytes(wire.VarI32(wire.VarU32(b, s.Meta), s.Block), s.Extra)
}
