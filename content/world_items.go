package content

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

// Words that keys of an item can have as values in a world file. A word stands for a number: its index in the list, or the index
// plus one where numbers start at 1.
var (
	itemKinds   = []string{"weapon", "armour", "jewel", "potion", "ingredient", "image", "other"}
	slotKinds   = []string{"weapon", "shield", "hat", "chest", "hand", "belt", "legs", "feet", "ring", "amulet", "backpack"}
	weaponKinds = []string{"one-handed", "two-handed", "ranged"}
)

// noMedia is the number that a world file or a project has in place of a media id if there is no media.
const noMedia = 65535

// newID reads the required key id of an element of a list, such as [[projectile]], and stores it in *into. The id must be at most hi,
// and unique in the list: taken returns true if an earlier element has it. If the id is missing or invalid, newID adds a problem of
// the world file and returns false.
func (t *table) newID(into *uint16, hi int64, taken func(uint16) bool) bool {
	if !t.require("id", "a number that clients know") {
		return false
	}
	before := len(t.src.problems)
	readInteger(t, "id", into, 0, hi)
	if len(t.src.problems) > before {
		return false
	}
	if taken(*into) {
		t.fail("id", "id %d is used twice: give each entry its own id", *into)
		return false
	}
	return true
}

// readProjectiles reads the tables [[projectile]]: the kinds of projectiles in the world.
func (b *builder) readProjectiles(list []*table) {
	for _, t := range list {
		t.addLabel("projectile", "name")
		p := combat.Projectile{HitChance: 90, Speed: 50}
		t.newID(&p.ID, 5000, func(id uint16) bool {
			return slices.ContainsFunc(b.w.Projectiles, func(o combat.Projectile) bool { return o.ID == id })
		})
		t.newName(&p.Name, b.projectileNames())
		b.appearance.RealmCrafter.Projectiles[p.ID] = readRealmCrafterProjectile(t)
		readInteger(t, "hit_chance", &p.HitChance, 1, 100)
		readInteger(t, "damage", &p.Damage, 0, maxValue)
		b.readDamageType(t, "damage_type", &p.Type)
		readInteger(t, "speed", &p.Speed, 1, 100)
		b.readProjectileEntity(t, p.ID)
		t.reportUnknownKeys()
		b.w.Projectiles = append(b.w.Projectiles, p)
	}
	slices.SortFunc(b.w.Projectiles, func(x, y combat.Projectile) int { return cmp.Compare(x.ID, y.ID) })
}

func (b *builder) projectileNames() []string {
	return namesOf(b.w.Projectiles, func(p *combat.Projectile) string { return p.Name })
}

// readItems reads the tables [[item]]: the kinds of items in the world. Call it after the projectiles are sorted, because
// weapons point to elements of that table.
func (b *builder) readItems(list []*table) {
	for _, t := range list {
		t.addLabel("item", "name")
		it := sim.Item{TakesDamage: true}
		t.newID(&it.ID, int64(sim.NoItem)-1, func(id uint16) bool {
			return slices.ContainsFunc(b.w.Items, func(o sim.Item) bool { return o.ID == id })
		})
		t.newName(&it.Name, b.itemNames())
		t.clientText("race", &it.ExclusiveRace, maxName)
		t.clientText("class", &it.ExclusiveClass, maxName)
		readInteger(t, "value", &it.Value, 0, 10_000_000)
		readInteger(t, "mass", &it.Mass, 0, 65535)
		t.boolean("wears", &it.TakesDamage)
		t.boolean("stackable", &it.Stackable)
		b.appearance.RealmCrafter.Items[it.ID] = b.readRealmCrafterItem(t)
		b.readItemAttributes(t, &it)
		b.readItemKind(t, &it)
		b.readItemEffects(t, &it)
		b.readItemModels(t, it.ID)
		t.reportUnknownKeys()
		b.w.Items = append(b.w.Items, it)
	}
	slices.SortFunc(b.w.Items, func(x, y sim.Item) int { return cmp.Compare(x.ID, y.ID) })
}

func (b *builder) itemNames() []string {
	return namesOf(b.w.Items, func(it *sim.Item) string { return it.Name })
}

// readItemAttributes reads the bonuses to attributes for wearing the item: attributes = { Strength = 2 }.
func (b *builder) readItemAttributes(t *table, it *sim.Item) {
	a := t.subtable("attributes")
	if a == nil {
		return
	}
	for _, name := range sortedKeys(a.keys) {
		if i, ok := findName(a, name, "attribute", name, b.attributeNames()); ok {
			readInteger(a, name, &it.Attr[i], -5000, maxValue)
		}
	}
}

// readItemKind reads the kind of an item, and the keys that items of that kind have.
func (b *builder) readItemKind(t *table, it *sim.Item) {
	if !t.require("kind", `"weapon"`) {
		return
	}
	kind, ok := t.choice("kind", itemKinds)
	if !ok {
		return
	}
	it.Kind = sim.ItemKind(kind + 1)
	it.SlotKind = uint8(len(slotKinds)) // the last kind of slot is the backpack
	if it.Kind == sim.ItemWeapon {
		it.SlotKind = 1
	}
	if s, has := t.choice("slot", slotKinds); has {
		it.SlotKind = uint8(s + 1)
	}
	b.checkSlot(t, it)
	switch it.Kind {
	case sim.ItemWeapon:
		it.Weapon = b.readWeapon(t)
	case sim.ItemArmour:
		readInteger(t, "armour", &it.ArmourLevel, 0, 5000)
		b.readDepthStrider(t, it)
	case sim.ItemOther:
		t.clientText("text", &it.Text, maxText)
	}
}

// readDepthStrider reads the level of the depth strider enchantment of boots. Clients see the enchantment on the item and
// predict faster swimming.
func (b *builder) readDepthStrider(t *table, it *sim.Item) {
	const feet = 8
	readInteger(t, "depth_strider", &it.DepthStrider, 0, 3)
	switch {
	case it.DepthStrider == 0:
	case it.SlotKind != feet:
		t.fail("depth_strider", `depth_strider needs slot = "feet"`)
	default:
		t.require("bedrock", `{ item = "minecraft:leather_boots" }`)
	}
}

// checkSlot refuses an item whose slot does not match its kind. Neither clients nor the rules of the server allow an
// actor to wear such an item.
func (b *builder) checkSlot(t *table, it *sim.Item) {
	const shield, feet, ring, amulet = 2, 8, 9, 10
	lo, hi := uint8(1), uint8(1)
	switch it.Kind {
	case sim.ItemWeapon:
	case sim.ItemArmour:
		lo, hi = shield, feet
	case sim.ItemJewel:
		lo, hi = ring, amulet
	default:
		return
	}
	if it.SlotKind < lo || it.SlotKind > hi {
		t.fail("slot", "%s cannot be worn as %s: add slot = %q", itemKinds[it.Kind-1], slotKinds[it.SlotKind-1], slotKinds[lo-1])
	}
}

func (b *builder) readWeapon(t *table) *combat.Weapon {
	w := &combat.Weapon{Kind: combat.OneHanded}
	if t.require("damage", "10") {
		readInteger(t, "damage", &w.Damage, 0, maxValue)
	}
	b.readDamageType(t, "damage_type", &w.Type)
	if k, ok := t.choice("weapon", weaponKinds); ok {
		w.Kind = combat.WeaponKind(k + 1)
	}
	if w.Kind != combat.Ranged {
		return w
	}
	if t.require("range", "30") {
		t.float("range", &w.Range, 0.1, 10_000)
	}
	if !t.require("projectile", `"Arrow"`) {
		return w
	}
	if i, ok := readName(t, "projectile", "projectile", b.projectileNames()); ok {
		w.Projectile = &b.w.Projectiles[i]
	}
	return w
}

// readIntegers reads a list of exactly n integers from lo to hi. It returns nil if the list is absent or invalid.
func (b *builder) readIntegers(t *table, key string, n int, lo, hi int64) []int64 {
	list := t.array(key)
	if list == nil {
		return nil
	}
	if len(list) != n {
		t.fail(key, "%s has %d numbers: write %d", key, len(list), n)
		return nil
	}
	out := make([]int64, n)
	for i, v := range list {
		x, is := v.(int64)
		if !is || x < lo || x > hi {
			t.fail(fmt.Sprintf("%s[%d]", key, i), "%s contains %v: use whole numbers from %d to %d", key, v, lo, hi)
			return nil
		}
		out[i] = x
	}
	return out
}
