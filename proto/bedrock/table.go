package bedrock

import (
	"errors"
	"fmt"
	"slices"

	"github.com/truestep-io/truestep/proto/wire"
)

// ErrUnknownPacket reports a packet type that this package does not support. The packet may nevertheless be valid.
var ErrUnknownPacket = errors.New("unknown packet type")

// Direction is the direction of a packet; the values can be combined.
type Direction uint8

// Values of Direction: which side sends a packet.
const (
	ToServer Direction             = 1 << iota // a client sends the packet
	ToClient                                   // a server sends the packet
	BothWays = ToServer | ToClient             // either side sends the packet
)

// String returns "c2s", "s2c" or "both".
func (d Direction) String() string { return [...]string{"never", "c2s", "s2c", "both"}[d&BothWays] }

// State is a set of session states, for example those in which a packet is legal.
//
// Source: docs/wire/bedrock.md, sequence to spawn and rule LO-1.
type State uint8

// Session states, in the order in which a session passes through them, and combinations of states.
const (
	InLogin     State                                                = 1 << iota // until the server has read the Login packet
	InHandshake                                                                  // until encryption is active
	InPacks                                                                      // from the PlayStatus with StatusLoginOK until the pack exchange is complete
	InStart                                                                      // from StartGame until SetLocalPlayerAsInitialized
	InPlay                                                                       // after SetLocalPlayerAsInitialized was received
	AfterStart  = InStart | InPlay                                               // from StartGame on
	AfterLogin  = InPacks | InStart | InPlay                                     // from the PlayStatus with StatusLoginOK on
	AnyState    = InLogin | InHandshake | InPacks | InStart | InPlay             // every state
)

// Row describes one packet type.
type Row struct {
	ID        ID
	Name      string // Mojang's name without "Packet"
	Direction Direction
	States    State

	parse func(b []byte, v Version) (Packet, error)
}

// Parse decodes the body of a packet of the row's type. With wire.ErrTrailing the returned packet is complete; with any
// other error it is nil.
func (row *Row) Parse(b []byte, v Version) (Packet, error) { return row.parse(b, v) }

// row builds a table row from a packet's parser.
func row[P Packet](id ID, name string, d Direction, s State, parse func([]byte, Version) (P, error)) Row {
	return Row{ID: id, Name: name, Direction: d, States: s, parse: func(b []byte, v Version) (Packet, error) {
		p, err := parse(b, v)
		if err != nil && !isTrailing(err) {
			return nil, err
		}
		return p, err
	}}
}

// isTrailing reports whether the packet that was returned with err is complete.
func isTrailing(err error) bool { return errors.Is(err, wire.ErrTrailing) }

// Lookup finds the row of id. The row is shared and must not be modified.
func Lookup(id ID) (*Row, bool) {
	i, ok := slices.BinarySearchFunc(rows, id, func(row Row, id ID) int { return int(row.ID) - int(id) })
	if !ok {
		return nil, false
	}
	return &rows[i], true
}

// Table lists every packet type, sorted by id. The rows are shared and must not be modified.
func Table() []Row { return rows }

// Parse decodes a packet, header and body, of either direction. Errors wrap ErrUnknownPacket or an error of the
// packet's parser; with wire.ErrTrailing the packet is complete.
func Parse(b []byte, v Version) (Packet, error) {
	id, _, _, body, err := ParseHeader(b)
	if err != nil {
		return nil, err
	}
	row, ok := Lookup(id)
	if !ok {
		return nil, fmt.Errorf("%v: %w", id, ErrUnknownPacket)
	}
	return row.Parse(body, v)
}
