package bedrock

import (
	"errors"
	"fmt"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
)

// Errors of a client, in addition to those of its context.
var (
	ErrOptions    = errors.New("invalid option")
	ErrNoServer   = errors.New("no server there")                          // the port is closed
	ErrNoAnswer   = errors.New("no answer in time")                        // to a connection request, a login or while spawning
	ErrVersion    = errors.New("server requires another protocol version") // PlayStatus 1 or 2
	ErrFull       = errors.New("server is full")                           // PlayStatus 7
	ErrServer     = errors.New("server violates the protocol")             // what it sent cannot be gone on with
	ErrNotPlaying = errors.New("not in the game")
)

// DisconnectError reports that the server ended the session with a reason.
type DisconnectError struct {
	Reason  proto.DisconnectReason
	Message string // "" if the server hides it
}

func (e *DisconnectError) Error() string {
	return fmt.Sprintf("disconnected by the server: %q (reason %d)", e.Message, e.Reason)
}

// LostError reports that the connection ended without a Disconnect packet.
type LostError struct{ Reason raknet.Reason }

func (e *LostError) Error() string { return "connection lost: " + e.Reason.String() }
