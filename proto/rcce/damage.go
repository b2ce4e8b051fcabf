package rcce

// Damage is the damage field of AttackActor as it is on the wire: the damage plus one, 0 for a miss.
//
// The seed calls the field signed, the original client reads it unsigned and another reads it unsigned with
// saturation. Only 0..32767 means the same to all of them, so that is all that DamageOf makes.
type Damage uint16

// What a hit may say. Source: spec rcce 3.4, AttackActor.
const (
	Missed    = -1    // points of a miss
	MaxDamage = 32766 // points, the most that every client reads alike
)

// DamageOf is how damage points go on the wire. Points are clamped to Missed..MaxDamage before they are raised by
// one, so that neither -2 (which a client shows as 65534) nor 65535 (which wraps to a miss) can be sent.
func DamageOf(points int32) Damage {
	return Damage(min(max(points, Missed), MaxDamage) + 1)
}

// Points is the damage as a client reads it, unsigned: -1 for a miss, 0 for nothing shown, up to 65534.
func (d Damage) Points() int32 { return int32(d) - 1 }

// Miss says whether the blow missed.
func (d Damage) Miss() bool { return d == 0 }
