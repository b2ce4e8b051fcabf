package content

// rcItem is a record of Items.dat as stored, except that the file stores attributes with an offset of 5000. Type
// determines which of the fields from WeaponDamage on are stored. Source: RealmCrafter data specification, section 5.1.
type rcItem struct {
	ID                            uint16
	Name                          string
	ExclusiveRace, ExclusiveClass string
	Script, Method                string
	Type                          uint8 // item type, from 1 (weapon) to 7 (other)
	Value                         int32
	Mass                          uint16
	TakesDamage                   bool
	ThumbnailTexture              uint16
	Gubbins                       [6]uint16
	MaleMesh, FemaleMesh          uint16
	SlotType                      uint16
	Stackable                     bool
	Attributes                    [40]int32

	WeaponDamage, WeaponDamageType uint16 // fields from here to RangedAnimation are present for type 1
	WeaponType, RangedProjectile   uint16
	Range                          float32
	RangedAnimation                string
	ArmourLevel                    uint16 // armour points; present for type 2
	EatEffectsLength               uint16 // present for types 4 and 5
	ImageTexture                   uint16 // id of the picture; present for type 6
	MiscData                       string // present for type 7, or for every type in the layout "always"
}

// itemOffset is the offset that the file adds to the attributes of items.
const itemOffset = 5000

// parseItems reads Items.dat. The file has one of two layouts and does not say which: in layout "classic" a string
// follows only items of type 7, in layout "always" a string ends every record. If the file is valid in neither layout,
// the error is that of the layout in which more of the file could be read.
func parseItems(c *cursor) (list []rcItem, layout string, err error) {
	second := newCursor(c.file, c.b)
	list, err = parseItemsAs(c, false)
	if err == nil {
		return list, "classic", nil
	}
	if list, always := parseItemsAs(second, true); always == nil {
		*c = *second
		return list, "always", nil
	}
	if second.errAt > c.errAt {
		err = second.err
	}
	return nil, "", err
}

func parseItemsAs(c *cursor, always bool) ([]rcItem, error) {
	var list []rcItem
	for c.hasMore() {
		c.beginRecord("record", len(list))
		it := parseItem(c, always)
		if c.err == nil {
			list = append(list, it)
		}
	}
	return list, c.done()
}

func parseItem(c *cursor, always bool) rcItem {
	var it rcItem
	idAt := c.off
	if it.ID = c.u16("id"); it.ID == noItem {
		c.fail(idAt, "the id 65535 is outside 0..65534")
	}
	it.Name = c.str("name", nameLimit)
	it.ExclusiveRace = c.str("exclusiveRace", nameLimit)
	it.ExclusiveClass = c.str("exclusiveClass", nameLimit)
	it.Script = c.str("script", scriptLimit)
	it.Method = c.str("method", scriptLimit)
	typeAt := c.off
	it.Type = c.u8("type")
	if it.Type < 1 || it.Type > 7 {
		c.fail(typeAt, "the type %d is outside 1..7", it.Type)
	}
	it.Value = c.i32("value")
	it.Mass = c.u16("mass")
	it.TakesDamage = c.boolByte("takesDamage")
	it.ThumbnailTexture = c.u16("thumbnailTexture")
	c.u16s("gubbins", it.Gubbins[:])
	it.MaleMesh = c.u16("maleMesh")
	it.FemaleMesh = c.u16("femaleMesh")
	it.SlotType = c.u16("slotType")
	it.Stackable = c.boolByte("stackable")
	for i := range it.Attributes {
		it.Attributes[i] = int32(c.u16At(field{"attributes", i})) - itemOffset
	}
	parseItemTail(c, &it, always)
	return it
}

func parseItemTail(c *cursor, it *rcItem, always bool) {
	switch it.Type {
	case 1:
		it.WeaponDamage = c.u16("weaponDamage")
		it.WeaponDamageType = c.u16("weaponDamageType")
		it.WeaponType = c.u16("weaponType")
		it.RangedProjectile = c.u16("rangedProjectile")
		it.Range = c.f32("range")
		it.RangedAnimation = c.str("rangedAnimation", nameLimit)
	case 2:
		it.ArmourLevel = c.u16("armourLevel")
	case 4, 5:
		it.EatEffectsLength = c.u16("eatEffectsLength")
	case 6:
		it.ImageTexture = c.u16("imageTexture")
	}
	if always || it.Type == 7 {
		it.MiscData = c.str("miscData", longLimit)
	}
}
