package rs

import "github.com/truestep-io/truestep/proto/wire"

// NoTimeout is the keep-alive: a client sends it when it has written nothing for 50 client ticks (1 s), also while it builds a
// map. Client packet NO_TIMEOUT, 16, no body.
type NoTimeout struct{}

// Opcode returns 16.
func (NoTimeout) Opcode() Opcode { return ClientNoTimeout }

// Append returns b unchanged, because the packet has no body.
func (NoTimeout) Append(b []byte) []byte { return b }

// MapBuildComplete reports that the map of a RebuildNormal or RebuildRegion is built. Until then the client reads
// nothing. Client packet MAP_BUILD_COMPLETE, 33, no body.
type MapBuildComplete struct{}

// Opcode returns 33.
func (MapBuildComplete) Opcode() Opcode { return ClientMapBuildComplete }

// Append returns b unchanged, because the packet has no body.
func (MapBuildComplete) Append(b []byte) []byte { return b }

// SendPing requests a SendPingReply with the same numbers. Server packet SEND_PING, 19: A and B, u32 each. Source:
// docs/wire/rs.md, movement.
type SendPing struct{ A, B uint32 } // numbers that the reply repeats

// ParseSendPing decodes the body of SEND_PING. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseSendPing(b []byte) (SendPing, error) {
	r := wire.NewReader(b)
	p := SendPing{A: r.BE32(), B: r.BE32()}
	return p, r.Done("SEND_PING")
}

// Opcode returns 19.
func (SendPing) Opcode() Opcode { return ServerSendPing }

// Append appends the body, 8 bytes, and returns the longer slice.
func (p SendPing) Append(b []byte) []byte { return appendAs(appendAs(b, encU32, p.A), encU32, p.B) }

// SendPingReply answers SendPing. Client packet SEND_PING_REPLY, 6: A and B, u32 each.
// Source: docs/wire/rs.md, movement.
type SendPingReply struct{ A, B uint32 } // numbers that the SendPing contained

// ParseSendPingReply decodes the body of SEND_PING_REPLY. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseSendPingReply(b []byte) (SendPingReply, error) {
	r := wire.NewReader(b)
	p := SendPingReply{A: r.BE32(), B: r.BE32()}
	return p, r.Done("SEND_PING_REPLY")
}

// Opcode returns 6.
func (SendPingReply) Opcode() Opcode { return ClientSendPingReply }

// Append appends the body, 8 bytes, and returns the longer slice.
func (p SendPingReply) Append(b []byte) []byte {
	return appendAs(appendAs(b, encU32, p.A), encU32, p.B)
}

// PingStatistics reports the client's measured latency, about every 30 s. Client packet PING_STATISTICS, 85: Millis,
// u16. Source: docs/wire/rs.md, client to server.
type PingStatistics struct{ Millis uint16 } // measured latency, ms

// ParsePingStatistics decodes the body of PING_STATISTICS. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParsePingStatistics(b []byte) (PingStatistics, error) {
	r := wire.NewReader(b)
	p := PingStatistics{Millis: r.BE16()}
	return p, r.Done("PING_STATISTICS")
}

// Opcode returns 85.
func (PingStatistics) Opcode() Opcode { return ClientPingStatistics }

// Append appends the body, 2 bytes, and returns the longer slice.
func (p PingStatistics) Append(b []byte) []byte { return appendAs(b, encU16, p.Millis) }

// TransmitVarVerifyID reports how many packets about interfaces, the camera and variables the client has sent since its login.
// Client packet TRANSMITVAR_VERIFYID, 15: Count, u32. Source: docs/wire/rs.md, client to server.
type TransmitVarVerifyID struct{ Count uint32 } // number of packets since the login

// ParseTransmitVarVerifyID decodes the body of TRANSMITVAR_VERIFYID. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseTransmitVarVerifyID(b []byte) (TransmitVarVerifyID, error) {
	r := wire.NewReader(b)
	p := TransmitVarVerifyID{Count: r.BE32()}
	return p, r.Done("TRANSMITVAR_VERIFYID")
}

// Opcode returns 15.
func (TransmitVarVerifyID) Opcode() Opcode { return ClientTransmitVarVerifyID }

// Append appends the body, 4 bytes, and returns the longer slice.
func (p TransmitVarVerifyID) Append(b []byte) []byte { return appendAs(b, encU32, p.Count) }

// UnmodifiedClient is the Value of DetectModifiedClient that an unmodified client sends.
const UnmodifiedClient = 1057001181

// DetectModifiedClient is the client's claim that it is unmodified, which proves nothing. A client that runs in its own
// window sends it before MapBuildComplete. Client packet DETECT_MODIFIED_CLIENT, 71: Value, u32. Source:
// docs/wire/rs.md, client to server.
type DetectModifiedClient struct{ Value uint32 } // UnmodifiedClient, or any value from a modified client

// ParseDetectModifiedClient decodes the body of DETECT_MODIFIED_CLIENT. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseDetectModifiedClient(b []byte) (DetectModifiedClient, error) {
	r := wire.NewReader(b)
	p := DetectModifiedClient{Value: r.BE32()}
	return p, r.Done("DETECT_MODIFIED_CLIENT")
}

// Opcode returns 71.
func (DetectModifiedClient) Opcode() Opcode { return ClientDetectModified }

// Append appends the body, 4 bytes, and returns the longer slice.
func (p DetectModifiedClient) Append(b []byte) []byte { return appendAs(b, encU32, p.Value) }

// TickEnd makes the client draw a frame before it reads further packets. Without TickEnd a client reads up to 100 packets
// per frame. Server packet SERVER_TICK_END, 25, no body.
type TickEnd struct{}

// Opcode returns 25.
func (TickEnd) Opcode() Opcode { return ServerTickEnd }

// Append returns b unchanged, because the packet has no body.
func (TickEnd) Append(b []byte) []byte { return b }
