package rs

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// Direction says which side sends a packet: the client or the server.
type Direction uint8

// Values of Direction: which side sends a packet.
const (
	C2S Direction = iota // client to server
	S2C                  // server to client
)

// String returns "c2s" or "s2c".
func (d Direction) String() string {
	if d == C2S {
		return "c2s"
	}
	return "s2c"
}

// Opcode is the number of a packet in one direction: 0..93 from a client of revision 667, 0..144 from its server.
type Opcode uint8

// BodySize is the length of a packet's body: a number of bytes, or SizeByte or SizeShort if a length field precedes the body.
type BodySize int16

// Values of PacketDef.Size for packets whose body is preceded by a length field.
const (
	SizeByte  BodySize = -1 // u8 length field before the body
	SizeShort BodySize = -2 // u16 length field before the body, big-endian
)

// Packet is the decoded body of a packet. Append appends the body without opcode and length, which FrameWriter adds.
type Packet interface {
	Opcode() Opcode
	Append(b []byte) []byte
}

// Errors of reading and writing packets, for errors.Is.
var (
	// ErrOpcode reports an opcode that the table lacks. The usual cause is that the ciphers of the two sides are out of step.
	ErrOpcode = errors.New("opcode is not in the packet table")
	// ErrSize reports a body that does not have the size in the table, or is longer than the receiver's limit.
	ErrSize = errors.New("size of the packet body is not allowed for this opcode")
	// ErrZoneOnly reports a packet that must not be sent alone, because the client would read it with a wrong length; see
	// PacketDef.ZoneOnly.
	ErrZoneOnly = errors.New("packet is valid only inside UPDATE_ZONE_PARTIAL_ENCLOSED")
	// ErrUnparsed reports a packet of which only name and size are known.
	ErrUnparsed = errors.New("packet is known, but has no parser")
)

// PacketDef describes one packet: it is a row of the packet table of a direction.
type PacketDef struct {
	Op   Opcode   // number of the packet in its direction
	Name string   // name in the protocol, or the opcode in brackets if the name is unknown
	Size BodySize // length of the body, or SizeByte or SizeShort

	// ZoneOnly marks the three packets that break a client when they are sent alone: the client's packet table states a smaller
	// size than the client then reads. They work inside UPDATE_ZONE_PARTIAL_ENCLOSED, which does not use the table.
	ZoneOnly bool

	parse func([]byte) (Packet, error) // parser of the body; nil if there is none
}

// Parseable reports whether this package has a parser for the packet's body.
func (r *PacketDef) Parseable() bool { return r.parse != nil }

// Parse decodes a body. b is borrowed; the result borrows from it where its type says so. Errors wrap ErrUnparsed or
// an error of the packet's parser.
func (r *PacketDef) Parse(b []byte) (Packet, error) {
	if r.parse == nil {
		return nil, fmt.Errorf("%s: %w", r.Name, ErrUnparsed)
	}
	p, err := r.parse(b)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Table returns the packets of a direction in revision 667, sorted by opcode and without gaps: Table(d)[op].Op is op.
// The slice is shared and must not be modified.
func Table(d Direction) []PacketDef {
	if d == C2S {
		return clientPackets[:]
	}
	return serverPackets[:]
}

// Lookup returns the table row of an opcode in revision 667. The result is false if the revision does not have the opcode.
func Lookup(d Direction, op Opcode) (*PacketDef, bool) {
	rows := Table(d)
	if int(op) >= len(rows) {
		return nil, false
	}
	return &rows[op], true
}

// Parse decodes the body of a packet of revision 667. b is borrowed. Errors wrap ErrOpcode, ErrUnparsed or an error
// of the packet's parser.
func Parse(d Direction, op Opcode, b []byte) (Packet, error) {
	row, ok := Lookup(d, op)
	if !ok {
		return nil, fmt.Errorf("parse %v packet with opcode %d: %w", d, op, ErrOpcode)
	}
	return row.Parse(b)
}

// parserOf adapts the parse function of a packet type for the packet table: the result becomes a Packet.
func parserOf[P Packet](parse func([]byte) (P, error)) func([]byte) (Packet, error) {
	return func(b []byte) (Packet, error) { return parse(b) }
}

// parseEmpty is the parse function of a packet without a body.
func parseEmpty[P Packet](b []byte) (p P, err error) {
	r := wire.NewReader(b)
	return p, r.Done("packet without a body")
}

// optionParser adapts the parse function of a family of packets, such as OPPLAYER1 to OPPLAYER10, for the packet table. The
// packets of a family differ only in their number n, which is the chosen menu option.
func optionParser[P Packet](n uint8, parse func(uint8, []byte) (P, error)) func([]byte) (Packet, error) {
	return func(b []byte) (Packet, error) { return parse(n, b) }
}
