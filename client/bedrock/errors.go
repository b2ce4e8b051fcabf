package bedrock

import (
	"errors"
	"fmt"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
)

// Errors that Dial and the methods of Client return. They may also return the errors of their context.
var (
	ErrOptions    = errors.New("a client option is missing or out of range")                        // a field of Options is missing or out of range
	ErrNoServer   = errors.New("no server listens on this address")                                 // the server's UDP port is closed
	ErrNoAnswer   = errors.New("server did not answer the connection request or the login in time") // the server did not answer a connection request, the login or the spawn within the time limit
	ErrVersion    = errors.New("server does not accept the client's protocol version")              // the server refused the login with a PlayStatus other than 7, for example 1 or 2
	ErrFull       = errors.New("server is full")                                                    // the server sent PlayStatus 7
	ErrServer     = errors.New("server sent something that violates the Bedrock protocol")          // the server sent something after which the client cannot continue
	ErrNotPlaying = errors.New("player has not entered the world yet, or has left it")              // the session has not reached the world yet, or the player has left the world
)

// DisconnectError reports that the server ended the session with a reason.
type DisconnectError struct {
	Reason  proto.DisconnectReason // reason in the Disconnect packet
	Message string                 // message for the player; "" if the server asked the client to hide it
}

// Error returns the reason and the message of the server's Disconnect packet.
func (e *DisconnectError) Error() string {
	return fmt.Sprintf("disconnected by the server: %q (reason %d)", e.Message, e.Reason)
}

// LostError reports that the connection ended without a Disconnect packet.
type LostError struct{ Reason raknet.DisconnectReason } // why RakNet ended the session

// Error returns the reason for which RakNet ended the session.
func (e *LostError) Error() string { return "RakNet connection lost: " + e.Reason.String() }
