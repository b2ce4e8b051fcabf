package rs

import "github.com/truestep-io/truestep/proto/wire"

// Values of SetPlayerOp.Priority. The client distinguishes only 0 from all other values.
const (
	PlayerOpReduced = 0 // the option is only in the right-click menu
	PlayerOpNormal  = 1 // the option can be the left-click action
)

// DefaultCursor is the Cursor of an option for which the client shows its usual cursor.
const DefaultCursor = 65535

// NoPlayerOp is the Text of a SetPlayerOp that clears an option. The client ignores its case.
const NoPlayerOp = "null"

// SetPlayerOp sets the text of one option in the client's right-click menu of other players, for example "Attack". When
// the option is chosen, the client sends an OpPlayer whose Option is Slot. Server packet SET_PLAYER_OP, 1. A new login
// clears all options; a reconnect keeps them.
//
//	off  size  field     encoding  unit and range
//	0    1     Priority  u8A       PlayerOpReduced or another value
//	1    2     Cursor    u16L
//	3    n+1   Text      cstr
//	     1     Slot      u8N       1..8; the client ignores others
//
// Source: docs/wire/rs.md, server to client.
type SetPlayerOp struct {
	Slot     uint8  // number of the option in the menu, 1..8
	Text     string // text of the option; NoPlayerOp removes the option
	Priority uint8  // PlayerOpReduced or PlayerOpNormal
	Cursor   uint16 // number of the cursor, or DefaultCursor
}

// ParseSetPlayerOp decodes the body of SET_PLAYER_OP. b is borrowed, not kept. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseSetPlayerOp(b []byte) (SetPlayerOp, error) {
	r := wire.NewReader(b)
	p := SetPlayerOp{
		Priority: readAs[uint8](&r, encU8A),
		Cursor:   readAs[uint16](&r, encU16L),
		Text:     readText(&r),
		Slot:     readAs[uint8](&r, encU8N),
	}
	return p, r.Done("SET_PLAYER_OP")
}

// Opcode returns 1.
func (SetPlayerOp) Opcode() Opcode { return ServerSetPlayerOp }

// Append appends the body and returns the longer slice.
func (p SetPlayerOp) Append(b []byte) []byte {
	b = appendText(appendAs(appendAs(b, encU8A, p.Priority), encU16L, p.Cursor), p.Text)
	return appendAs(b, encU8N, p.Slot)
}

// ReduceAttackPriority restricts "Attack" to the right-click menu for players of higher combat level, regardless of
// SetPlayerOp. Server packet REDUCE_ATTACK_PRIORITY, 124. The restriction is on when the client starts, and no login resets
// it, so a server with combat turns it off. Within a team it is always on, between different teams never.
//
//	off  size  field  encoding  unit and range
//	0    1     On     u8S       0 or 1
//
// Source: docs/wire/rs.md, server to client.
type ReduceAttackPriority struct{ On bool } // whether "Attack" is restricted

// ParseReduceAttackPriority decodes the body of REDUCE_ATTACK_PRIORITY. Errors wrap wire.ErrShort, wire.ErrRange or
// wire.ErrTrailing.
func ParseReduceAttackPriority(b []byte) (ReduceAttackPriority, error) {
	r := wire.NewReader(b)
	p := ReduceAttackPriority{On: readFlag(&r, encU8S)}
	return p, r.Done("REDUCE_ATTACK_PRIORITY")
}

// Opcode returns 124.
func (ReduceAttackPriority) Opcode() Opcode { return ServerReduceAttackPriority }

// Append appends the body, 1 byte, and returns the longer slice.
func (p ReduceAttackPriority) Append(b []byte) []byte { return appendAs(b, encU8S, flagByte(p.On)) }
