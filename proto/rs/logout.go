package rs

import "github.com/truestep-io/truestep/proto/wire"

// Logout sends a client to the lobby if it came from there, else to the login screen. The client closes the
// connection and reads nothing more. Server packet LOGOUT, 59, no body.
type Logout struct{}

// Opcode returns 59.
func (Logout) Opcode() Opcode { return ServerLogout }

// Append returns b unchanged, because the packet has no body.
func (Logout) Append(b []byte) []byte { return b }

// LogoutFull sends a client to the login screen, even if it came from the lobby. Server packet LOGOUT_FULL, 51, no
// body.
type LogoutFull struct{}

// Opcode returns 51.
func (LogoutFull) Opcode() Opcode { return ServerLogoutFull }

// Append returns b unchanged, because the packet has no body.
func (LogoutFull) Append(b []byte) []byte { return b }

// LogoutTransfer sends a client to another world. Server packet LOGOUT_TRANSFER, 94.
//
//	off  size  field      encoding  unit and range
//	0    2     World      u16
//	2    n+1   Host       cstr      name or address, without a port
//	     1     Reconnect  u8        0 or 1
//
// Source: docs/wire/rs.md, movement.
type LogoutTransfer struct {
	World     uint16 // number of the other world
	Host      string // name or address of the other world's server, without a port
	Reconnect bool   // the client resumes its session in the other world (Login.Reconnect) instead of beginning a new session
}

// ParseLogoutTransfer decodes the body of LOGOUT_TRANSFER. b is borrowed, not kept.
// Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseLogoutTransfer(b []byte) (LogoutTransfer, error) {
	r := wire.NewReader(b)
	p := LogoutTransfer{World: r.BE16(), Host: readText(&r), Reconnect: readFlag(&r, encU8)}
	return p, r.Done("LOGOUT_TRANSFER")
}

// Opcode returns 94.
func (LogoutTransfer) Opcode() Opcode { return ServerLogoutTransfer }

// Append appends the body and returns the longer slice.
func (p LogoutTransfer) Append(b []byte) []byte {
	return append(appendText(appendAs(b, encU16, p.World), p.Host), flagByte(p.Reconnect))
}
