package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Values of PlayerAction.Action that the server handles. Clients report walking, jumping and flying in PlayerAuthInput instead.
const (
	ActionStartBreak       = 0  // the player starts to break a block
	ActionAbortBreak       = 1  // the player stops breaking before the block breaks
	ActionStopBreak        = 2  // the player has broken the block
	ActionRespawn          = 7  // the dead player asks to respawn
	ActionDimensionChanged = 14 // the client has handled a ChangeDimension
	ActionCrackBreak       = 18 // the crack animation of the block advances
	ActionPredictBreak     = 26 // the client predicts that the block breaks
	ActionContinueBreak    = 27 // the player continues with breaking another block
	ActionStartItemUseOn   = 28 // the player starts to use an item on a block
	ActionStopItemUseOn    = 29 // the player stops using an item on a block
)

// PlayerAction reports something that a player does, except movement. Packet 36, client to server.
//
//	size  field    encoding  range
//	      Runtime  varu64    id of the player's own actor
//	      Action   var32     ActionStartBreak...; others are legal
//	      Block    blockpos
//	      Result   blockpos  the resulting block position
//	      Face     var32     0..5 down, up, north, south, west, east; -1 none
//
// Source: docs/wire/bedrock.md, actions.
type PlayerAction struct {
	Runtime       ActorRuntimeID // the player's own actor
	Action        int32          // ActionStartBreak or another Action constant; other values are legal
	Block, Result BlockPos       // block that the action concerns, and the resulting block position
	Face          int32          // face of the block: 0 down, 1 up, 2 north, 3 south, 4 west, 5 east; -1 none
}

// ID returns IDPlayerAction.
func (PlayerAction) ID() ID { return IDPlayerAction }

// ParsePlayerAction decodes the body of packet 36. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParsePlayerAction(b []byte, _ Version) (PlayerAction, error) {
	r := wire.NewReader(b)
	p := PlayerAction{
		Runtime: r.VarU64(),
		Action:  r.VarI32(),
		Block:   readBlockPos(&r),
		Result:  readBlockPos(&r),
		Face:    r.VarI32(),
	}
	return p, r.Done("PlayerAction")
}

// Append appends the body of packet 36 to b and returns the extended slice.
func (p PlayerAction) Append(b []byte, _ Version) []byte {
	b = wire.VarI32(wire.VarU64(b, p.Runtime), p.Action)
	return wire.VarI32(appendBlockPos(appendBlockPos(b, p.Block), p.Result), p.Face)
}

// Values of Animate.Action: the animation that the client plays.
const (
	AnimateNone        = 0   // no animation
	AnimateSwing       = 1   // swing of the arm
	AnimateWakeUp      = 3   // the player leaves its bed
	AnimateCritical    = 4   // particles of a critical hit
	AnimateMagicalCrit = 5   // particles of a hit with an enchanted weapon
	AnimateRowRight    = 128 // stroke of the right paddle of a boat
	AnimateRowLeft     = 129 // stroke of the left paddle of a boat
)

// Animate plays an arm swing or the particles of a critical hit. Packet 44, both directions: a client reports its own arm
// swing, the server forwards it to other clients.
//
//	size  field    encoding  range
//	1     Action   u8        AnimateNone or another Animate constant, not checked
//	      Runtime  varu64
//	4     Data     f32       number of particles
//	      Source   opt str   cause of the swing: "attack", "mine", "build", "interact", "useitem", "throwitem", "dropitem"
//
// Source: docs/wire/bedrock.md, actions.
type Animate struct {
	Action  uint8          // AnimateNone or another Animate constant; not validated
	Runtime ActorRuntimeID // actor that is animated
	Data    float32        // number of particles of a critical hit
	Source  Opt[string]    // cause of the swing, for example "attack" or "mine"
}

// ID returns IDAnimate.
func (Animate) ID() ID { return IDAnimate }

// ParseAnimate decodes the body of packet 44. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseAnimate(b []byte, _ Version) (Animate, error) {
	r := wire.NewReader(b)
	p := Animate{Action: r.U8(), Runtime: r.VarU64(), Data: r.F32(), Source: readOpt(&r, readText)}
	return p, r.Done("Animate")
}

// Append appends the body of packet 44 to b and returns the extended slice.
func (p Animate) Append(b []byte, _ Version) []byte {
	b = wire.F32(wire.VarU64(append(b, p.Action), p.Runtime), p.Data)
	return appendOpt(b, p.Source, wire.VarStr)
}

// Values of ActorEvent.Event that the server sends.
const (
	EventHurt        = 2  // the actor turns red and cries
	EventDeath       = 3  // the actor falls over
	EventSwing       = 4  // the actor swings its arm
	EventRespawn     = 18 // the actor is alive again
	EventLoveHearts  = 21 // hearts rise from the actor
	EventVillagerMad = 22 // particles of an angry villager
	EventVillagerJoy = 23 // particles of a happy villager
	EventEating      = 57 // particles of the food that the actor eats
	EventDeathSmoke  = 61 // smoke of an actor that has died
)

// ActorEvent makes clients show that something happens to an actor, for example that it is hurt. Packet 27, both directions.
//
//	size  field    encoding  range
//	      Runtime  varu64
//	1     Event    u8        EventHurt...; others are legal
//	      Data     var32     depends on Event; 0 for the events of this package
//	      FireAt   opt vec3
//
// Source: docs/wire/bedrock.md, actions.
type ActorEvent struct {
	Runtime ActorRuntimeID // actor to which the event happens
	Event   uint8          // EventHurt or another Event constant; other values are legal
	Data    int32          // depends on Event; 0 for the events of this package
	FireAt  Opt[Vec3]      // position at which the event happens, blocks
}

// ID returns IDActorEvent.
func (ActorEvent) ID() ID { return IDActorEvent }

// ParseActorEvent decodes the body of packet 27. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseActorEvent(b []byte, _ Version) (ActorEvent, error) {
	r := wire.NewReader(b)
	p := ActorEvent{Runtime: r.VarU64(), Event: r.U8(), Data: r.VarI32(), FireAt: readOpt(&r, readVec3)}
	return p, r.Done("ActorEvent")
}

// Append appends the body of packet 27 to b and returns the extended slice.
func (p ActorEvent) Append(b []byte, _ Version) []byte {
	b = wire.VarI32(append(wire.VarU64(b, p.Runtime), p.Event), p.Data)
	return appendOpt(b, p.FireAt, appendVec3)
}
