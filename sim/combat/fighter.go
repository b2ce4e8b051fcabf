package combat

import "github.com/truestep-io/truestep/sim/geom"

// flatten is by how much height counts less than ground in the distance of a fight. Source: docs/wire/rcce.md.
const heightDivisor = 5

// Shoots tells whether f holds a ranged weapon, broken or not.
func (f *Fighter) Shoots() bool { return f.Weapon != nil && f.Weapon.Kind == Ranged }

// Armed tells whether f holds a weapon that works; otherwise it fights with bare hands.
func (f *Fighter) Armed() bool { return f.Weapon != nil && f.WeaponHealth > 0 }

// RatingOf is how f rates a faction, 0..200: 100 for one that is none of the 100, or without a table.
func (f *Fighter) RatingOf(faction uint8) uint8 {
	if f.Ratings == nil || int(faction) >= len(f.Ratings) {
		return neutral
	}
	return f.Ratings[faction]
}

// ResistTo is the resistance of f to a damage type: 100 is neutral, also for a type that is none of the 20.
func (f *Fighter) ResistanceTo(damage uint8) int32 {
	if f.Resistances == nil || int(damage) >= len(f.Resistances) {
		return neutral
	}
	return f.Resistances[damage]
}

// damageType is the type of f's blows in melee, 0..19; a number beyond is type 0, as clients read it.
func (f *Fighter) damageType() uint8 {
	if f.Armed() {
		return knownType(f.Weapon.Type)
	}
	return knownType(f.Unarmed)
}

func knownType(t uint8) uint8 {
	if t >= DamageTypes {
		return 0
	}
	return t
}

// Distance is how far apart two fighters are for the rules of range, in units: height counts a fifth.
func Distance(a, v *Fighter) float32 { return geom.Sqrt(dist2(a, v)) }

func dist2(a, v *Fighter) float32 {
	dy := (a.Pos.Y - v.Pos.Y) / heightDivisor
	return geom.Dist2XZ(a.Pos, v.Pos) + float32(dy*dy)
}

// within tells whether a squared distance is at most that of reach. NaN is not.
func within(d2, reach float32) bool { return d2 <= float32(reach*reach) }
