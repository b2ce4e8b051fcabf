package combat

import "github.com/truestep-io/truestep/sim/rng"

// AttackResult is the outcome of one attack.
type AttackResult struct {
	Damage   int32 // damage in points, 1..32766, or Miss
	Type     uint8 // damage type of the attack, 0..19; 0 for a miss
	Critical bool  // a critical hit: the damage before armour was doubled
	Hit      bool  // the attack hit
}

// missResult returns the result of an attack that misses.
func missResult() AttackResult { return AttackResult{Damage: Miss} }

// Melee returns the result of an attack of a on v with a's weapon or bare hands. It draws random numbers in this order: (1) the
// roll to hit, 1..100: the attack hits if it is above 10; only on a hit (2) the random part of the damage, if the formula has
// one; and (3) the critical roll, 1..10: a 1 doubles the damage. With formula Script it draws three numbers 1..100 instead. The
// arithmetic is exact, rounds quotients toward zero and cannot overflow; the RealmCrafter server's arithmetic overflows at 32
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

// Shoot returns the result of a shot of a at v with projectile p. It draws (1) the roll to hit, 1..100: the shot hits if it is
// at most HitChance; and only on a hit (2) the random part of the damage, −5..5. Strength, critical hits and toughness have no
// effect. Without a projectile it misses and draws nothing. With formula Script, p may be nil, and the program decides.
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

// rawDamage returns the damage of a melee attack before it is doubled by a critical hit and reduced by armour.
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

// protection returns by how much armour, resistance and toughness reduce melee damage. Formula Multiplied multiplies the armour
// by toughness. In a world without toughness it squares the armour, so a negative armour protects as much as a positive one, as
// in the RealmCrafter server.
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

// clampDamage limits the damage of a hit to 1..MaxDamage.
func clampDamage(d int64) int32 { return int32(min(max(d, 1), MaxDamage)) }

// clampProduct limits a product of two 32-bit numbers to -2^60..2^60. Later steps double the product and subtract another such
// product from it. Within these limits neither step overflows.
func clampProduct(d int64) int64 { return clampAbs(d, 1<<60) }

func clampAbs(d, maximum int64) int64 { return min(max(d, -maximum), maximum) }
