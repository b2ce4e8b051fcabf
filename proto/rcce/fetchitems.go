package rcce

import "github.com/truestep-io/truestep/proto/wire"

// Values of ItemTemplate.Type. The last fields of an item depend on the type. Source: source code of RealmCrafter's client.
const (
	ItemWeapon     = 1 // the template ends with damage, damage type, weapon type and range
	ItemArmour     = 2 // the template ends with the armour points
	ItemRing       = 3 // the template ends without further fields
	ItemPotion     = 4 // the template ends with the duration of the effect
	ItemIngredient = 5 // the template ends with the duration of the effect
	ItemImage      = 6 // ends with an image
	ItemOther      = 7 // ends with a text
)

// ItemTemplate describes one kind of item. It is an element of FetchActorsItems.
//
//	off  size    field         encoding  unit and range
//	0    2       ID            u16
//	2    1       Type          u8        ItemWeapon..ItemOther
//	3    1       TakesDamage   u8        1 if the item wears out
//	4    4       Value         i32       price
//	8    2       Mass          u16
//	10   2       Thumbnail     u16       texture id
//	12   6       Gubbins       u8        1 if the wearer's extra mesh with that index is visible
//	18   2       MaleMesh      u16       65535 for none
//	20   2       FemaleMesh    u16       65535 for none
//	22   2       SlotType      u16       1 weapon, 2 shield, 3 hat .. 8 feet, 9 ring, 10 amulet, 11 backpack
//	24   1       Stackable     u8        1 if several may share a slot
//	25   40 x 2  Attributes    u16       the value plus 5000
//	105  1+n     Name          str8
//	     1+n     Race          str8      only race that may use it, "" for all
//	     1+n     Class         str8      only class that may use it, "" for all
//
// and then, by type:
//
//	weapon              Damage u16, DamageType u16, WeaponType u16 (1 one hand, 2 two hands, 3 ranged), Range f32
//	armour              Armour u16
//	potion, ingredient  Duration u16, seconds
//	image               Image u16
//	other               Misc str8
//	ring                nothing
//
// Source: docs/wire/rcce.md#fetchactors (source code of RealmCrafter's client and server).
type ItemTemplate struct {
	ID                             uint16                // number of the item template
	Type, TakesDamage              uint8                 // Type is ItemWeapon..ItemOther; TakesDamage is 1 if the item wears out
	Value                          int32                 // price of the item
	Mass, Thumbnail                uint16                // Mass is the weight; Thumbnail is the texture id of the icon
	Gubbins                        [6]uint8              // by index of an extra mesh: 1 if the wearer displays the mesh
	MaleMesh, FemaleMesh, SlotType uint16                // mesh ids, NoItem for none; SlotType is the kind of inventory slot
	Stackable                      uint8                 // 1 if several items may share a slot
	Attributes                     [AttributeCount]int32 // attribute points added to the wearer, -5000..60535
	Name, Race, Class              string                // name; the only race and class that may use the item, "" for all

	Damage, DamageType, WeaponType uint16  // points; damage type 0..19; weapon 1 one-handed, 2 two-handed, 3 ranged; only if Type is ItemWeapon
	Range                          float32 // reach in world units; only if Type is ItemWeapon
	Armour                         uint16  // armour points; only if Type is ItemArmour
	Duration                       uint16  // duration of the effect, seconds; only if Type is ItemPotion or ItemIngredient
	Image                          uint16  // texture id of a picture that the item shows; only if Type is ItemImage
	Misc                           string  // text for the game's scripts; only if Type is ItemOther
}

func readItemTemplate(r *reader) ItemTemplate {
	t := ItemTemplate{
		ID:          r.u16("ID"),
		Type:        r.u8("Type"),
		TakesDamage: r.u8("TakesDamage"),
		Value:       r.i32("Value"),
		Mass:        r.u16("Mass"),
		Thumbnail:   r.u16("Thumbnail"),
	}
	r.u8s("Gubbins", t.Gubbins[:])
	t.MaleMesh, t.FemaleMesh = r.u16("MaleMesh"), r.u16("FemaleMesh")
	t.SlotType = r.u16("SlotType")
	t.Stackable = r.u8("Stackable")
	r.biased("Attributes", &t.Attributes)
	t.Name, t.Race, t.Class = r.str8("Name"), r.str8("Race"), r.str8("Class")
	t.readKind(r)
	return t
}

// readKind reads the last fields of an item, which depend on its type.
func (t *ItemTemplate) readKind(r *reader) {
	switch t.Type {
	case ItemWeapon:
		t.Damage, t.DamageType = r.u16("Damage"), r.u16("DamageType")
		t.WeaponType = r.u16("WeaponType")
		t.Range = r.f32("Range")
	case ItemArmour:
		t.Armour = r.u16("Armour")
	case ItemRing:
	case ItemPotion, ItemIngredient:
		t.Duration = r.u16("Duration")
	case ItemImage:
		t.Image = r.u16("Image")
	case ItemOther:
		t.Misc = r.str8("Misc")
	default:
		r.refuse("Type") // items of unknown type have an unknown length
	}
}

func (t *ItemTemplate) append(b []byte) []byte {
	b = append(wire.U16(b, t.ID), t.Type, t.TakesDamage)
	b = wire.U32(b, uint32(t.Value))
	b = wire.U16(wire.U16(b, t.Mass), t.Thumbnail)
	b = append(b, t.Gubbins[:]...)
	b = wire.U16(wire.U16(b, t.MaleMesh), t.FemaleMesh)
	b = append(wire.U16(b, t.SlotType), t.Stackable)
	b = appendBiased(b, &t.Attributes)
	b = wire.Str8(wire.Str8(wire.Str8(b, t.Name), t.Race), t.Class)
	switch t.Type {
	case ItemWeapon:
		b = wire.U16(wire.U16(wire.U16(b, t.Damage), t.DamageType), t.WeaponType)
		return wire.F32(b, t.Range)
	case ItemArmour:
		return wire.U16(b, t.Armour)
	case ItemPotion, ItemIngredient:
		return wire.U16(b, t.Duration)
	case ItemImage:
		return wire.U16(b, t.Image)
	case ItemOther:
		return wire.Str8(b, t.Misc)
	}
	return b
}

// FetchActorsItems is the message of the answer to a FetchActorsRequest that carries item templates. The templates are split over
// several messages; the RealmCrafter server puts six in each.
//
//	off  size  field  encoding      unit and range
//	0    1     'I'
//	1    1     Last   u8            'Y' in the last part, 'N' in the others
//	2    2     Total  u16           in the last part: number of items in all parts
//	     rest  Items  ItemTemplate  to the end
//
// Source: docs/wire/rcce.md#fetchactors.
type FetchActorsItems struct {
	Last  bool           // this is the last part
	Total uint16         // number of items in all parts; 0 unless Last
	Items []ItemTemplate // item templates of this part
}

func readFetchActorsItems(r *reader) FetchActorsItems {
	p := FetchActorsItems{Last: r.letter("Last", "YN") == 'Y'}
	if p.Last {
		p.Total = r.u16("Total")
	}
	for i := 0; r.more(); i++ {
		r.entry("Items", i)
		p.Items = append(p.Items, readItemTemplate(r))
	}
	r.leave()
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p FetchActorsItems) Append(b []byte) []byte {
	b = append(b, uint8(TypeFetchActors), 'I')
	if p.Last {
		b = wire.U16(append(b, 'Y'), p.Total)
	} else {
		b = append(b, 'N')
	}
	for i := range p.Items {
		b = p.Items[i].append(b)
	}
	return b
}
