package combat

import "github.com/truestep-io/truestep/sim/rng"

// AttackResult is the outcome of one attack.
type AttackResult struct {
	Damage   int32 // in points, 1..32766, or Miss
	Type     uint8 // damage type, 0..19; 0 for a miss
	Critical bool  // the damage before armour was doubled
	Hit      bool
}

// missResult is the outcome of a miss.
func missResult() AttackResult { return AttackResult{Damage: Miss} }

// Melee is an attack of a on v with its weapon or bare hands. It draws: the roll to hit 1..100 (above 10 hits) and,
// on a hit, the spread, if the formula has one, and the critical roll 1..10 (1 doubles). With formula Script it draws
// 1..100 three times. The arithmetic is exact, divides toward zero and cannot overflow; the RealmCrafter server wraps at 32
// bits.
func (r *Rules) Melee(a, v *Fighter, luck *rng.Stream) AttackResult {
	if r.Formula == Script {
		return r.runScript(a, v, nil, luck)
	}
	if luck.Between(1, 100) <= missMaxRoll {
		return missResult()
	}
	d := r.rawDamage(a, luck)
	critical := luck.Between(1, criticalOdds) == 1
	if critical {
		d *= 2
	}
	kind := a.damageType()
	return AttackResult{Damage: clampDamage(d - r.protection(v, kind)), Type: kind, Critical: critical, Hit: true}
}

// Shoot is a shot of a at v with projectile p. It draws: the roll to hit 1..100 (up to HitChance hits) and, on a hit,
// the spread −5..5. Strength, criticals and toughness have no effect. Without a projectile it misses and draws
// nothing. With formula Script, p may be nil and the program decides.
func (r *Rules) Shoot(a, v *Fighter, p *Projectile, luck *rng.Stream) AttackResult {
	if r.Formula == Script {
		return r.runScript(a, v, p, luck)
	}
	if p == nil || luck.Between(1, 100) > p.HitChance {
		return missResult()
	}
	kind := knownType(p.Type)
	d := int64(p.Damage) + int64(luck.Between(-5, 5)) - armour(v, kind)
	return AttackResult{Damage: clampDamage(d), Type: kind, Hit: true}
}

// rawDamage is the damage before criticals and armour.
func (r *Rules) rawDamage(a *Fighter, luck *rng.Stream) int64 {
	strength := int64(a.Strength)
	if !a.Armed() {
		if r.Formula == Multiplied {
			return strength + int64(luck.Between(-10, 10))
		}
		return strength/8 + int64(luck.Between(-5, 5))
	}
	d := int64(a.Weapon.Damage)
	switch r.Formula {
	case NoStrength:
		return d
	case Multiplied:
		return clampProduct(d * strength)
	}
	switch { // Normal, and any unknown formula number
	case strength < d:
		return d - int64(luck.Between(5, 8))
	case strength > d:
		return d + int64(luck.Between(5, 8))
	}
	return d + int64(luck.Between(-5, 5))
}

// protection is the reduction of melee damage by armour, resistance and toughness. Formula Multiplied multiplies the
// armour by toughness or, in a world without toughness, squares it: negative protection then protects too, as in the
// original.
func (r *Rules) protection(v *Fighter, kind uint8) int64 {
	ap := armour(v, kind)
	switch {
	case r.Formula == Multiplied && v.HasToughness:
		return clampProduct(ap * int64(v.Toughness))
	case r.Formula == Multiplied:
		return clampProduct(ap * ap)
	case v.HasToughness:
		return ap + int64(v.Toughness)/8
	}
	return ap
}

// armour returns the damage reduction by armour and resistance. It is negative if the fighter is weak against the damage type.
func armour(v *Fighter, kind uint8) int64 {
	return clampAbs(int64(v.Armour)+int64(v.ResistanceTo(kind))-neutral, 1<<31)
}

// clampDamage is the damage of a hit: at least 1 and at most MaxDamage.
func clampDamage(d int64) int32 { return int32(min(max(d, 1), MaxDamage)) }

// clampProduct bounds a product of two 32-bit numbers, so that doubling it and subtracting another cannot overflow.
func clampProduct(d int64) int64 { return clampAbs(d, 1<<60) }

func clampAbs(d, maximum int64) int64 { return min(max(d, -maximum), maximum) }
