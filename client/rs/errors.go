package rs

import (
	"errors"
	"fmt"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// Why a client is not in the game. A connection that ended otherwise is a LostError, a refused login a RefusedError.
var (
	ErrClosed    = errors.New("the client is closed")
	ErrKilled    = errors.New("the client dropped its connection")             // Kill
	ErrLoggedOut = errors.New("logged out by the server")                      // LOGOUT or LOGOUT_FULL, not asked for
	ErrOffline   = errors.New("no connection")                                 // a request between two connections
	ErrSilent    = errors.New("no byte for as long as clients wait")           // inside a LostError
	ErrAnswer    = errors.New("an answer to the login that makes no sense")    // with what is wrong with it
	ErrConfig    = errors.New("a client needs an address, a key and a player") // with what is missing
)

// RefusedError is a login that the server has refused.
type RefusedError struct {
	Code proto.ResponseCode
	Body []byte // what the code carries: see proto/rs.Response
}

// Error says the code and what it means.
func (e *RefusedError) Error() string {
	text := fmt.Sprintf("login refused with code %d", e.Code)
	if why := meanings[e.Code]; why != "" {
		text += ": " + why
	}
	if len(e.Body) > 0 {
		text += fmt.Sprintf(" (% x)", e.Body)
	}
	return text
}

// meanings is what a player reads. Source: docs/wire/rs.md, response codes.
var meanings = map[proto.ResponseCode]string{
	proto.ResponseCredentials:     "unknown name or wrong password",
	proto.ResponseDisabled:        "the account is banned",
	proto.ResponseOnline:          "the account is in the game already",
	proto.ResponseUpdated:         "the server serves another revision",
	proto.ResponseFull:            "the world has no room",
	proto.ResponseOffline:         "the login server is not there",
	proto.ResponseAddressLimit:    "too many connections from this address",
	proto.ResponseSession:         "bad session: another RSA key, or nothing to come back to",
	proto.ResponseRejected:        "the session was rejected: perhaps the name is not allowed",
	proto.ResponseMembers:         "a members' world",
	proto.ResponseIncomplete:      "the login could not be completed",
	proto.ResponseUpdating:        "the server is about to go down",
	proto.ResponseTooMany:         "too many attempts",
	proto.ResponseMembersArea:     "the character stands in a members' area",
	proto.ResponseBadLoginServer:  "invalid login server",
	proto.ResponseHop:             "just left another world; the byte is how many seconds to wait",
	proto.ResponseBusy:            "the login server is busy",
	proto.ResponseScript:          "refused by a script; the byte is its reason",
	proto.ResponseSSO:             "bad single sign-on",
	proto.ResponseInstanceRefused: "refused by an instance",
}

// LostError is a connection that ended without the client wanting it, and without the server saying so.
type LostError struct{ Err error }

// Error says what broke the connection.
func (e *LostError) Error() string { return "connection lost: " + e.Err.Error() }

// Unwrap is what the network says.
func (e *LostError) Unwrap() error { return e.Err }

// TransferError is a server that sends the client to another world, where this client does not go.
type TransferError struct {
	World uint16
	Host  string
}

// Error names the other world.
func (e *TransferError) Error() string {
	return fmt.Sprintf("sent to world %d at %s", e.World, e.Host)
}

// MismatchError is a PLAYER_INFO packet on which the game's client would give up.
type MismatchError struct {
	Cycle   int // which packet: 1 is the first after the login
	Bit     int // offset in its payload
	Err     error
	Payload []byte
}

// Error names the packet, and what the game's client would say of it.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("PLAYER_INFO %d of %d bytes: %v", e.Cycle, len(e.Payload), e.Err)
}

// Unwrap is the error of proto/rs.
func (e *MismatchError) Unwrap() error { return e.Err }

// mismatch makes the error of a payload that is borrowed.
func mismatch(cycle int, payload []byte, err error) *MismatchError {
	e := &MismatchError{Cycle: cycle, Err: err, Payload: append([]byte(nil), payload...)}
	if at, ok := errors.AsType[*proto.Error](err); ok {
		e.Bit = at.Bit
	}
	return e
}
