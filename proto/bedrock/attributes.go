package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// UpdateAttributes sets attributes of an actor: speed, health, hunger. Packet 29, server to client. If Tick is not 0, the
// client goes back to that tick in the prediction history of its own player, applies the attributes there, and replays later
// inputs.
//
//	field       encoding    range
//	Runtime     runtime id
//	Attributes  list
//	Tick        varu64      tick of the receiving player's input; 0 for other actors
//
// Source: docs/wire/bedrock.md, client-bound packets with a tick; Mojang's PlayerMovementOverview.
type UpdateAttributes struct {
	Runtime    ActorRuntimeID // actor whose attributes change
	Attributes []Attribute    // attributes that change; the others keep their values
	Tick       uint64         // input tick of the receiving player at which the change applies; 0 for other actors
}

// Attribute is one attribute with its limits and defaults.
//
//	size  field       encoding  range
//	4     Min         f32
//	4     Max         f32
//	4     Current     f32
//	4     DefaultMin  f32
//	4     DefaultMax  f32
//	4     Default     f32
//	      Name        str
//	      Modifiers   list
type Attribute struct {
	Min, Max, Current               float32             // limits of the attribute, and its value
	DefaultMin, DefaultMax, Default float32             // default limits and default value, which the server may change
	Name                            string              // name of the attribute, for example AttributeMovement
	Modifiers                       []AttributeModifier // changes by items, effects and other causes
}

// AttributeModifier is a change of an attribute by an item, an effect or another cause.
//
//	size  field         encoding  range
//	      UUID          str       as text
//	      Name          str
//	4     Amount        f32
//	4     Operation     i32       0 add, 1 multiply the base, 2 multiply all
//	4     Operand       i32       0 min, 1 max, 2 current
//	1     Serializable  bool
type AttributeModifier struct {
	UUID, Name   string  // UUID in text form, and name of the modifier
	Amount       float32 // number to add, or by which to multiply
	Operation    int32   // effect of Amount: 0 add to the base, 1 multiply the base, 2 multiply the total
	Operand      int32   // value that the modifier changes: 0 minimum, 1 maximum, 2 current
	Serializable bool    // the modifier is saved with the actor; not used by Truestep
}

// Names of actor attributes on the wire, for UpdateAttributes.
const (
	AttributeMovement           = "minecraft:movement"             // walking speed, blocks per tick
	AttributeUnderwaterMovement = "minecraft:underwater_movement"  // movement in water
	AttributeLavaMovement       = "minecraft:lava_movement"        // movement in lava
	AttributeJumpStrength       = "minecraft:horse.jump_strength"  // strength of a horse's jump
	AttributeHealth             = "minecraft:health"               // health points
	AttributeHunger             = "minecraft:player.hunger"        // food points, 0..20
	AttributeSaturation         = "minecraft:player.saturation"    // food points that are used up before those of AttributeHunger
	AttributeExhaustion         = "minecraft:player.exhaustion"    // progress towards the loss of a food point
	AttributeLevel              = "minecraft:player.level"         // experience level
	AttributeExperience         = "minecraft:player.experience"    // progress to the next experience level, 0..1
	AttributeAbsorption         = "minecraft:absorption"           // additional health points
	AttributeKnockbackResist    = "minecraft:knockback_resistance" // resistance to knockback, 0..1
)

// Minimum sizes of an encoded Attribute and of an encoded AttributeModifier, in bytes.
const (
	minAttribute         = 6*4 + 1 + 1     // minimum bytes of an attribute: that with an empty name and no modifiers
	minAttributeModifier = 1 + 1 + 3*4 + 1 // minimum bytes of a modifier: that with empty texts
)

// ID returns IDUpdateAttributes.
func (UpdateAttributes) ID() ID { return IDUpdateAttributes }

// ParseUpdateAttributes decodes the body of packet 29. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseUpdateAttributes(b []byte, _ Version) (UpdateAttributes, error) {
	r := wire.NewReader(b)
	p := UpdateAttributes{
		Runtime:    r.VarU64(),
		Attributes: readList(&r, minAttribute, maxList, readAttribute),
		Tick:       r.VarU64(),
	}
	return p, r.Done("UpdateAttributes")
}

// Append appends the body of packet 29 to b and returns the extended slice. It allocates only if b lacks the capacity.
func (p UpdateAttributes) Append(b []byte, _ Version) []byte {
	b = wire.VarU32(wire.VarU64(b, p.Runtime), uint32(len(p.Attributes)))
	for i := range p.Attributes {
		b = appendAttribute(b, &p.Attributes[i])
	}
	return wire.VarU64(b, p.Tick)
}

func readAttribute(r *wire.Reader) Attribute {
	return Attribute{
		Min: r.F32(), Max: r.F32(), Current: r.F32(), DefaultMin: r.F32(), DefaultMax: r.F32(), Default: r.F32(),
		Name: r.VarStr(), Modifiers: readList(r, minAttributeModifier, maxList, readAttributeModifier),
	}
}

func appendAttribute(b []byte, a *Attribute) []byte {
	b = wire.F32(wire.F32(wire.F32(b, a.Min), a.Max), a.Current)
	b = wire.F32(wire.F32(wire.F32(b, a.DefaultMin), a.DefaultMax), a.Default)
	return appendList(wire.VarStr(b, a.Name), a.Modifiers, appendAttributeModifier)
}

func readAttributeModifier(r *wire.Reader) AttributeModifier {
	return AttributeModifier{
		UUID: r.VarStr(), Name: r.VarStr(), Amount: r.F32(), Operation: r.I32(), Operand: r.I32(),
		Serializable: r.Bool(),
	}
}

func appendAttributeModifier(b []byte, m AttributeModifier) []byte {
	b = wire.F32(wire.VarStr(wire.VarStr(b, m.UUID), m.Name), m.Amount)
	return wire.Bool(wire.I32(wire.I32(b, m.Operation), m.Operand), m.Serializable)
}
