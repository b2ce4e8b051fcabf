package rcce

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// Packet is any message of either direction. Append appends the whole message, type byte and payload.
type Packet interface {
	Append(b []byte) []byte
}

// Errors of messages without a Packet, independent of their payload. Gateways branch on them with errors.Is.
var (
	ErrUnknown  = errors.New("unknown packet type")       // the type number is not in the table, or not in this direction
	ErrUnparsed = errors.New("packet type has no parser") // the type is in the table but this package does not parse it
)

// Direction is the direction of a packet.
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

// State is the set of connection states in which a packet is legal.
type State uint8

// States of a connection in which a packet is legal.
const (
	BeforeWorld State                   = 1 << iota // no character is in the world
	InWorld                                         // from the first message of the world-entry burst on
	Anytime     = BeforeWorld | InWorld             // in every state
)

// String returns the name of the state.
func (s State) String() string {
	return [...]string{"never", "before world", "in world", "anytime"}[s&Anytime]
}

// Unlimited is the Max of a payload that ends in text or in an unbounded list.
const Unlimited = -1

// Format is one direction of a packet type.
type Format struct {
	Name     string // name of the packet struct in this package; "" for an unparsed packet
	Min, Max int    // payload size in bytes; not every size in between is legal, and Max may be Unlimited
	State    State  // connection states in which the packet is legal
	Reliable bool   // true if sent on the reliable channel 1, false on channel 2

	read func(r *reader) Packet // nil for an unparsed packet
}

// Parse decodes a payload. b is borrowed, not kept. Errors wrap ErrUnparsed or an error of the packet's parser.
func (f *Format) Parse(b []byte) (Packet, error) {
	r := newReader(b)
	return f.parse(&r)
}

// Trace decodes a payload like Parse and returns its fields in order, including those before an error. The fields of an
// accepted payload cover all of its bytes.
func (f *Format) Trace(b []byte) ([]Field, Packet, error) {
	r := newReader(b)
	r.trace = &tracer{payload: b}
	p, err := f.parse(&r)
	return r.trace.fields, p, err
}

func (f *Format) parse(r *reader) (Packet, error) {
	if f.read == nil {
		return nil, ErrUnparsed
	}
	p := f.read(r)
	if err := r.done(f.Name); err != nil {
		return nil, err
	}
	return p, nil
}

// PacketDef is one packet type. A direction in which the type is not sent is nil.
type PacketDef struct {
	ID       Type    // number of the type, the first byte of a message
	Name     string  // name in the protocol
	C2S, S2C *Format // format in each direction; nil if the type is not sent in it
}

// Form returns the format in direction d, or nil.
func (row *PacketDef) Form(d Direction) *Format {
	if d == C2S {
		return row.C2S
	}
	return row.S2C
}

// Lookup returns the definition of t.
func Lookup(t Type) (*PacketDef, bool) {
	if int(t) >= len(rows) || rows[t].Name == "" {
		return nil, false
	}
	return &rows[t], true
}

// Table returns every packet type, sorted by number. The elements are shared and must not be modified.
func Table() []*PacketDef {
	var all []*PacketDef
	for i := range rows {
		if rows[i].Name != "" {
			all = append(all, &rows[i])
		}
	}
	return all
}

// ParseC2S decodes a whole message from a client, type byte first. msg is borrowed, not kept. Errors wrap ErrUnknown,
// ErrUnparsed or an error of package wire.
func ParseC2S(msg []byte) (Packet, error) { return parseMessage(C2S, msg) }

// ParseS2C decodes a whole message from a server, type byte first. msg is borrowed, not kept. Errors wrap ErrUnknown,
// ErrUnparsed or an error of package wire.
func ParseS2C(msg []byte) (Packet, error) { return parseMessage(S2C, msg) }

func parseMessage(d Direction, msg []byte) (Packet, error) {
	if len(msg) == 0 {
		return nil, fmt.Errorf("message without type byte: %w", wire.ErrShort)
	}
	row, ok := Lookup(Type(msg[0]))
	if !ok || row.Form(d) == nil {
		return nil, fmt.Errorf("message of type %d %v: %w", msg[0], d, ErrUnknown)
	}
	p, err := row.Form(d).Parse(msg[1:])
	if errors.Is(err, ErrUnparsed) {
		return nil, fmt.Errorf("%s %v: %w", row.Name, d, err)
	}
	return p, err
}

// parsed returns the format of a parsed packet. All packets except StandardUpdate are reliable.
func parsed[P Packet](name string, lo, hi int, state State, read func(r *reader) P) *Format {
	return &Format{
		Name: name, Min: lo, Max: hi, State: state, Reliable: true,
		read: func(r *reader) Packet { return read(r) },
	}
}

// parsedUnreliable returns the format of a parsed packet that is sent unreliably, on channel 2.
func parsedUnreliable[P Packet](name string, lo, hi int, state State, read func(r *reader) P) *Format {
	f := parsed(name, lo, hi, state, read)
	f.Reliable = false
	return f
}

// readEmpty is the read function of a packet without a payload.
func readEmpty[P Packet](*reader) (p P) { return p }

// unparsed returns the format of a packet without a parser.
func unparsed() *Format { return &Format{Max: Unlimited, State: InWorld, Reliable: true} }
