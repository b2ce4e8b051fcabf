package rs

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// Direction is who speaks.
type Direction uint8

// The two directions.
const (
	C2S Direction = iota // client to server
	S2C                  // server to client
)

// String is "c2s" or "s2c".
func (d Direction) String() string {
	if d == C2S {
		return "c2s"
	}
	return "s2c"
}

// Opcode numbers the packets of one direction: 0..93 from a client of revision 667, 0..144 from its server.
type Opcode uint8

// Size says how long the body of a packet is: a number of bytes, or one of the two values below.
type Size int16

// Sizes that a packet carries itself, in front of its body.
const (
	SizeByte  Size = -1 // u8 length
	SizeShort Size = -2 // u16 length, big-endian
)

// Packet is what a body says. Append appends the body alone, without opcode and length: those are the FrameWriter's.
type Packet interface {
	Opcode() Opcode
	Append(b []byte) []byte
}

// Why a packet cannot be read or sent. Gateways branch on them with errors.Is.
var (
	ErrOpcode   = errors.New("opcode outside the table")        // in a masked stream: the ciphers are out of step
	ErrSize     = errors.New("body of a size not allowed")      // not the table's, or beyond what the receiver takes
	ErrZoneOnly = errors.New("packet that never stands alone")  // its size in the client's table is wrong: see Row.Inner
	ErrUnparsed = errors.New("packet whose body is not parsed") // known by name and size
)

// Row is one packet of one direction.
type PacketDef struct {
	Op   Opcode
	Name string // the protocol's own; a number in brackets if nobody knows it
	Size Size

	// Inner marks the three packets for which the client's table has a smaller size than its reader takes. They work
	// inside UPDATE_ZONE_PARTIAL_ENCLOSED, where no table is asked, and break a client that gets them by themselves.
	ZoneOnly bool

	parse func([]byte) (Packet, error) // nil where the body is not described here
}

// Described reports whether Parse knows the body.
func (r *PacketDef) Parseable() bool { return r.parse != nil }

// Parse decodes a body. b is borrowed; what it returns may borrow from it where its type says so. Errors wrap
// ErrIgnored or what the packet's own parser says.
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

// Table lists the packets of a direction in revision 667, sorted by opcode and without gaps: Table(d)[op].Op is op. It
// is shared and must not be changed.
func Table(d Direction) []PacketDef {
	if d == C2S {
		return clientPackets[:]
	}
	return serverPackets[:]
}

// Lookup finds a packet of revision 667.
func Lookup(d Direction, op Opcode) (*PacketDef, bool) {
	rows := Table(d)
	if int(op) >= len(rows) {
		return nil, false
	}
	return &rows[op], true
}

// Parse decodes the body of a packet of revision 667. b is borrowed. Errors wrap ErrOpcode, ErrIgnored or what the
// packet's own parser says.
func Parse(d Direction, op Opcode, b []byte) (Packet, error) {
	row, ok := Lookup(d, op)
	if !ok {
		return nil, fmt.Errorf("%v opcode %d: %w", d, op, ErrOpcode)
	}
	return row.Parse(b)
}

// body makes a row's parse function of a packet's own.
func parserOf[P Packet](parse func([]byte) (P, error)) func([]byte) (Packet, error) {
	return func(b []byte) (Packet, error) { return parse(b) }
}

// empty is the parse function of a packet without a body.
func parseEmpty[P Packet](b []byte) (p P, err error) {
	r := wire.NewReader(b)
	return p, r.Done("packet without a body")
}

// option is body for one of the packets that differ by the number in their name alone.
func optionParser[P Packet](n uint8, parse func(uint8, []byte) (P, error)) func([]byte) (Packet, error) {
	return func(b []byte) (Packet, error) { return parse(n, b) }
}
