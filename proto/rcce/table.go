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

// Why a message has no Packet although its bytes may be in order. Gateways branch on them with errors.Is.
var (
	ErrUnknown = errors.New("unknown packet type")            // not in the table, or never in this direction
	ErrIgnored = errors.New("packet type that is not parsed") // known by name; its layout is not ours to know
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

// State is when a packet is legal; the two can be combined.
type State uint8

// States of a connection.
const (
	BeforeWorld State = 1 << iota // no character is in the world
	InWorld                       // from the first message of the world-entry burst on
	Anytime     = BeforeWorld | InWorld
)

// String names the state.
func (s State) String() string {
	return [...]string{"never", "before world", "in world", "anytime"}[s&Anytime]
}

// Unlimited is the Max of a payload that ends in text or in a list without a limit.
const Unlimited = -1

// Form is one direction of one packet type.
type Form struct {
	Name     string // of the struct in this package; "" for an ignored packet
	Min, Max int    // payload bytes; Max may be Unlimited. Not every length between them is legal
	State    State
	Reliable bool // sent on the reliable channel 1; the other is channel 2

	read func(r *reader) Packet // nil for an ignored packet
}

// Parse decodes a payload. b is borrowed, not kept. Errors wrap ErrIgnored or what the packet's own parser says.
func (f *Form) Parse(b []byte) (Packet, error) {
	r := newReader(b)
	return f.parse(&r)
}

// Trace decodes a payload like Parse and returns its fields in order, also those before an error. The fields of an
// accepted payload cover it from the first byte to the last.
func (f *Form) Trace(b []byte) ([]Field, Packet, error) {
	r := newReader(b)
	r.trace = &tracer{payload: b}
	p, err := f.parse(&r)
	return r.trace.fields, p, err
}

func (f *Form) parse(r *reader) (Packet, error) {
	if f.read == nil {
		return nil, ErrIgnored
	}
	p := f.read(r)
	if err := r.done(f.Name); err != nil {
		return nil, err
	}
	return p, nil
}

// Row is one packet type. A direction in which the type is never sent is nil.
type Row struct {
	ID       Type
	Name     string // the protocol's own
	C2S, S2C *Form
}

// Form is the row's form in direction d, nil if there is none.
func (row *Row) Form(d Direction) *Form {
	if d == C2S {
		return row.C2S
	}
	return row.S2C
}

// Lookup finds the row of t.
func Lookup(t Type) (*Row, bool) {
	if int(t) >= len(rows) || rows[t].Name == "" {
		return nil, false
	}
	return &rows[t], true
}

// Table lists every packet type, sorted by number. The rows are shared and must not be changed.
func Table() []*Row {
	var all []*Row
	for i := range rows {
		if rows[i].Name != "" {
			all = append(all, &rows[i])
		}
	}
	return all
}

// ParseC2S decodes a whole message from a client, type byte first. msg is borrowed, not kept. Errors wrap ErrUnknown,
// ErrIgnored or one of wire's.
func ParseC2S(msg []byte) (Packet, error) { return parseMessage(C2S, msg) }

// ParseS2C decodes a whole message from a server, type byte first. msg is borrowed, not kept. Errors wrap ErrUnknown,
// ErrIgnored or one of wire's.
func ParseS2C(msg []byte) (Packet, error) { return parseMessage(S2C, msg) }

func parseMessage(d Direction, msg []byte) (Packet, error) {
	if len(msg) == 0 {
		return nil, fmt.Errorf("message: %w", wire.ErrShort)
	}
	row, ok := Lookup(Type(msg[0]))
	if !ok || row.Form(d) == nil {
		return nil, fmt.Errorf("type %d %v: %w", msg[0], d, ErrUnknown)
	}
	p, err := row.Form(d).Parse(msg[1:])
	if errors.Is(err, ErrIgnored) {
		return nil, fmt.Errorf("%s %v: %w", row.Name, d, err)
	}
	return p, err
}

// form describes a direction that is parsed. Everything but StandardUpdate is reliable.
func form[P Packet](name string, lo, hi int, state State, read func(r *reader) P) *Form {
	return &Form{
		Name: name, Min: lo, Max: hi, State: state, Reliable: true,
		read: func(r *reader) Packet { return read(r) },
	}
}

// unreliable is form for what is sent on channel 2.
func unreliable[P Packet](name string, lo, hi int, state State, read func(r *reader) P) *Form {
	f := form(name, lo, hi, state, read)
	f.Reliable = false
	return f
}

// empty is the read function of a packet without a payload.
func empty[P Packet](*reader) (p P) { return p }

// ignored describes a direction that we only know by name.
func ignored() *Form { return &Form{Max: Unlimited, State: InWorld, Reliable: true} }
