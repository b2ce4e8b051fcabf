package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Interact reports that the player interacts with an actor without using an item, or wants to open its inventory. Packet 33, client
// to server.
//
//	size  field     encoding    range
//	1     Action    u8          3 leave vehicle, 4 look at an actor, 5 open an NPC, 6 open the inventory
//	      Target    runtime id  0 none
//	      Position  opt vec3    point that the player looks at; with action 3, where the player wants to stand
//
// Source: docs/wire/bedrock.md, other packets.
type Interact struct {
	Action   uint8          // InteractLeaveVehicle or another Interact constant
	Target   ActorRuntimeID // target actor; 0 means none
	Position Opt[Vec3]      // point that the player looks at, or with InteractLeaveVehicle where the player wants to stand; blocks
}

// Values of Interact.Action: what the player does.
const (
	InteractLeaveVehicle  = 3 // the player leaves its vehicle
	InteractMouseOver     = 4 // the player looks at the actor
	InteractOpenNPC       = 5 // the player opens the dialogue of an NPC
	InteractOpenInventory = 6 // the player opens its inventory
)

// ID returns IDInteract.
func (Interact) ID() ID { return IDInteract }

// ParseInteract decodes the body of packet 33. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseInteract(b []byte, _ Version) (Interact, error) {
	r := wire.NewReader(b)
	p := Interact{Action: r.U8(), Target: r.VarU64()}
	if r.Bool() {
		p.Position = Some(readVec3(&r))
	}
	return p, r.Done("Interact")
}

// Append appends the body of packet 33 to b and returns the extended slice.
func (p Interact) Append(b []byte, _ Version) []byte {
	b = wire.Bool(wire.VarU64(append(b, p.Action), p.Target), p.Position.Has)
	if p.Position.Has {
		b = appendVec3(b, p.Position.V)
	}
	return b
}

// PlayerInput steers a vehicle that the client does not predict. Packet 57, client to server.
//
//	size  field     encoding  range
//	8     Move      vec2      sideways, forward; -1..1
//	1     Jumping   bool
//	1     Sneaking  bool
//
// Source: docs/wire/bedrock.md, other packets.
type PlayerInput struct {
	Move              Vec2 // sideways and forward, -1..1
	Jumping, Sneaking bool // state of the jump key and of the sneak key
}

// ID returns IDPlayerInput.
func (PlayerInput) ID() ID { return IDPlayerInput }

// ParsePlayerInput decodes the body of packet 57. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParsePlayerInput(b []byte, _ Version) (PlayerInput, error) {
	r := wire.NewReader(b)
	p := PlayerInput{Move: readVec2(&r), Jumping: r.Bool(), Sneaking: r.Bool()}
	return p, r.Done("PlayerInput")
}

// Append appends the body of packet 57 to b and returns the extended slice.
func (p PlayerInput) Append(b []byte, _ Version) []byte {
	return wire.Bool(wire.Bool(appendVec2(b, p.Move), p.Jumping), p.Sneaking)
}

// PassengerJump is the strength of a mount's jump, from clients that do not predict their vehicle. Packet 20, client to
// server. Clients that predict their vehicle send the jump key in PlayerAuthInput instead.
//
//	size  field     encoding  range
//	      Strength  var32     0..100 percent, not checked
//
// Source: docs/wire/bedrock.md, other packets.
type PassengerJump struct {
	Strength int32 // percent of a full jump, not validated
}

// ID returns IDPassengerJump.
func (PassengerJump) ID() ID { return IDPassengerJump }

// ParsePassengerJump decodes the body of packet 20. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParsePassengerJump(b []byte, _ Version) (PassengerJump, error) {
	r := wire.NewReader(b)
	p := PassengerJump{Strength: r.VarI32()}
	return p, r.Done("PassengerJump")
}

// Append appends the body of packet 20 to b and returns the extended slice.
func (p PassengerJump) Append(b []byte, _ Version) []byte { return wire.VarI32(b, p.Strength) }
