package rcce

import "github.com/truestep-io/truestep/proto/wire"

// AttackActorRequest asks the server to let the player attack an actor. Type 18, client to server, exactly 2 bytes.
//
//	off  size  field   encoding  unit and range
//	0    2     Target  u16       runtime id
//
// Source: P_AttackActor of the RealmCrafter specification; docs/wire/rcce.md#attackactor.
type AttackActorRequest struct{ Target uint16 } // runtime id of the attacked actor

// ParseAttackActorRequest decodes the payload of a packet of type 18 from a client. b is borrowed, not kept. Errors wrap
// wire.ErrShort or wire.ErrTrailing.
func ParseAttackActorRequest(b []byte) (AttackActorRequest, error) {
	r := newReader(b)
	p := readAttackActorRequest(&r)
	return p, r.done("AttackActorRequest")
}

func readAttackActorRequest(r *reader) AttackActorRequest {
	return AttackActorRequest{Target: r.u16("Target")}
}

// Append appends the message, 3 bytes including its type, to b and returns the longer slice.
func (p AttackActorRequest) Append(b []byte) []byte {
	return wire.U16(append(b, uint8(TypeAttackActor)), p.Target)
}

// Values of AttackActor.Sub. A server sends an attack to every player in the area. Sub tells each client whether its own player
// is the attacker, the victim or neither.
const (
	AttackYouHit = 'H' // sent to the attacker: the attacker hit Victim
	AttackHitYou = 'Y' // sent to the victim: Attacker hit the victim
	AttackOthers = 'O' // sent to all other players in the area, without the damage
)

// AttackActor makes a client display an attack. Type 18, server to client. Servers should make it with HitForAttacker,
// HitForVictim or HitForOthers: these functions limit Damage and DamageType to values that all clients interpret in the same way.
//
//	off  size  field       encoding  unit and range
//	0    1     Sub         u8        'H', 'Y' or 'O'
//	1    2     Victim      u16       'H': the actor that was hit
//	1    2     Attacker    u16       'Y' and 'O'
//	3    2     Victim      u16       'O' only; this packet ends here and has 5 bytes
//	3    2     Damage      u16       'H' and 'Y': points plus one, 0 a miss; see Damage
//	5    1     DamageType  u8        'H' and 'Y': 0..19, 0 on a miss
//
// Source: P_AttackActor of the RealmCrafter specification; docs/wire/rcce.md#attackactor.
type AttackActor struct {
	Sub              uint8  // AttackYouHit, AttackHitYou or AttackOthers
	Attacker, Victim uint16 // runtime ids; 0 if a packet with this Sub does not contain the id
	Damage           Damage // points plus one, or 0 for a miss; 0 if Sub is AttackOthers
	DamageType       uint8  // number of the damage type, 0..19; 0 if Sub is AttackOthers
}

// HitForAttacker returns the AttackActor packet for the client of the attacker. The parameter points is the damage, or Missed;
// the packet contains the result of DamageOf(points). The parameter damageType is 0..19. For a miss or a larger value, the
// packet contains the type 0.
func HitForAttacker(victim uint16, points int32, damageType uint8) AttackActor {
	d := DamageOf(points)
	return AttackActor{Sub: AttackYouHit, Victim: victim, Damage: d, DamageType: clampDamageType(d, damageType)}
}

// HitForVictim returns the AttackActor packet for the client of the victim. It limits the parameters points and damageType as
// HitForAttacker does.
func HitForVictim(attacker uint16, points int32, damageType uint8) AttackActor {
	d := DamageOf(points)
	return AttackActor{Sub: AttackHitYou, Attacker: attacker, Damage: d, DamageType: clampDamageType(d, damageType)}
}

// HitForOthers returns the AttackActor packet for all other players in the area. Their clients display the attack without its
// damage.
func HitForOthers(attacker, victim uint16) AttackActor {
	return AttackActor{Sub: AttackOthers, Attacker: attacker, Victim: victim}
}

func clampDamageType(d Damage, damageType uint8) uint8 {
	if d.IsMiss() || damageType >= DamageTypes {
		return 0
	}
	return damageType
}

// ParseAttackActor decodes the payload of a packet of type 18 from a server. It accepts any damage and type, as clients do. b is
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

// Append appends the message, 6 or 7 bytes including its type, to b and returns the longer slice.
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

// ActorDead reports the death of an actor. Type 19, server to client, to every player in the area. Clients play the death
// animation and then remove the actor, so no ActorGone follows. If a server sends the packet for the death of a player, it must
// afterwards send a NewActor or ChangeArea, which brings the player back.
//
//	off  size  field   encoding  unit and range
//	0    2     Dead    u16       runtime id
//	2    2     Killer  u16       runtime id; absent if no actor killed it
//
// Source: docs/wire/rcce.md#actordead.
type ActorDead struct {
	Dead      uint16 // runtime id of the actor that died
	HasKiller bool   // the field Killer is present
	Killer    uint16 // runtime id of the killer; 0 unless HasKiller
}

// ParseActorDead decodes the payload of a packet of type 19. b is borrowed, not kept. Errors wrap wire.ErrShort or
// wire.ErrTrailing.
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

// Append appends the message, 3 or 5 bytes including its type, to b and returns the longer slice.
func (p ActorDead) Append(b []byte) []byte {
	b = wire.U16(append(b, uint8(TypeActorDead)), p.Dead)
	if p.HasKiller {
		b = wire.U16(b, p.Killer)
	}
	return b
}
