package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// SetTime sets the time of day. Packet 10, server to client.
//
//	size  field  encoding  range
//	      Time   var32     ticks; a day has 24000, noon is 6000, dusk 12000, midnight 18000
//
// Source: docs/wire/bedrock.md, after StartGame.
type SetTime struct{ Time int32 }

// ID returns IDSetTime.
func (SetTime) ID() ID { return IDSetTime }

// ParseSetTime decodes the body of packet 10. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseSetTime(b []byte, _ Version) (SetTime, error) {
	r := wire.NewReader(b)
	p := SetTime{Time: r.VarI32()}
	return p, r.Done("SetTime")
}

// Append appends the body of packet 10 to b and returns the extended slice.
func (p SetTime) Append(b []byte, _ Version) []byte { return wire.VarI32(b, p.Time) }

// SetLocalPlayerAsInitialized reports that the loading screen has ended and the player is in the world. Packet 113,
// client to server.
//
//	size  field    encoding  range
//	      Runtime  varu64    the runtime id from StartGame
//
// Source: docs/wire/bedrock.md, sequence to spawn.
type SetLocalPlayerAsInitialized struct{ Runtime ActorRuntimeID }

// ID returns IDSetLocalPlayerAsInitialized.
func (SetLocalPlayerAsInitialized) ID() ID { return IDSetLocalPlayerAsInitialized }

// ParseSetLocalPlayerAsInitialized decodes the body of packet 113. Errors wrap wire.ErrShort, wire.ErrRange or
// wire.ErrTrailing.
func ParseSetLocalPlayerAsInitialized(b []byte, _ Version) (SetLocalPlayerAsInitialized, error) {
	r := wire.NewReader(b)
	p := SetLocalPlayerAsInitialized{Runtime: r.VarU64()}
	return p, r.Done("SetLocalPlayerAsInitialized")
}

// Append appends the body of packet 113 to b and returns the extended slice.
func (p SetLocalPlayerAsInitialized) Append(b []byte, _ Version) []byte {
	return wire.VarU64(b, p.Runtime)
}

// TickSync requests the number of the server's current tick. The answer is another TickSync, which contains both times. Packet
// 23, both directions. Current clients do not send it.
//
//	size  field     encoding  range
//	8     Request   i64       time of the requester in ticks
//	8     Response  i64       time of the server in ticks; 0 in a request
//
// Source: docs/wire/bedrock.md, packets beside the movement.
type TickSync struct{ Request, Response int64 }

// ID returns IDTickSync.
func (TickSync) ID() ID { return IDTickSync }

// ParseTickSync decodes the body of packet 23. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseTickSync(b []byte, _ Version) (TickSync, error) {
	r := wire.NewReader(b)
	p := TickSync{Request: r.I64(), Response: r.I64()}
	return p, r.Done("TickSync")
}

// Append appends the body of packet 23 to b and returns the extended slice.
func (p TickSync) Append(b []byte, _ Version) []byte {
	return wire.I64(wire.I64(b, p.Request), p.Response)
}
