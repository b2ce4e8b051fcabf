package rcce

// Damage is the damage of an attack as an AttackActor packet contains it: the points plus one, or 0 for a miss.
//
// Clients disagree about the field. The RealmCrafter specification calls it signed, the RealmCrafter client reads it as
// unsigned, and another client reads it as unsigned with saturation. Only values in 0..32767 mean the same to all of them, so
// DamageOf returns no others.
type Damage uint16

// Smallest and largest value of damage points. Source: RealmCrafter specification, section 3.4, AttackActor.
const (
	Missed    = -1    // damage points that stand for a miss
	MaxDamage = 32766 // highest damage that all clients interpret equally, points
)

// DamageOf encodes damage points: it limits them to Missed..MaxDamage and then adds one. Without the limits, -2 points would
// become 65535, which clients display as 65534 points, and 65535 points would become 0, which means a miss.
func DamageOf(points int32) Damage {
	return Damage(min(max(points, Missed), MaxDamage) + 1)
}

// Points returns the damage in points: -1 for a miss, 0 for a hit without a displayed number, otherwise up to 65534. It reads
// the field as unsigned, as the RealmCrafter client does.
func (d Damage) Points() int32 { return int32(d) - 1 }

// IsMiss reports whether the attack missed its target.
func (d Damage) IsMiss() bool { return d == 0 }
