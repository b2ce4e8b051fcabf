package rcce

import "github.com/truestep-io/truestep/proto/wire"

// Values of ActorEffect.Sub: an effect on the player begins, changes an attribute, or ends.
const (
	EffectAdd    = 'A' // add the icon of an effect
	EffectChange = 'E' // add Amounts[0] to one attribute of the player
	EffectRemove = 'R' // remove the icon and subtract each Amounts[i] from attribute i
)

// ActorEffect tells a client about an effect on its own player, such as a buff. Type 36, server to client. It is sent only to the
// client of this player.
//
//	off  size    field      encoding  unit and range
//	0    1       Sub        u8        'A', 'E' or 'R'
//	1    4       Effect     u32       'A' and 'R': handle, any number but 0
//	5    2       Icon       u16       'A': texture id
//	7    rest    Name       bytes     'A'
//	1    1       Attribute  u8        'E': 0..39
//	2    4       Amounts    i32       'E': Amounts[0], the difference
//	5    40 x 4  Amounts    i32       'R': one for each attribute
//
// Source: docs/wire/rcce.md#actoreffect.
type ActorEffect struct {
	Sub       uint8                 // EffectAdd, EffectChange or EffectRemove
	Effect    uint32                // handle of the effect; 0 if Sub is EffectChange
	Icon      uint16                // texture id; 0 unless Sub is EffectAdd
	Name      string                // displayed name of the effect; "" unless Sub is EffectAdd
	Attribute uint8                 // attribute index; 0 unless Sub is EffectChange
	Amounts   [AttributeCount]int32 // change of each attribute by index, in points; with EffectChange, element 0 is the change of Attribute
}

// ParseActorEffect decodes the payload of a packet of type 36. b is borrowed, not kept. Errors wrap wire.ErrShort, wire.ErrRange
// (an unknown Sub) or wire.ErrTrailing.
func ParseActorEffect(b []byte) (ActorEffect, error) {
	r := newReader(b)
	p := readActorEffect(&r)
	return p, r.done("ActorEffect")
}

func readActorEffect(r *reader) ActorEffect {
	p := ActorEffect{Sub: r.sub("AER")}
	switch p.Sub {
	case EffectAdd:
		p.Effect = r.u32("Effect")
		p.Icon = r.u16("Icon")
		p.Name = r.rest("Name")
	case EffectChange:
		p.Attribute = r.u8("Attribute")
		p.Amounts[0] = r.i32("Amounts")
	default:
		p.Effect = r.u32("Effect")
		r.i32s("Amounts", p.Amounts[:])
	}
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p ActorEffect) Append(b []byte) []byte {
	b = append(b, uint8(TypeActorEffect), p.Sub)
	switch p.Sub {
	case EffectAdd:
		b = wire.U16(wire.U32(b, p.Effect), p.Icon)
		return append(b, p.Name...)
	case EffectChange:
		return wire.U32(append(b, p.Attribute), uint32(p.Amounts[0]))
	}
	b = wire.U32(b, p.Effect)
	for _, a := range p.Amounts {
		b = wire.U32(b, uint32(a))
	}
	return b
}

// Projectile makes clients display a projectile in flight. Type 37, server to client, to every player in the area. It does not
// announce damage, which the server sends in other packets.
//
//	off  size  field     encoding  unit and range
//	0    2     Source    u16       runtime id
//	2    2     Target    u16       runtime id
//	4    2     Mesh      u16       65535 for none
//	6    2     Texture1  u16       of emitter 1
//	8    2     Texture2  u16       of emitter 2
//	10   1     Homing    u8        0 or 1
//	11   1     Speed     u8        a fiftieth of a world unit per frame
//	12   1+n   Emitter1  str8      particle file
//	     rest  Emitter2  bytes     particle file
//
// Source: docs/wire/rcce.md#projectile.
type Projectile struct {
	Source, Target     uint16 // runtime ids of the actors that the projectile flies from and to
	Mesh               uint16 // mesh id; NoItem for none
	Texture1, Texture2 uint16 // textures of Emitter1 and Emitter2
	Homing             uint8  // 1 if the projectile follows the target, otherwise 0
	Speed              uint8  // speed in 1/50 world units per frame that the client draws
	Emitter1, Emitter2 string // names of particle files
}

// ParseProjectile decodes the payload of a packet of type 37. b is borrowed, not kept. Errors wrap wire.ErrShort.
func ParseProjectile(b []byte) (Projectile, error) {
	r := newReader(b)
	p := readProjectile(&r)
	return p, r.done("Projectile")
}

func readProjectile(r *reader) Projectile {
	return Projectile{
		Source:   r.u16("Source"),
		Target:   r.u16("Target"),
		Mesh:     r.u16("Mesh"),
		Texture1: r.u16("Texture1"),
		Texture2: r.u16("Texture2"),
		Homing:   r.u8("Homing"),
		Speed:    r.u8("Speed"),
		Emitter1: r.str8("Emitter1"),
		Emitter2: r.rest("Emitter2"),
	}
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p Projectile) Append(b []byte) []byte {
	b = append(b, uint8(TypeProjectile))
	for _, v := range [...]uint16{p.Source, p.Target, p.Mesh, p.Texture1, p.Texture2} {
		b = wire.U16(b, v)
	}
	b = wire.Str8(append(b, p.Homing, p.Speed), p.Emitter1)
	return append(b, p.Emitter2...)
}
