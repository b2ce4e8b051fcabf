package rcce

import "github.com/truestep-io/truestep/proto/wire"

// AttackActorRequest asks to attack. Type 18, client to server, exactly 2 bytes.
//
//	off  size  field   encoding  unit and range
//	0    2     Target  u16       runtime id
//
// Source: P_AttackActor of the RealmCrafter specification; docs/wire/rcce.md#attackactor.
type AttackActorRequest struct{ Target uint16 } // runtime id of the attacked actor

// ParseAttackActorRequest decodes the payload of type 18 from a client. b is borrowed, not kept.
// Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseAttackActorRequest(b []byte) (AttackActorRequest, error) {
	r := newReader(b)
	p := readAttackActorRequest(&r)
	return p, r.done("AttackActorRequest")
}

func readAttackActorRequest(r *reader) AttackActorRequest {
	return AttackActorRequest{Target: r.u16("Target")}
}

// Append appends the whole message, 3 bytes, and returns the longer slice.
func (p AttackActorRequest) Append(b []byte) []byte {
	return wire.U16(append(b, uint8(TypeAttackActor)), p.Target)
}

// Values of AttackActor.Sub. An attack is sent to every player in the area, and Sub tells each recipient whether it
// is the attacker, the victim or neither.
const (
	AttackYouHit = 'H' // sent to the attacker, which hit Victim
	AttackHitYou = 'Y' // sent to the victim, which Attacker hit
	AttackOthers = 'O' // sent to all others in the area, without damage
)

// AttackActor shows an attack. Type 18, server to client. Servers make it with HitForAttacker, HitForVictim and
// HitForOthers, which clamp Damage and DamageType to the range that all clients interpret equally.
//
//	off  size  field       encoding  unit and range
//	0    1     Sub         u8        'H', 'Y' or 'O'
//	1    2     Victim      u16       'H': the actor that was hit
//	1    2     Attacker    u16       'Y' and 'O'
//	3    2     Victim      u16       'O' only, which ends here: 5 bytes
//	3    2     Damage      u16       'H' and 'Y': points plus one, 0 a miss; see Damage
//	5    1     DamageType  u8        'H' and 'Y': 0..19, 0 on a miss
//
// Source: P_AttackActor of the RealmCrafter specification; docs/wire/rcce.md#attackactor.
type AttackActor struct {
	Sub              uint8  // AttackYouHit, AttackHitYou or AttackOthers
	Attacker, Victim uint16 // runtime ids; 0 if not sent with this Sub
	Damage           Damage // 0 if Sub is AttackOthers
	DamageType       uint8  // 0..19; 0 if Sub is AttackOthers
}

// HitForAttacker returns the message for the attacker. The parameter points is the damage, or Missed, and is clamped
// as in DamageOf. The parameter damageType is 0..19. A larger value is sent as 0, and so is the type of a miss.
func HitForAttacker(victim uint16, points int32, damageType uint8) AttackActor {
	d := DamageOf(points)
	return AttackActor{Sub: AttackYouHit, Victim: victim, Damage: d, DamageType: clampDamageType(d, damageType)}
}

// HitForVictim returns the message for the victim. Its parameters points and damageType are clamped as in
// HitForAttacker.
func HitForVictim(attacker uint16, points int32, damageType uint8) AttackActor {
	d := DamageOf(points)
	return AttackActor{Sub: AttackHitYou, Attacker: attacker, Damage: d, DamageType: clampDamageType(d, damageType)}
}

// HitForOthers returns the message for all other players in the area, whose clients show the attack but no damage.
func HitForOthers(attacker, victim uint16) AttackActor {
	return AttackActor{Sub: AttackOthers, Attacker: attacker, Victim: victim}
}

func clampDamageType(d Damage, damageType uint8) uint8 {
	if d.IsMiss() || damageType >= DamageTypes {
		return 0
	}
	return damageType
}

// ParseAttackActor decodes the payload of type 18 from a server. It accepts any damage and type, as clients do. b is
// borrowed, not kept. Errors wrap wire.ErrShort, wire.ErrRange (an unknown Sub) or wire.ErrTrailing.
func ParseAttackActor(b []byte) (AttackActor, error) {
	r := newReader(b)
	p := readAttackActor(&r)
	return p, r.done("AttackActor")
}

func readAttackActor(r *reader) AttackActor {
	p := AttackActor{Sub: r.sub("HYO")}
	switch p.Sub {
	case AttackOthers:
		p.Attacker, p.Victim = r.u16("Attacker"), r.u16("Victim")
		return p
	case AttackHitYou:
		p.Attacker = r.u16("Attacker")
	default:
		p.Victim = r.u16("Victim")
	}
	p.Damage = Damage(r.u16("Damage"))
	p.DamageType = r.u8("DamageType")
	return p
}

// Append appends the whole message, 6 or 7 bytes, and returns the longer slice.
func (p AttackActor) Append(b []byte) []byte {
	b = append(b, uint8(TypeAttackActor), p.Sub)
	switch p.Sub {
	case AttackOthers:
		return wire.U16(wire.U16(b, p.Attacker), p.Victim)
	case AttackHitYou:
		b = wire.U16(b, p.Attacker)
	default:
		b = wire.U16(b, p.Victim)
	}
	return append(wire.U16(b, uint16(p.Damage)), p.DamageType)
}

// ActorDead reports the death of an actor. Type 19, server to client, to every player in the area. The client plays the
// death animation and removes the actor, so no ActorGone follows. Send it for the death of a player only if a NewActor or
// ChangeArea restores the player afterwards.
//
//	off  size  field   encoding  unit and range
//	0    2     Dead    u16       runtime id
//	2    2     Killer  u16       runtime id; absent if nobody killed the actor
//
// Source: docs/wire/rcce.md#actordead.
type ActorDead struct {
	Dead      uint16 // runtime id of the actor that died
	HasKiller bool   // the field Killer is present
	Killer    uint16 // runtime id of the killer; 0 unless HasKiller
}

// ParseActorDead decodes the payload of type 19. b is borrowed, not kept.
// Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseActorDead(b []byte) (ActorDead, error) {
	r := newReader(b)
	p := readActorDead(&r)
	return p, r.done("ActorDead")
}

func readActorDead(r *reader) ActorDead {
	p := ActorDead{Dead: r.u16("Dead")}
	if r.more() {
		p.HasKiller, p.Killer = true, r.u16("Killer")
	}
	return p
}

// Append appends the whole message, 3 or 5 bytes, and returns the longer slice.
func (p ActorDead) Append(b []byte) []byte {
	b = wire.U16(append(b, uint8(TypeActorDead)), p.Dead)
	if p.HasKiller {
		b = wire.U16(b, p.Killer)
	}
	return b
}
