package combat

import "github.com/truestep-io/truestep/sim/geom"

// heightDivisor is the number by which a difference in height is divided before a distance of combat is computed, so that height
// counts less. Source: docs/wire/rcce.md.
const heightDivisor = 5

// Shoots reports whether f holds a ranged weapon, even a broken one.
func (f *Fighter) Shoots() bool { return f.Weapon != nil && f.Weapon.Kind == Ranged }

// Armed reports whether f holds a weapon that is not broken. If not, f fights with bare hands.
func (f *Fighter) Armed() bool { return f.Weapon != nil && f.WeaponHealth > 0 }

// RatingOf returns f's rating of a faction, 0..200. It returns 100 for an unknown faction, or if f has no ratings.
func (f *Fighter) RatingOf(faction uint8) uint8 {
	if f.Ratings == nil || int(faction) >= len(f.Ratings) {
		return neutral
	}
	return f.Ratings[faction]
}

// ResistanceTo returns f's resistance to a damage type in percent. 100 is neutral; it is also the result for unknown types.
func (f *Fighter) ResistanceTo(damageType uint8) int32 {
	if f.Resistances == nil || int(damageType) >= len(f.Resistances) {
		return neutral
	}
	return f.Resistances[damageType]
}

// damageType returns the damage type of f's melee attacks, 0..19. A larger number in the world's data counts as 0, as in clients.
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

// Distance returns the distance of two fighters by the rules of combat, in world units. It first divides the difference in
// height by five.
func Distance(a, v *Fighter) float32 { return geom.Sqrt(combatDist2(a, v)) }

func combatDist2(a, v *Fighter) float32 {
	dy := (a.Pos.Y - v.Pos.Y) / heightDivisor
	return geom.Dist2XZ(a.Pos, v.Pos) + float32(dy*dy)
}

// within reports whether a distance is at most reach. The parameter d2 is the square of the distance. It returns false for NaN.
func within(d2, reach float32) bool { return d2 <= float32(reach*reach) }
