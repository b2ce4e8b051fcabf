package rs

import "github.com/truestep-io/truestep/proto/wire"

// Priorities of SetPlayerOp. The client knows 0 and anything else.
const (
	PlayerOpReduced = 0 // by the right mouse button alone
	PlayerOpNormal  = 1 // can be the left click
)

// DefaultCursor is the Cursor of an option that has none of its own.
const DefaultCursor = 65535

// NoPlayerOp is the Text that clears an option, in any case of letters.
const NoPlayerOp = "null"

// SetPlayerOp gives an option of all other players its text; it arrives back as OpPlayer with the same number. Server
// packet SET_PLAYER_OP, 1. A new login clears all options, a reconnect keeps them.
//
//	off  size  field     encoding  unit and range
//	0    1     Priority  u8A       PlayerOpReduced or another value
//	1    2     Cursor    u16L
//	3    n+1   Text      cstr
//	     1     Slot      u8N       1..8; the client reads others and does nothing
//
// Source: docs/wire/rs.md, server to client.
type SetPlayerOp struct {
	Slot     uint8
	Text     string
	Priority uint8
	Cursor   uint16
}

// ParseSetPlayerOp decodes a body. b is borrowed, not kept. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseSetPlayerOp(b []byte) (SetPlayerOp, error) {
	r := wire.NewReader(b)
	p := SetPlayerOp{
		Priority: readAs[uint8](&r, tokU8A),
		Cursor:   readAs[uint16](&r, tokU16L),
		Text:     readText(&r),
		Slot:     readAs[uint8](&r, tokU8N),
	}
	return p, r.Done("SET_PLAYER_OP")
}

// Opcode is 1.
func (SetPlayerOp) Opcode() Opcode { return ServerSetPlayerOp }

// Append appends the body and returns the longer slice.
func (p SetPlayerOp) Append(b []byte) []byte {
	b = appendText(appendAs(appendAs(b, tokU8A, p.Priority), tokU16L, p.Cursor), p.Text)
	return appendAs(b, tokU8N, p.Slot)
}

// ReduceAttackPriority says whether "Attack" is by right click alone against players of higher combat level, whatever
// SetPlayerOp says. Server packet REDUCE_ATTACK_PRIORITY, 124. The client starts with it on and no login resets it, so
// a server with fights sends it off. Between members of one team it is always reduced, between different teams never.
//
//	off  size  field  encoding  unit and range
//	0    1     On     u8S       0 or 1
//
// Source: docs/wire/rs.md, server to client.
type ReduceAttackPriority struct{ On bool }

// ParseReduceAttackPriority decodes a body. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseReduceAttackPriority(b []byte) (ReduceAttackPriority, error) {
	r := wire.NewReader(b)
	p := ReduceAttackPriority{On: readFlag(&r, tokU8S)}
	return p, r.Done("REDUCE_ATTACK_PRIORITY")
}

// Opcode is 124.
func (ReduceAttackPriority) Opcode() Opcode { return ServerReduceAttackPriority }

// Append appends the body, 1 byte, and returns the longer slice.
func (p ReduceAttackPriority) Append(b []byte) []byte { return appendAs(b, tokU8S, flagByte(p.On)) }
