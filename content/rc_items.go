package content

// rcItem is a record of Items.dat as stored, except that the file stores attributes with an offset of 5000. Type
// determines which of the fields from WeaponDamage on are stored. Source: RealmCrafter data specification, section 5.1.
type rcItem struct {
	ID                            uint16    // id of the item
	Name                          string    // name of the item
	ExclusiveRace, ExclusiveClass string    // race and class that can use the item; "" for no restriction
	Script, Method                string    // script that runs when the item is used, and function in the script
	Type                          uint8     // item type, from 1 (weapon) to 7 (other)
	Value                         int32     // price in money
	Mass                          uint16    // weight
	TakesDamage                   bool      // the item loses health in fights
	ThumbnailTexture              uint16    // media id of the icon
	Gubbins                       [6]uint16 // meshes attached to the wearer; 0 hides a mesh
	MaleMesh, FemaleMesh          uint16    // media ids of the meshes of the equipped item
	SlotType                      uint16    // slot in which the item is worn, from 1 (weapon) to 11 (backpack)
	Stackable                     bool      // a slot can hold more than one item of this kind
	Attributes                    [40]int32 // bonus to each attribute of the wearer

	WeaponDamage, WeaponDamageType uint16  // damage and its type; this and all fields up to RangedAnimation are present for type 1
	WeaponType, RangedProjectile   uint16  // kind of weapon, and id of the projectile that a ranged weapon shoots
	Range                          float32 // range of a ranged weapon in world units
	RangedAnimation                string  // name of the animation of a ranged attack
	ArmourLevel                    uint16  // armour points; present for type 2
	EatEffectsLength               uint16  // seconds that the effect of a potion or ingredient lasts; present for types 4 and 5
	ImageTexture                   uint16  // id of the picture; present for type 6
	MiscData                       string  // text of the item; present for type 7, or for every type in the layout "always"
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
