package rcce

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// Packet is a packet of a client or a server. Append appends the message, its type byte and its payload, to b.
type Packet interface {
	Append(b []byte) []byte
}

// Errors for messages that cannot be parsed because of their type. Gateways distinguish them with errors.Is.
var (
	ErrUnknown  = errors.New("unknown packet type")                           // the type number is not in the table, or not legal in this direction
	ErrUnparsed = errors.New("the packet type is known but cannot be parsed") // the type is in the table, but this package has no parser for it
)

// Direction says whether the client or the server sends a packet.
type Direction uint8

// Values of Direction: which side sends a packet.
const (
	C2S Direction = iota // client to server
	S2C                  // server to client
)

// String returns "c2s" (client to server) or "s2c" (server to client).
func (d Direction) String() string {
	if d == C2S {
		return "c2s"
	}
	return "s2c"
}

// ConnectionState is a set of states of a connection. The packet table contains such a set for each packet: the states in which
// it may be sent.
type ConnectionState uint8

// Values of ConnectionState: whether the client's player is in the world.
const (
	BeforeWorld ConnectionState         = 1 << iota // the client has no character in the world yet
	InWorld                                         // from ChangeArea on, the first message when the player enters the world
	Anytime     = BeforeWorld | InWorld             // in every state
)

// String returns the name of the set of states, such as "in world".
func (s ConnectionState) String() string {
	return [...]string{"never", "before world", "in world", "anytime"}[s&Anytime]
}

// UnlimitedSize is the value of Format.Max for a payload that ends in a text or a list without a maximum length.
const UnlimitedSize = -1

// Format describes a packet type in one direction: the size of its payload, when it may be sent, and on which channel.
type Format struct {
	Name     string          // name of the packet struct in this package; "" for an unparsed packet
	Min, Max int             // minimum and maximum payload size in bytes; not every size between them is legal; Max may be UnlimitedSize
	State    ConnectionState // connection states in which the packet is legal
	Reliable bool            // true if sent on ENet's channel 1, reliably; false if sent on channel 2, unreliably

	read func(r *reader) Packet // reads the payload; nil for an unparsed packet
}

// Parse decodes a payload. b is borrowed, not kept. Errors wrap ErrUnparsed or an error of package wire.
func (f *Format) Parse(b []byte) (Packet, error) {
	r := newReader(b)
	return f.parse(&r)
}

// Trace decodes a payload as Parse does. For dissectors, it also returns the fields in the order of the payload; if the payload
// is invalid, these are the fields before the error. In a valid payload, every byte belongs to one of the fields.
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

// PacketDef describes a packet type: its number, its name, and its format in each direction.
type PacketDef struct {
	ID       PacketType // number of the type, the first byte of a message
	Name     string     // name in the protocol
	C2S, S2C *Format    // format in each direction; nil if the type is not sent in that direction
}

// FormatFor returns the format in which packets of this type are sent in direction d. It returns nil if they are not sent in that
// direction.
func (row *PacketDef) FormatFor(d Direction) *Format {
	if d == C2S {
		return row.C2S
	}
	return row.S2C
}

// Lookup returns the definition of the packet type t. ok is false if the protocol has no such type.
func Lookup(t PacketType) (row *PacketDef, ok bool) {
	if int(t) >= len(rows) || rows[t].Name == "" {
		return nil, false
	}
	return &rows[t], true
}

// Table returns the definitions of all packet types, sorted by number. They are shared and must not be modified.
func Table() []*PacketDef {
	var all []*PacketDef
	for i := range rows {
		if rows[i].Name != "" {
			all = append(all, &rows[i])
		}
	}
	return all
}

// ParseC2S decodes a message from a client, which begins with the type byte. msg is borrowed, not kept. Errors wrap ErrUnknown,
// ErrUnparsed or an error of package wire.
func ParseC2S(msg []byte) (Packet, error) { return parseMessage(C2S, msg) }

// ParseS2C decodes a message from a server, which begins with the type byte. msg is borrowed, not kept. Errors wrap ErrUnknown,
// ErrUnparsed or an error of package wire.
func ParseS2C(msg []byte) (Packet, error) { return parseMessage(S2C, msg) }

func parseMessage(d Direction, msg []byte) (Packet, error) {
	if len(msg) == 0 {
		return nil, fmt.Errorf("the message is empty; its first byte must be the packet type: %w", wire.ErrShort)
	}
	row, ok := Lookup(PacketType(msg[0]))
	if !ok || row.FormatFor(d) == nil {
		return nil, fmt.Errorf("parse %v message of type %d: %w", d, msg[0], ErrUnknown)
	}
	p, err := row.FormatFor(d).Parse(msg[1:])
	if errors.Is(err, ErrUnparsed) {
		return nil, fmt.Errorf("parse %v message %s: %w", d, row.Name, err)
	}
	return p, err
}

// parsed returns the format of a packet type that this package can parse. Such packets are sent reliably; only StandardUpdate
// is not. The parameters lo and hi are the minimum and the maximum size of the payload in bytes.
func parsed[P Packet](name string, lo, hi int, state ConnectionState, read func(r *reader) P) *Format {
	return &Format{
		Name: name, Min: lo, Max: hi, State: state, Reliable: true,
		read: func(r *reader) Packet { return read(r) },
	}
}

// parsedUnreliable returns the format of a packet type that this package can parse and that is sent unreliably, on ENet's
// channel 2.
func parsedUnreliable[P Packet](name string, lo, hi int, state ConnectionState, read func(r *reader) P) *Format {
	f := parsed(name, lo, hi, state, read)
	f.Reliable = false
	return f
}

// readEmpty is the read function for packets without a payload.
func readEmpty[P Packet](*reader) (p P) { return p }

// unparsed returns the format of a packet that this package cannot parse.
func unparsed() *Format { return &Format{Max: UnlimitedSize, State: InWorld, Reliable: true} }
