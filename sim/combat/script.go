package combat

import (
	"math"

	"github.com/truestep-io/truestep/sim/rng"
)

// runScript calculates the result of an attack by formula Script. It always draws three random numbers 1..100, even if the
// program reads none of them. The damage is the result of the program, truncated toward zero and limited to MaxDamage. If the
// result is below 1, infinite or NaN, the attack misses.
func (r *Rules) runScript(a, v *Fighter, p *Projectile, luck *rng.Stream) AttackResult {
	if p == nil && a.Shoots() {
		p = a.Weapon.Projectile // with formula Script, Melee may be called for a shot
	}
	kind := a.damageType()
	if p != nil {
		kind = knownType(p.Type)
	}
	in := r.scriptInputs(a, v, p, kind)
	for _, roll := range [...]Input{InRoll, InRoll2, InRoll3} {
		in[roll] = float64(luck.Between(1, 100))
	}
	if r.Program == nil {
		return missResult()
	}
	d := r.Program.Run(&in)
	if !(d >= 1) || math.IsInf(d, 0) { // true for NaN too
		return missResult()
	}
	return AttackResult{Damage: int32(min(d, MaxDamage)), Type: kind, Hit: true}
}

// scriptInputs returns what the damage program can read about one attack. The three random numbers are missing; the caller adds
// them.
func (r *Rules) scriptInputs(a, v *Fighter, p *Projectile, kind uint8) [Inputs]float64 {
	in := [Inputs]float64{
		InAttackerStrength: float64(a.Strength), InAttackerToughness: float64(a.Toughness),
		InAttackerLevel: float64(a.Level), InAttackerHealth: float64(a.Health),
		InAttackerArmour: float64(a.Armour), InAttackerPlayer: boolToFloat(a.Player),
		InVictimStrength: float64(v.Strength), InVictimToughness: float64(v.Toughness),
		InVictimLevel: float64(v.Level), InVictimHealth: float64(v.Health),
		InVictimArmour: float64(v.Armour), InVictimPlayer: boolToFloat(v.Player),
		InArmed: boolToFloat(a.Armed()), InRanged: boolToFloat(a.Shoots()),
		InHitChance: 100, InResistance: float64(v.ResistanceTo(kind)),
		InDistance: float64(Distance(a, v)), InReach: float64(r.MaxAttackDistance(a, v)),
	}
	if a.Armed() {
		in[InWeaponDamage] = float64(a.Weapon.Damage)
	}
	if p != nil {
		in[InProjectileDamage], in[InHitChance] = float64(p.Damage), float64(p.HitChance)
	}
	return in
}
