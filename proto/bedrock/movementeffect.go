package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// MovementEffect accelerates an actor for a time, for example a gliding player by a firework. Packet 318, server to client.
// Clients go back to the tick Tick in their prediction history and apply the effect there, so Tick must not be 0 if the actor
// is the receiving player.
//
//	field     encoding    unit and range
//	Runtime   runtime id
//	Effect    varu32      0 glide boost, 1 geyser boost; not checked
//	Duration  varu32      ticks
//	Tick      varu64      tick of the receiving player's input
//
// Source: docs/wire/bedrock.md, client-bound packets with a tick.
type MovementEffect struct {
	Runtime  ActorRuntimeID // actor that is accelerated
	Effect   uint32         // MovementEffectGlideBoost or another value
	Duration uint32         // duration of the acceleration, ticks
	Tick     uint64         // input tick of the receiving player at which the effect begins
}

// Values of MovementEffect.Effect: what accelerates the actor.
const (
	MovementEffectGlideBoost  = 0 // a firework accelerates a gliding player
	MovementEffectGeyserBoost = 1 // a geyser throws the player upward
)

// ID returns IDMovementEffect.
func (MovementEffect) ID() ID { return IDMovementEffect }

// ParseMovementEffect decodes the body of packet 318. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseMovementEffect(b []byte, _ Version) (MovementEffect, error) {
	r := wire.NewReader(b)
	p := MovementEffect{Runtime: r.VarU64(), Effect: r.VarU32(), Duration: r.VarU32(), Tick: r.VarU64()}
	return p, r.Done("MovementEffect")
}

// Append appends the body of packet 318 to b and returns the extended slice.
func (p MovementEffect) Append(b []byte, _ Version) []byte {
	b = wire.VarU32(wire.VarU32(wire.VarU64(b, p.Runtime), p.Effect), p.Duration)
	return wire.VarU64(b, p.Tick)
}
