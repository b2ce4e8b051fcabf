package bedrock

import (
	"errors"
	"fmt"
	"slices"

	"github.com/truestep-io/truestep/proto/wire"
)

// ErrUnknown is a packet type that the table does not have. Its packets may be in order; nobody here can tell.
var ErrUnknownPacket = errors.New("unknown packet type")

// Direction is who speaks; the two can be combined.
type Direction uint8

// The directions.
const (
	ToServer Direction = 1 << iota
	ToClient
	BothWays = ToServer | ToClient
)

// String is "c2s", "s2c" or "both".
func (d Direction) String() string { return [...]string{"never", "c2s", "s2c", "both"}[d&BothWays] }

// State is where a session stands when a packet is legal; they can be combined.
//
// Source: docs/wire/bedrock.md, sequence to spawn and LO-1.
type State uint8

// The states in the order in which a session passes them.
const (
	InLogin     State = 1 << iota // until the Login packet has been read
	InHandshake                   // until the encryption is up
	InPacks                       // from the login's PlayStatus until the packs are settled
	InStart                       // from StartGame until SetLocalPlayerAsInitialized
	InPlay                        // after it
	AfterStart  = InStart | InPlay
	AfterLogin  = InPacks | InStart | InPlay
	AnyState    = InLogin | InHandshake | InPacks | InStart | InPlay
)

// Row is one packet type.
type Row struct {
	ID        ID
	Name      string // Mojang's, without "Packet"
	Direction Direction
	States    State

	parse func(b []byte, v Version) (Packet, error)
}

// Parse decodes a body of the row's type, as the parser of the type does: with wire.ErrTrailing the packet is whole,
// with any other error there is none.
func (row *Row) Parse(b []byte, v Version) (Packet, error) { return row.parse(b, v) }

// row makes a table row of a packet's parser.
func row[P Packet](id ID, name string, d Direction, s State, parse func([]byte, Version) (P, error)) Row {
	return Row{ID: id, Name: name, Direction: d, States: s, parse: func(b []byte, v Version) (Packet, error) {
		p, err := parse(b, v)
		if err != nil && !isTrailing(err) {
			return nil, err
		}
		return p, err
	}}
}

// isTrailing tells whether err leaves the value of its packet whole.
func isTrailing(err error) bool { return errors.Is(err, wire.ErrTrailing) }

// Lookup finds the row of id. The row is shared and must not be changed.
func Lookup(id ID) (*Row, bool) {
	i, ok := slices.BinarySearchFunc(rows, id, func(row Row, id ID) int { return int(row.ID) - int(id) })
	if !ok {
		return nil, false
	}
	return &rows[i], true
}

// Table lists every packet type, sorted by number. The rows are shared and must not be changed.
func Table() []Row { return rows }

// Parse decodes a whole packet, header and body, whatever its direction. Errors wrap ErrUnknown or what the packet's own
// parser says; with wire.ErrTrailing the packet is whole.
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
