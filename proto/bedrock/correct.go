package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// CorrectPlayerMovePrediction corrects a client's predicted movement: the client rewinds to the tick, applies the
// packet's state and replays every later input. Packet 161, server to client.
//
//	size  field            encoding  unit and range
//	1     Type             u8        0 player, 1 vehicle
//	12    Position         vec3      blocks; the eyes of a player
//	12    Delta            vec3      velocity after the tick, blocks per tick
//	8     Rotation         vec2      pitch, yaw; vehicles only
//	      AngularVelocity  opt f32   vehicles only
//	1     OnGround         bool
//	      Tick             varu64    tick of the corrected input
//
// Source: docs/wire/bedrock.md, client-bound packets with a tick; Mojang's PlayerMovementOverview.
type CorrectPlayerMovePrediction struct {
	Type            uint8        // PredictionPlayer or PredictionVehicle
	Position        Vec3         // correct position in blocks; for a player the position of its eyes
	Delta           Vec3         // velocity after the tick, blocks per tick
	Rotation        Vec2         // pitch and yaw in degrees; only for vehicles
	AngularVelocity Opt[float32] // angular velocity in degrees per tick; only for vehicles
	OnGround        bool         // the player or the vehicle stands on the ground
	Tick            uint64       // tick of the corrected input
}

// Values of CorrectPlayerMovePrediction.Type: what the packet corrects.
const (
	PredictionPlayer  = 0 // the packet corrects the player
	PredictionVehicle = 1 // the packet corrects the vehicle that the player drives
)

// ID returns IDCorrectPlayerMovePrediction.
func (CorrectPlayerMovePrediction) ID() ID { return IDCorrectPlayerMovePrediction }

// ParseCorrectPlayerMovePrediction decodes the body of packet 161. Errors wrap wire.ErrShort, wire.ErrRange (unknown
// Type) or wire.ErrTrailing.
func ParseCorrectPlayerMovePrediction(b []byte, _ Version) (CorrectPlayerMovePrediction, error) {
	r := wire.NewReader(b)
	p := CorrectPlayerMovePrediction{
		Type:            r.U8(),
		Position:        readVec3(&r),
		Delta:           readVec3(&r),
		Rotation:        readVec2(&r),
		AngularVelocity: readOptF32(&r),
		OnGround:        r.Bool(),
		Tick:            r.VarU64(),
	}
	r.CheckRange(p.Type <= PredictionVehicle, "type of the corrected object")
	return p, r.Done("CorrectPlayerMovePrediction")
}

// Append appends the body of packet 161 to b and returns the extended slice.
func (p CorrectPlayerMovePrediction) Append(b []byte, _ Version) []byte {
	b = appendVec2(appendVec3(appendVec3(append(b, p.Type), p.Position), p.Delta), p.Rotation)
	return wire.VarU64(wire.Bool(appendOptF32(b, p.AngularVelocity), p.OnGround), p.Tick)
}
