package content

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

const (
	projectileFile = serverData + "/Projectiles.dat"
	itemFile       = serverData + "/Items.dat"
	spellFile      = serverData + "/Spells.dat"
)

// sortByID sorts the records of a table by id; in the file they may have any order. Of two records with the same id it keeps the
// one that is later in the file, as the RealmCrafter server does. The parameter what names such a record in messages.
func sortByID[T any](b *projectBuilder, file, what string, list []T, id func(*T) uint16) []T {
	slices.SortStableFunc(list, func(x, y T) int { return cmp.Compare(id(&x), id(&y)) })
	out := list[:0]
	for i := range list {
		if i+1 < len(list) && id(&list[i]) == id(&list[i+1]) {
			b.files.warn("DUPLICATE-ID", file, fmt.Sprintf("%s %d", what, id(&list[i])), "two records have this id: the later record is used")
			continue
		}
		out = append(out, list[i])
	}
	return out
}

// clampWarn limits a stored number to the range lo..hi. It records a warning if the number was outside of the range.
func (b *projectBuilder) clampWarn(file, where, name string, v, lo, hi int32) int32 {
	got := min(max(v, lo), hi)
	if got != v {
		b.files.warn("VALUE-RANGE", file, where, "%s %d is outside %d..%d: %d is used", name, v, lo, hi, got)
	}
	return got
}

func (b *projectBuilder) importProjectiles() {
	list := make([]combat.Projectile, 0, len(b.raw.projectiles))
	for i := range b.raw.projectiles {
		p := &b.raw.projectiles[i]
		where := fmt.Sprintf("projectile %d %s", p.ID, p.Name)
		b.appearance.RealmCrafter.Projectiles[p.ID] = appearance.RealmCrafterProjectile{
			Mesh: p.Mesh, Emitter1: p.Emitter1, Emitter2: p.Emitter2, Texture1: p.Emitter1Texture, Texture2: p.Emitter2Texture, Homing: p.Homing,
		}
		list = append(list, combat.Projectile{
			ID: p.ID, Name: p.Name,
			HitChance: b.clampWarn(projectileFile, where, "hitChance", int32(p.HitChance), 0, 100),
			Damage:    b.clampWarn(projectileFile, where, "damage", int32(p.Damage), 0, combat.MaxDamage),
			Type:      b.damageType(projectileFile, where, p.DamageType),
			Speed:     uint8(b.clampWarn(projectileFile, where, "speed", int32(p.Speed), 1, 100)),
		})
	}
	b.w.Projectiles = sortByID(b, projectileFile, "projectile", list, func(p *combat.Projectile) uint16 { return p.ID })
}

func (b *projectBuilder) importItems() {
	list := make([]sim.Item, 0, len(b.raw.items))
	for i := range b.raw.items {
		list = append(list, b.importItem(&b.raw.items[i]))
	}
	b.w.Items = sortByID(b, itemFile, "item", list, func(it *sim.Item) uint16 { return it.ID })
}

func (b *projectBuilder) importItem(r *rcItem) sim.Item {
	where := fmt.Sprintf("item %d %s", r.ID, r.Name)
	it := sim.Item{
		ID: r.ID, Name: r.Name, ExclusiveRace: r.ExclusiveRace, ExclusiveClass: r.ExclusiveClass,
		Kind: sim.ItemKind(r.Type), Value: r.Value, Mass: r.Mass, TakesDamage: r.TakesDamage,
		SlotKind:  uint8(b.clampWarn(itemFile, where, "slotType", int32(r.SlotType), 1, int32(len(slotKinds)))),
		Stackable: r.Stackable, Text: r.MiscData,
	}
	b.appearance.RealmCrafter.Items[r.ID] = appearance.RealmCrafterItem{
		Thumbnail: r.ThumbnailTexture, Gubbins: r.Gubbins,
		MaleMesh: r.MaleMesh, FemaleMesh: r.FemaleMesh, Image: r.ImageTexture, EatSeconds: r.EatEffectsLength,
	}
	for i, v := range r.Attributes {
		it.Attr[i] = int16(b.clampWarn(itemFile, where, fmt.Sprintf("attribute %d", i), v, -itemOffset, maxValue))
	}
	switch it.Kind {
	case sim.ItemWeapon:
		it.Weapon = b.importWeapon(r, where)
	case sim.ItemArmour:
		it.ArmourLevel = int32(r.ArmourLevel)
	}
	b.checkWorn(&it, where)
	b.scripts.add(r.Script, itemFile, where, "using the item does nothing")
	return it
}

func (b *projectBuilder) importWeapon(r *rcItem, where string) *combat.Weapon {
	w := &combat.Weapon{
		Damage: b.clampWarn(itemFile, where, "weaponDamage", int32(r.WeaponDamage), 0, combat.MaxDamage),
		Type:   b.damageType(itemFile, where, r.WeaponDamageType),
		Kind:   combat.WeaponKind(r.WeaponType),
	}
	if r.WeaponType < 1 || r.WeaponType > 3 {
		w.Kind = combat.OneHanded
		b.files.warn("VALUE-RANGE", itemFile, where, "weaponType %d is outside 1..3: the weapon is one-handed", r.WeaponType)
	}
	if w.Kind != combat.Ranged {
		return w
	}
	w.Range = max(r.Range, 0)
	if r.Range <= 0 {
		b.files.warn("WEAPON-RANGE", itemFile, where, "the ranged weapon has the range %v: it reaches only actors that touch the attacker", r.Range)
	}
	i, ok := slices.BinarySearchFunc(b.w.Projectiles, r.RangedProjectile,
		func(p combat.Projectile, id uint16) int { return cmp.Compare(p.ID, id) })
	if !ok {
		b.files.warn("PROJECTILE-MISSING", itemFile, where, "the weapon's projectile %d does not exist: the weapon cannot shoot", r.RangedProjectile)
		return w
	}
	w.Projectile = &b.w.Projectiles[i]
	return w
}

// checkWorn warns about a weapon, armour or jewel that fits no slot.
func (b *projectBuilder) checkWorn(it *sim.Item, where string) {
	if it.Kind > sim.ItemJewel {
		return
	}
	for slot := range sim.SlotBackpack {
		if canWearIn(it, slot) {
			return
		}
	}
	b.files.warn("ITEM-SLOT", itemFile, where, "an item of kind %s with slotType %s fits no equipment slot: it can only be carried",
		itemKinds[it.Kind-1], slotKinds[it.SlotKind-1])
}

// listSpellScripts extends the list of the project's scripts by those of spells. Without their scripts, spells have no effect.
func (b *projectBuilder) listSpellScripts() {
	for i := range b.raw.spells {
		s := &b.raw.spells[i]
		b.scripts.add(s.Script, spellFile, fmt.Sprintf("spell %d %s", s.ID, s.Name), "the spell is not taught or cast")
	}
}

// scriptList collects one warning for each script of a project, because this server runs no scripts.
type scriptList struct {
	seen     map[string]bool
	warnings []Warning
}

func (s *scriptList) add(script, file, where, instead string) {
	if script == "" || s.seen[lowerASCII(script)] {
		return
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[lowerASCII(script)] = true
	s.warnings = append(s.warnings, Warning{"SCRIPT", file, where, "script " + script + " is not run: " + instead})
}
