package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Item is a stack of items as packets encode it. The zero value means no item.
//
//	size  field      encoding   range
//	2     NetworkID  i16        network id of ItemRegistry; 0 none
//	2     Count      u16
//	      Metadata   varu32     damage or variant
//	      StackID    opt var32  assigned by the server
//	      BlockID    varu32     network id of the block that the item places
//	      Extra      bytes      NBT tag, and the blocks on which the item may be placed or that it may break; not parsed, up to 64 KiB
//
// Source: docs/wire/bedrock.md, AddPlayer.
type Item struct {
	NetworkID int16      // network id of the item in ItemRegistry; 0 means no item
	Count     uint16     // number of items in the stack
	Metadata  uint32     // damage of the item, or its variant
	StackID   Opt[int32] // number that the server assigned to the stack
	BlockID   uint32     // network id of the block that the item places
	Extra     []byte     // NBT tag and placement restrictions, not parsed; borrowed after parsing, nil if empty
}

// Minimum size of an encoded Item, and maximum size of its field Extra, in bytes.
const (
	minItem      = 8       // length of an empty item in bytes
	maxItemExtra = 1 << 16 // maximum length of Extra in bytes; chosen large enough for the pages of a book
)

// plainItemExtra is the length in bytes of the field Extra of an item without an NBT tag: a u16 and two i32, all 0.
const plainItemExtra = 2 + 4 + 4 // in bytes

// SimpleItem returns a stack of items without an NBT tag. The stack does not restrict which blocks the item can break or be
// placed on. The parameter block is the network id of the block that the item places, or 0.
func SimpleItem(id int16, count uint16, block uint32) Item {
	return Item{NetworkID: id, Count: count, BlockID: block, Extra: make([]byte, plainItemExtra)}
}

// IsEmpty reports whether the stack contains no item.
func (i Item) IsEmpty() bool { return i.NetworkID == 0 || i.Count == 0 }

func readItem(r *wire.Reader) Item {
	i := Item{NetworkID: r.I16(), Count: r.U16(), Metadata: r.VarU32()}
	if r.Bool() {
		i.StackID = Some(r.VarI32())
	}
	i.BlockID = r.VarU32()
	if extra := r.VarBytes(); len(extra) > 0 {
		r.CheckRange(len(extra) <= maxItemExtra, "number of extra bytes of an item")
		i.Extra = extra
	}
	return i
}

func appendItem(b []byte, i *Item) []byte {
	b = wire.VarU32(wire.U16(wire.I16(b, i.NetworkID), i.Count), i.Metadata)
	if b = wire.Bool(b, i.StackID.Has); i.StackID.Has {
		b = wire.VarI32(b, i.StackID.V)
	}
	return wire.VarBytes(wire.VarU32(b, i.BlockID), i.Extra)
}

// shieldItemExtra is the number of bytes by which the field Extra of a shield is longer than that of other items. The additional
// bytes contain the tick at which the shield was raised.
const shieldItemExtra = 8 // in bytes

// ShieldItem returns a shield without an NBT tag. SimpleItem cannot build a shield, because the field Extra of a shield is
// longer than that of other items.
func ShieldItem(id int16) Item {
	return Item{NetworkID: id, Count: 1, Extra: make([]byte, plainItemExtra+shieldItemExtra)}
}

// EnchantmentDepthStrider is the number of the enchantment Depth Strider, with which boots make the player faster in water.
const EnchantmentDepthStrider = 7

// EnchantedItem returns an item with one enchantment. Its Extra begins with a little-endian NBT tag:
//
//	ff ff 01                                          a tag follows, in version 1
//	0a 0000                                           compound without a name
//	  09 "ench" 0a 01000000                           list of one compound
//	    02 "id" i16  02 "lvl" i16  00                 number and level of the enchantment
//	00
//
// Texts are a u16 byte count and the bytes. After the tag follow two empty lists: the blocks on which the item may be
// placed, and the blocks that it may break.
//
// Source: docs/wire/bedrock.md, AddPlayer.
func EnchantedItem(id, enchantment, level int16) Item {
	b := []byte{0xff, 0xff, 1, tagCompound, 0, 0}
	b = appendTagName(b, tagList, "ench")
	b = append(b, tagCompound, 1, 0, 0, 0)
	b = wire.I16(appendTagName(b, tagShort, "id"), enchantment)
	b = wire.I16(appendTagName(b, tagShort, "lvl"), level)
	b = append(b, tagEnd, tagEnd)
	return Item{NetworkID: id, Count: 1, Extra: append(b, 0, 0, 0, 0, 0, 0, 0, 0)}
}

// appendTagName appends the type and the name of a tag in little-endian NBT.
func appendTagName(b []byte, kind byte, name string) []byte {
	return append(wire.U16(append(b, kind), uint16(len(name))), name...)
}
