package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// SetActorMotion sets the velocity of an actor, for example knockback. Packet 40, server to client. If Tick is not 0, the
// client goes back to that tick in the prediction history of its own player, applies the velocity there, and replays later
// inputs.
//
//	size  field     encoding    unit and range
//	      Runtime   runtime id
//	12    Velocity  vec3        blocks per tick
//	      Tick      varu64      tick of the receiving player's input; 0 for other actors
//
// Source: docs/wire/bedrock.md, client-bound packets with a tick.
type SetActorMotion struct {
	Runtime  ActorRuntimeID // actor whose velocity changes
	Velocity Vec3           // new velocity, blocks per tick
	Tick     uint64         // input tick of the receiving player at which the velocity applies; 0 for other actors
}

// ID returns IDSetActorMotion.
func (SetActorMotion) ID() ID { return IDSetActorMotion }

// ParseSetActorMotion decodes the body of packet 40. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseSetActorMotion(b []byte, _ Version) (SetActorMotion, error) {
	r := wire.NewReader(b)
	p := SetActorMotion{Runtime: r.VarU64(), Velocity: readVec3(&r), Tick: r.VarU64()}
	return p, r.Done("SetActorMotion")
}

// Append appends the body of packet 40 to b and returns the extended slice.
func (p SetActorMotion) Append(b []byte, _ Version) []byte {
	return wire.VarU64(appendVec3(wire.VarU64(b, p.Runtime), p.Velocity), p.Tick)
}

// MobEffect adds, changes or removes an effect of an actor. Packet 28, server to client. If Tick is not 0, the client goes back
// to that tick in the prediction history of its own player, applies the effect there, and replays later inputs.
//
//	size  field      encoding    unit and range
//	      Runtime    runtime id
//	1     Event      u8          1 add, 2 update, 3 remove
//	      Effect     var32       see the constants
//	      Amplifier  var32       level - 1
//	1     Particles  bool
//	      Duration   var32       ticks
//	      Tick       varu64      tick of the receiving player's input; 0 for other actors
//	1     Ambient    bool        effect of a beacon
//
// Source: docs/wire/bedrock.md, client-bound packets with a tick.
type MobEffect struct {
	Runtime   ActorRuntimeID // actor that has the effect
	Event     uint8          // EffectAdd, EffectUpdate or EffectRemove
	Effect    int32          // EffectSpeed or another Effect constant; other values are legal
	Amplifier int32          // level of the effect minus 1
	Particles bool           // the client displays particles
	Duration  int32          // remaining time of the effect, ticks
	Tick      uint64         // input tick of the receiving player at which the effect applies; 0 for other actors
	Ambient   bool           // the effect comes from a beacon
}

// Values of MobEffect.Event: what happens to the effect.
const (
	EffectAdd    = 1 // the actor gets the effect
	EffectUpdate = 2 // the level or duration of the effect changes
	EffectRemove = 3 // the effect ends
)

// Values of MobEffect.Effect that change the movement of an actor.
const (
	EffectSpeed       = 1  // faster walking
	EffectSlowness    = 2  // slower walking
	EffectJumpBoost   = 8  // higher jumps
	EffectLevitation  = 24 // the actor rises
	EffectSlowFalling = 27 // the actor falls slowly and takes no fall damage
)

// ID returns IDMobEffect.
func (MobEffect) ID() ID { return IDMobEffect }

// ParseMobEffect decodes the body of packet 28. Errors wrap wire.ErrShort, wire.ErrRange (unknown Event) or
// wire.ErrTrailing.
func ParseMobEffect(b []byte, _ Version) (MobEffect, error) {
	r := wire.NewReader(b)
	p := MobEffect{
		Runtime: r.VarU64(), Event: r.U8(), Effect: r.VarI32(), Amplifier: r.VarI32(), Particles: r.Bool(),
		Duration: r.VarI32(), Tick: r.VarU64(), Ambient: r.Bool(),
	}
	r.CheckRange(p.Event >= EffectAdd && p.Event <= EffectRemove, "effect event")
	return p, r.Done("MobEffect")
}

// Append appends the body of packet 28 to b and returns the extended slice.
func (p MobEffect) Append(b []byte, _ Version) []byte {
	b = wire.VarI32(wire.VarI32(append(wire.VarU64(b, p.Runtime), p.Event), p.Effect), p.Amplifier)
	b = wire.VarI32(wire.Bool(b, p.Particles), p.Duration)
	return wire.Bool(wire.VarU64(b, p.Tick), p.Ambient)
}
