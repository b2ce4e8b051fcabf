package combat

import "github.com/truestep-io/truestep/sim/geom"

// heightDivisor divides height differences in combat distances. Source: docs/wire/rcce.md.
const heightDivisor = 5

// Shoots reports whether f holds a ranged weapon, broken or not.
func (f *Fighter) Shoots() bool { return f.Weapon != nil && f.Weapon.Kind == Ranged }

// Armed reports whether f holds a working weapon; otherwise it fights with bare hands.
func (f *Fighter) Armed() bool { return f.Weapon != nil && f.WeaponHealth > 0 }

// RatingOf is f's rating of a faction, 0..200: 100 for an unknown faction or without a table.
func (f *Fighter) RatingOf(faction uint8) uint8 {
	if f.Ratings == nil || int(faction) >= len(f.Ratings) {
		return neutral
	}
	return f.Ratings[faction]
}

// ResistanceTo is f's resistance to a damage type: 100 is neutral, also for unknown types.
func (f *Fighter) ResistanceTo(damage uint8) int32 {
	if f.Resistances == nil || int(damage) >= len(f.Resistances) {
		return neutral
	}
	return f.Resistances[damage]
}

// damageType is the damage type of f's melee attacks, 0..19; larger numbers are read as type 0, as clients do.
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

// Distance is the combat distance of two fighters in units: a height difference counts a fifth.
func Distance(a, v *Fighter) float32 { return geom.Sqrt(combatDist2(a, v)) }

func combatDist2(a, v *Fighter) float32 {
	dy := (a.Pos.Y - v.Pos.Y) / heightDivisor
	return geom.Dist2XZ(a.Pos, v.Pos) + float32(dy*dy)
}

// within reports whether a squared distance is within reach. It returns false for NaN.
func within(d2, reach float32) bool { return d2 <= float32(reach*reach) }
