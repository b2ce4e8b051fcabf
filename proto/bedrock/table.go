package bedrock

import (
	"errors"
	"fmt"
	"slices"

	"github.com/truestep-io/truestep/proto/wire"
)

// ErrUnknownPacket reports a type of packet that this package does not support. The packet may be valid nevertheless.
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

// SessionStates is a set of session states, one bit per state. The packet table contains, for each packet, the states in which the
// packet is legal.
//
// Source: docs/wire/bedrock.md, sequence to spawn and rule LO-1.
type SessionStates uint8

// Session states, in the order in which a session passes through them, and combinations of states.
const (
	InLogin     SessionStates                                        = 1 << iota // until the server has read the Login packet
	InHandshake                                                                  // from then on until encryption is active
	InPacks                                                                      // from the PlayStatus with StatusLoginOK until the pack exchange is complete
	InStart                                                                      // from StartGame until SetLocalPlayerAsInitialized
	InPlay                                                                       // after SetLocalPlayerAsInitialized was received
	AfterStart  = InStart | InPlay                                               // from StartGame on
	AfterLogin  = InPacks | InStart | InPlay                                     // from the PlayStatus with StatusLoginOK on
	AnyState    = InLogin | InHandshake | InPacks | InStart | InPlay             // every state
)

// PacketDef describes one packet type: its number, name, direction and legal states.
type PacketDef struct {
	ID        ID            // number of the packet type
	Name      string        // Mojang's name without "Packet"
	Direction Direction     // side that sends the packet
	States    SessionStates // states of the session in which the packet is legal

	parse func(b []byte, v Version) (Packet, error)
}

// Parse decodes the body of a packet of this type. If bytes follow the packet, Parse returns the complete packet and an
// error that wraps wire.ErrTrailing. With any other error the returned packet is nil.
func (row *PacketDef) Parse(b []byte, v Version) (Packet, error) { return row.parse(b, v) }

// row builds the table row of a packet type P from its attributes and its parse function.
func row[P Packet](id ID, name string, d Direction, s SessionStates, parse func([]byte, Version) (P, error)) PacketDef {
	return PacketDef{ID: id, Name: name, Direction: d, States: s, parse: func(b []byte, v Version) (Packet, error) {
		p, err := parse(b, v)
		if err != nil && !isTrailing(err) {
			return nil, err
		}
		return p, err
	}}
}

// isTrailing reports whether err says only that bytes follow the packet. The packet itself is then complete.
func isTrailing(err error) bool { return errors.Is(err, wire.ErrTrailing) }

// Lookup returns the row of the packet table for a packet type. ok is false if this package does not support the type. The
// row is shared and must not be modified.
func Lookup(id ID) (*PacketDef, bool) {
	i, ok := slices.BinarySearchFunc(rows, id, func(row PacketDef, id ID) int { return int(row.ID) - int(id) })
	if !ok {
		return nil, false
	}
	return &rows[i], true
}

// Table lists every packet type, sorted by id. The rows are shared and must not be modified.
func Table() []PacketDef { return rows }

// Parse decodes a packet, header and body, sent by a client or a server. Errors wrap ErrUnknownPacket or come from the
// parser of the packet. If an error wraps wire.ErrTrailing, the packet is complete.
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
