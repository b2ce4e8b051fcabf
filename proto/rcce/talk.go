package rcce

import "github.com/truestep-io/truestep/proto/wire"

// RightClick asks the server to let the player interact with an actor: to talk to it or to ride it. Type 20, client to server,
// exactly 2 bytes.
//
//	off  size  field   encoding  unit and range
//	0    2     Target  u16       runtime id
//
// Source: docs/wire/rcce.md#rightclick.
type RightClick struct{ Target uint16 } // runtime id of the actor

// ParseRightClick decodes the payload of a packet of type 20. b is borrowed, not kept. Errors wrap wire.ErrShort or
// wire.ErrTrailing.
func ParseRightClick(b []byte) (RightClick, error) {
	r := newReader(b)
	p := readRightClick(&r)
	return p, r.done("RightClick")
}

func readRightClick(r *reader) RightClick { return RightClick{Target: r.u16("Target")} }

// Append appends the message, 3 bytes including its type, to b and returns the longer slice.
func (p RightClick) Append(b []byte) []byte {
	return wire.U16(append(b, uint8(TypeRightClick)), p.Target)
}

// Examine requests the description of an actor. Type 61, client to server.
//
//	off  size  field   encoding  unit and range
//	0    2     Target  u16       runtime id
//
// Source: docs/wire/rcce.md#examine-and-trade.
type Examine struct{ Target uint16 } // runtime id of the actor

// ParseExamine decodes the payload of a packet of type 61. b is borrowed, not kept. Errors wrap wire.ErrShort or
// wire.ErrTrailing.
func ParseExamine(b []byte) (Examine, error) {
	r := newReader(b)
	p := readExamine(&r)
	return p, r.done("Examine")
}

func readExamine(r *reader) Examine { return Examine{Target: r.u16("Target")} }

// Append appends the message, 3 bytes including its type, to b and returns the longer slice.
func (p Examine) Append(b []byte) []byte { return wire.U16(append(b, uint8(TypeExamine)), p.Target) }

// Trade asks another player to trade. Type 62, client to server.
//
//	off  size  field   encoding  unit and range
//	0    2     Target  u16       runtime id
//
// Source: docs/wire/rcce.md#examine-and-trade.
type Trade struct{ Target uint16 } // runtime id of the player

// ParseTrade decodes the payload of a packet of type 62. b is borrowed, not kept. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseTrade(b []byte) (Trade, error) {
	r := newReader(b)
	p := readTrade(&r)
	return p, r.done("Trade")
}

func readTrade(r *reader) Trade { return Trade{Target: r.u16("Target")} }

// Append appends the message, 3 bytes including its type, to b and returns the longer slice.
func (p Trade) Append(b []byte) []byte { return wire.U16(append(b, uint8(TypeTrade)), p.Target) }

// JumpRequest asks the server to let the player jump. Type 46, client to server, without a payload. The server ignores it while
// the player rides.
//
// Source: docs/wire/rcce.md#jump-and-dismount.
type JumpRequest struct{}

// ParseJumpRequest decodes the payload of a packet of type 46 from a client. Errors wrap wire.ErrTrailing.
func ParseJumpRequest(b []byte) (JumpRequest, error) {
	r := newReader(b)
	return JumpRequest{}, r.done("JumpRequest")
}

// Append appends the message, 1 byte including its type, to b and returns the longer slice.
func (JumpRequest) Append(b []byte) []byte { return append(b, uint8(TypeJump)) }

// Jump makes clients display the jump of an actor. Type 46, server to client, to every player in the area, including the one that
// jumps.
//
//	off  size  field      encoding  unit and range
//	0    2     RuntimeID  u16
//
// Source: docs/wire/rcce.md#jump-and-dismount.
type Jump struct{ RuntimeID uint16 } // runtime id of the actor that jumps

// ParseJump decodes the payload of a packet of type 46 from a server. b is borrowed, not kept. Errors wrap wire.ErrShort or
// wire.ErrTrailing.
func ParseJump(b []byte) (Jump, error) {
	r := newReader(b)
	p := readJump(&r)
	return p, r.done("Jump")
}

func readJump(r *reader) Jump { return Jump{RuntimeID: r.u16("RuntimeID")} }

// Append appends the message, 3 bytes including its type, to b and returns the longer slice.
func (p Jump) Append(b []byte) []byte { return wire.U16(append(b, uint8(TypeJump)), p.RuntimeID) }

// Dismount asks the server to let the player get off its mount. Type 47, client to server, without a payload.
//
// Source: docs/wire/rcce.md#jump-and-dismount.
type Dismount struct{}

// ParseDismount decodes the payload of a packet of type 47. Errors wrap wire.ErrTrailing.
func ParseDismount(b []byte) (Dismount, error) {
	r := newReader(b)
	return Dismount{}, r.done("Dismount")
}

// Append appends the message, 1 byte including its type, to b and returns the longer slice.
func (Dismount) Append(b []byte) []byte { return append(b, uint8(TypeDismount)) }

// KickedPlayer tells a client that it is disconnected. Type 60, server to client, without a payload. The client closes its
// connection and exits.
//
// Source: docs/wire/rcce.md#kickedplayer.
type KickedPlayer struct{}

// ParseKickedPlayer decodes the payload of a packet of type 60. Errors wrap wire.ErrTrailing.
func ParseKickedPlayer(b []byte) (KickedPlayer, error) {
	r := newReader(b)
	return KickedPlayer{}, r.done("KickedPlayer")
}

// Append appends the message, 1 byte including its type, to b and returns the longer slice.
func (KickedPlayer) Append(b []byte) []byte { return append(b, uint8(TypeKickedPlayer)) }
