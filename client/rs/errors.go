package rs

import (
	"errors"
	"fmt"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// Reasons why a client is not in the game. Other reasons are a RefusedError, LostError, TransferError or MismatchError.
var (
	ErrClosed    = errors.New("client is closed")                 // Close was called
	ErrKilled    = errors.New("connection dropped by the client") // Kill was called
	ErrLoggedOut = errors.New("logged out by the server")         // the server sent LOGOUT or LOGOUT_FULL, and Logout was not called
	ErrOffline   = errors.New("client has no connection")         // a request was made while the client had no connection
	ErrSilent    = errors.New("no data from the server for 15 s") // always wrapped in a LostError
	ErrAnswer    = errors.New("invalid answer to the login")      // always wrapped with the cause
	ErrConfig    = errors.New("incomplete client configuration")  // always wrapped with the missing field
)

// RefusedError reports that the server refused the login.
type RefusedError struct {
	Code proto.ResponseCode // response code of the server
	Body []byte             // body of the server's answer, see proto/rs.Response
}

// Error returns a text with the response code, its meaning, and the bytes of Body.
func (e *RefusedError) Error() string {
	text := fmt.Sprintf("login refused with code %d", e.Code)
	if why := refusalTexts[e.Code]; why != "" {
		text += ": " + why
	}
	if len(e.Body) > 0 {
		text += fmt.Sprintf(" (% x)", e.Body)
	}
	return text
}

// refusalTexts explains each response code that refuses a login. Source: docs/wire/rs.md, response codes.
var refusalTexts = map[proto.ResponseCode]string{
	proto.ResponseCredentials:     "unknown name or wrong password",
	proto.ResponseDisabled:        "the account is banned",
	proto.ResponseOnline:          "the account is already logged in",
	proto.ResponseUpdated:         "the server expects another revision of the client",
	proto.ResponseFull:            "the world is full",
	proto.ResponseOffline:         "the login server is offline",
	proto.ResponseAddressLimit:    "too many connections from this address",
	proto.ResponseSession:         "bad session: the client has the wrong RSA key, or there is no session to resume",
	proto.ResponseRejected:        "the session was rejected: the name may not be allowed",
	proto.ResponseMembers:         "the world is for members only",
	proto.ResponseIncomplete:      "the login could not be completed",
	proto.ResponseUpdating:        "the server is shutting down for an update",
	proto.ResponseTooMany:         "too many login attempts",
	proto.ResponseMembersArea:     "the character stands in a members' area",
	proto.ResponseBadLoginServer:  "invalid login server",
	proto.ResponseHop:             "the player just left another world; the byte is the number of seconds to wait",
	proto.ResponseBusy:            "the login server is busy",
	proto.ResponseScript:          "a script of the server refuses the login; the byte is the reason",
	proto.ResponseSSO:             "the single sign-on is not valid",
	proto.ResponseInstanceRefused: "an instance of the world refuses the login",
}

// LostError reports a connection that ended without a logout by either side.
type LostError struct{ Err error }

// Error returns a text with the cause of the loss.
func (e *LostError) Error() string { return "connection lost: " + e.Err.Error() }

// Unwrap returns the cause of the loss: a network error or ErrSilent.
func (e *LostError) Unwrap() error { return e.Err }

// TransferError reports that the server sent the client to another world. This client does not connect to that world.
type TransferError struct {
	World uint16 // number of the other world
	Host  string // host name or address of the other world's server
}

// Error returns a text with the number and the host of the world to which the server transfers the client.
func (e *TransferError) Error() string {
	return fmt.Sprintf("the server transfers the client to world %d at %s", e.World, e.Host)
}

// MismatchError reports a PLAYER_INFO packet on which the game client would fail.
type MismatchError struct {
	Cycle   int    // number of the PLAYER_INFO packet; the first after the login is 1
	Bit     int    // bit offset in Payload at which decoding failed
	Err     error  // why the game client would fail
	Payload []byte // payload of the packet
}

// Error returns a text with the number and the size of the packet and the reason for which the game client would fail.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("PLAYER_INFO packet %d (%d bytes): %v", e.Cycle, len(e.Payload), e.Err)
}

// Unwrap returns the error of the decoder, which is in package proto/rs.
func (e *MismatchError) Unwrap() error { return e.Err }

// newMismatchError returns a MismatchError. It copies payload, because the memory of payload is reused for the next packet.
func newMismatchError(cycle int, payload []byte, err error) *MismatchError {
	e := &MismatchError{Cycle: cycle, Err: err, Payload: append([]byte(nil), payload...)}
	if at, ok := errors.AsType[*proto.DecodeError](err); ok {
		e.Bit = at.Bit
	}
	return e
}
