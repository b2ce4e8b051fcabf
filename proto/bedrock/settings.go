package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// RequestNetworkSettings is a client's first packet, sent in a batch without a compressor byte. Packet 193, client to
// server.
//
//	size  field     encoding  range
//	4     Protocol  i32 BE    version of the client; may be one that the server does not know
//
// All protocol versions encode it in the same way, because the server does not know the version before this packet.
//
// Source: docs/wire/bedrock.md, packets of the login phase.
type RequestNetworkSettings struct{ Protocol Version }

// ID returns IDRequestNetworkSettings.
func (RequestNetworkSettings) ID() ID { return IDRequestNetworkSettings }

// ParseRequestNetworkSettings decodes the body of packet 193. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseRequestNetworkSettings(b []byte, _ Version) (RequestNetworkSettings, error) {
	r := wire.NewReader(b)
	p := RequestNetworkSettings{Protocol: Version(readBE32(&r))}
	return p, r.Done("RequestNetworkSettings")
}

// Append appends the body of packet 193 to b and returns the extended slice.
func (p RequestNetworkSettings) Append(b []byte, _ Version) []byte {
	return wire.BE32(b, uint32(p.Protocol))
}

// Compression algorithms of NetworkSettings. The compressor byte of a batch uses the same numbers, and 0xff for an
// uncompressed batch.
const (
	AlgorithmDeflate = 0 // raw deflate, without a header
	AlgorithmSnappy  = 1 // snappy, which the bedrock-protocol npm client does not support
)

// NetworkSettings sets how all later batches are compressed, in both directions. Packet 143, server to client. It is
// the last packet whose batch has no compressor byte.
//
//	size  field              encoding  range
//	2     Threshold          u16       length in bytes from which batches are compressed; 0 compresses none
//	2     Algorithm          u16       AlgorithmDeflate or AlgorithmSnappy
//	1     Throttle           bool      clients may hide other players
//	1     ThrottleThreshold  u8
//	4     ThrottleScalar     f32
//
// Source: docs/wire/bedrock.md, packets of the login phase.
type NetworkSettings struct {
	Threshold         uint16  // length in bytes from which batches are compressed; 0 compresses none
	Algorithm         uint16  // AlgorithmDeflate or AlgorithmSnappy
	Throttle          bool    // clients may hide some of the other players
	ThrottleThreshold uint8   // number of players above which clients hide some, if Throttle is true
	ThrottleScalar    float32 // strength of the throttling, if Throttle is true
}

// ID returns IDNetworkSettings.
func (NetworkSettings) ID() ID { return IDNetworkSettings }

// ParseNetworkSettings decodes the body of packet 143. Errors wrap wire.ErrShort, wire.ErrRange (an unknown algorithm)
// or wire.ErrTrailing.
func ParseNetworkSettings(b []byte, _ Version) (NetworkSettings, error) {
	r := wire.NewReader(b)
	p := NetworkSettings{
		Threshold:         r.U16(),
		Algorithm:         r.U16(),
		Throttle:          r.Bool(),
		ThrottleThreshold: r.U8(),
		ThrottleScalar:    r.F32(),
	}
	r.CheckRange(p.Algorithm <= AlgorithmSnappy, "compression algorithm")
	return p, r.Done("NetworkSettings")
}

// Append appends the body of packet 143 to b and returns the extended slice.
func (p NetworkSettings) Append(b []byte, _ Version) []byte {
	b = wire.U16(wire.U16(b, p.Threshold), p.Algorithm)
	b = append(wire.Bool(b, p.Throttle), p.ThrottleThreshold)
	return wire.F32(b, p.ThrottleScalar)
}
