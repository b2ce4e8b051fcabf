package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// NetworkStackLatency is a request that the client answers after it has handled all earlier packets, so it serves to
// measure latency and as a barrier. Packet 115, both directions. The bedrock-protocol npm client echoes the timestamp;
// vanilla clients multiply it by 1,000,000 or by 1,000.
//
//	size  field          encoding  range
//	8     Timestamp      u64
//	1     NeedsResponse  bool      true in a request
//
// Source: docs/wire/bedrock.md, other packets.
type NetworkStackLatency struct {
	Timestamp     uint64 // number that the response repeats, see IsResponseTo
	NeedsResponse bool   // true in a request, false in a response
}

// ID returns IDNetworkStackLatency.
func (NetworkStackLatency) ID() ID { return IDNetworkStackLatency }

// ParseNetworkStackLatency decodes the body of packet 115. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseNetworkStackLatency(b []byte, _ Version) (NetworkStackLatency, error) {
	r := wire.NewReader(b)
	p := NetworkStackLatency{Timestamp: r.U64(), NeedsResponse: r.Bool()}
	return p, r.Done("NetworkStackLatency")
}

// Append appends the body of packet 115 to b and returns the extended slice.
func (p NetworkStackLatency) Append(b []byte, _ Version) []byte {
	return wire.Bool(wire.U64(b, p.Timestamp), p.NeedsResponse)
}

// Factors by which vanilla clients multiply the timestamp of a request in their response.
const (
	latencyMicro = 1_000_000
	latencyMilli = 1_000
)

// IsResponseTo reports whether p can be the response to a request with the given timestamp. Clients return the timestamp of
// the request either unchanged or multiplied by 1,000,000 or by 1,000.
func (p NetworkStackLatency) IsResponseTo(requested uint64) bool {
	return p.Timestamp == requested || p.Timestamp == requested*latencyMicro || p.Timestamp == requested*latencyMilli
}
