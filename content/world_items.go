package content

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

// Words of a world file; the place in the list is the number of the table, less one where the table starts at 1.
var (
	itemKinds   = []string{"weapon", "armour", "jewel", "potion", "ingredient", "image", "other"}
	slotKinds   = []string{"weapon", "shield", "hat", "chest", "hand", "belt", "legs", "feet", "ring", "amulet", "backpack"}
	weaponKinds = []string{"one-handed", "two-handed", "ranged"}
)

// noMedia is the media id of nothing.
const noMedia = 65535

// newID reads the id of an element, which must be its own.
func (t *table) newID(into *uint16, hi int64, taken func(uint16) bool) bool {
	if !t.need("id", "a number that clients know") {
		return false
	}
	before := len(t.src.problems)
	whole(t, "id", into, 0, hi)
	if len(t.src.problems) > before {
		return false
	}
	if taken(*into) {
		t.fail("id", "id %d is used twice: give each its own", *into)
		return false
	}
	return true
}

// projectiles reads [[projectile]].
func (b *builder) projectiles(list []*table) {
	for _, t := range list {
		t.named("projectile", "name")
		p := combat.Projectile{Mesh: noMedia, HitChance: 90, Speed: 50}
		t.newID(&p.ID, 5000, func(id uint16) bool {
			return slices.ContainsFunc(b.w.Projectiles, func(o combat.Projectile) bool { return o.ID == id })
		})
		t.newName(&p.Name, b.projectileNames())
		whole(t, "mesh", &p.Mesh, 0, noMedia)
		t.text("emitter1", &p.Emitter1, maxName)
		t.text("emitter2", &p.Emitter2, maxName)
		whole(t, "texture1", &p.Tex1, 0, noMedia)
		whole(t, "texture2", &p.Tex2, 0, noMedia)
		t.flag("homing", &p.Homing)
		whole(t, "hit_chance", &p.HitChance, 1, 100)
		whole(t, "damage", &p.Damage, 0, maxValue)
		b.damageType(t, "damage_type", &p.Type)
		whole(t, "speed", &p.Speed, 1, 100)
		projectileGuise(t, &p.Guise)
		t.done()
		b.w.Projectiles = append(b.w.Projectiles, p)
	}
	slices.SortFunc(b.w.Projectiles, func(x, y combat.Projectile) int { return cmp.Compare(x.ID, y.ID) })
}

func (b *builder) projectileNames() []string {
	return namesOf(b.w.Projectiles, func(p *combat.Projectile) string { return p.Name })
}

// items reads [[item]]. Projectiles are sorted by then: weapons point into their table.
func (b *builder) items(list []*table) {
	for _, t := range list {
		t.named("item", "name")
		it := sim.Item{TakesDamage: true, Thumbnail: noMedia}
		t.newID(&it.ID, int64(sim.NoItem)-1, func(id uint16) bool {
			return slices.ContainsFunc(b.w.Items, func(o sim.Item) bool { return o.ID == id })
		})
		t.newName(&it.Name, b.itemNames())
		t.text("race", &it.ExclusiveRace, maxName)
		t.text("class", &it.ExclusiveClass, maxName)
		whole(t, "value", &it.Value, 0, 10_000_000)
		whole(t, "mass", &it.Mass, 0, 65535)
		t.flag("wears", &it.TakesDamage)
		t.flag("stackable", &it.Stackable)
		whole(t, "thumbnail", &it.Thumbnail, 0, noMedia)
		for i, g := range b.numbers(t, "gubbins", len(it.Gubbins), 0, 65535) {
			it.Gubbins[i] = uint16(g)
		}
		b.itemAttributes(t, &it)
		b.itemKind(t, &it)
		it.CacheModel = itemFigure(t)
		itemGuise(t, &it.EntityItem)
		t.done()
		b.w.Items = append(b.w.Items, it)
	}
	slices.SortFunc(b.w.Items, func(x, y sim.Item) int { return cmp.Compare(x.ID, y.ID) })
}

// itemFigure reads figure = { worn = 500, attack = 426, effect = 19 }: what RuneScape clients show.
func itemFigure(t *table) *sim.CacheItemModel {
	s := t.sub("figure")
	if s == nil {
		return nil
	}
	f := &sim.CacheItemModel{Worn: sim.NoMedia, Attack: sim.NoMedia, Effect: sim.NoMedia}
	whole(s, "worn", &f.Worn, 0, mostWorn)
	whole(s, "attack", &f.Attack, 0, int64(sim.NoMedia)-1)
	whole(s, "effect", &f.Effect, 0, int64(sim.NoMedia)-1)
	s.done()
	return f
}

// mostWorn is the last wearable object that a look can name: it has 15 bits for them.
const mostWorn = 1<<15 - 1

func (b *builder) itemNames() []string {
	return namesOf(b.w.Items, func(it *sim.Item) string { return it.Name })
}

// itemAttributes reads what wearing the item adds: attributes = { Strength = 2 }.
func (b *builder) itemAttributes(t *table, it *sim.Item) {
	a := t.sub("attributes")
	if a == nil {
		return
	}
	for _, name := range sortedKeys(a.keys) {
		if i, ok := lookup(a, name, "attribute", fromUTF8(name), b.attributeNames()); ok {
			whole(a, name, &it.Attr[i], -5000, maxValue)
		}
	}
}

// itemKind reads the kind and the keys that only this kind has.
func (b *builder) itemKind(t *table, it *sim.Item) {
	if !t.need("kind", `"weapon"`) {
		return
	}
	kind, ok := t.choice("kind", itemKinds)
	if !ok {
		return
	}
	it.Kind = sim.ItemKind(kind + 1)
	it.SlotKind = uint8(len(slotKinds)) // backpack
	if it.Kind == sim.ItemWeapon {
		it.SlotKind = 1
	}
	if s, has := t.choice("slot", slotKinds); has {
		it.SlotKind = uint8(s + 1)
	}
	b.checkSlot(t, it)
	switch it.Kind {
	case sim.ItemWeapon:
		it.Weapon = b.weapon(t)
	case sim.ItemArmour:
		whole(t, "armour", &it.ArmourLevel, 0, 5000)
	case sim.ItemOther:
		t.text("text", &it.Text, maxText)
	}
}

// checkSlot refuses items that could never be worn: clients and rules look at kind and slot together.
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

func (b *builder) weapon(t *table) *combat.Weapon {
	w := &combat.Weapon{Kind: combat.OneHanded}
	if t.need("damage", "10") {
		whole(t, "damage", &w.Damage, 0, maxValue)
	}
	b.damageType(t, "damage_type", &w.Type)
	if k, ok := t.choice("weapon", weaponKinds); ok {
		w.Kind = combat.WeaponKind(k + 1)
	}
	if w.Kind != combat.Ranged {
		return w
	}
	if t.need("range", "30") {
		t.f32("range", &w.Range, 0.1, 10_000)
	}
	if !t.need("projectile", `"Arrow"`) {
		return w
	}
	if i, ok := ref(t, "projectile", "projectile", b.projectileNames()); ok {
		w.Projectile = &b.w.Projectiles[i]
	}
	return w
}

// numbers reads a list of exactly n whole numbers; nil if it is absent or wrong.
func (b *builder) numbers(t *table, key string, n int, lo, hi int64) []int64 {
	list := t.values(key)
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
			t.fail(fmt.Sprintf("%s[%d]", key, i), "%s has %v in it: use whole numbers from %d to %d", key, v, lo, hi)
			return nil
		}
		out[i] = x
	}
	return out
}
