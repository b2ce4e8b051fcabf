package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// PacketViolationWarning reports that the client could not parse a packet, which indicates a bug in the server. Packet
// 156, client to server.
//
//	field     encoding  range
//	Type      var32     0 malformed
//	Severity  var32     0 warning, 1 final warning, 2 the client disconnects
//	Packet    var32     id of the packet
//	Context   str       description; up to 1024 bytes
//
// Source: docs/wire/bedrock.md, other packets.
type PacketViolationWarning struct {
	Type     int32  // kind of the error; 0 means malformed
	Severity int32  // severity: 0 warning, 1 final warning, 2 the client disconnects
	Packet   int32  // id of the packet that the client could not parse
	Context  string // description of the error by the client; at most 1024 bytes
}

// maxViolationContext is the maximum length of the field Context. It limits the length of log lines, which contain the text.
const maxViolationContext = 1024 // in bytes; chosen without measurements

// ID returns IDPacketViolationWarning.
func (PacketViolationWarning) ID() ID { return IDPacketViolationWarning }

// ParsePacketViolationWarning decodes the body of packet 156. Errors wrap wire.ErrShort, wire.ErrRange or
// wire.ErrTrailing.
func ParsePacketViolationWarning(b []byte, _ Version) (PacketViolationWarning, error) {
	r := wire.NewReader(b)
	p := PacketViolationWarning{
		Type: r.VarI32(), Severity: r.VarI32(), Packet: r.VarI32(), Context: r.VarStrMax(maxViolationContext),
	}
	return p, r.Done("PacketViolationWarning")
}

// Append appends the body of packet 156 to b and returns the extended slice.
func (p PacketViolationWarning) Append(b []byte, _ Version) []byte {
	return wire.VarStr(wire.VarI32(wire.VarI32(wire.VarI32(b, p.Type), p.Severity), p.Packet), p.Context)
}
