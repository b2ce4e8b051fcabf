package auth

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// MaxIdentity is the maximum size of the identity part of a request. The value is well above the sizes that occur: captured
// identities have 1 KB, and an identity with a certificate chain from Xbox has about 4 KB.
const MaxIdentity = 64 << 10 // in bytes

// ConnectionRequest is the connection request of a Login packet: two unverified parts.
//
//	size  field       encoding              range
//	4     size        i32                   0..MaxIdentity
//	size  Identity    JSON
//	4     size        i32                   0..MaxToken
//	size  ClientData  token                 ends with the request
//
// Source: docs/wire/bedrock.md, login content.
type ConnectionRequest struct {
	Identity   []byte // JSON text with the identity tokens
	ClientData []byte // JSON Web Token with the description of the client
}

// ParseConnectionRequest splits a connection request into its two parts, which share the memory of b. Errors wrap
// ErrRequest and wire.ErrShort or wire.ErrTrailing, or ErrSize.
func ParseConnectionRequest(b []byte) (ConnectionRequest, error) {
	r := wire.NewReader(b)
	identity, client := r.Bytes(int(r.I32())), r.Bytes(int(r.I32()))
	if err := r.Done("connection request"); err != nil {
		return ConnectionRequest{}, fmt.Errorf("%w: %w", ErrRequest, err)
	}
	if len(identity) > MaxIdentity {
		return ConnectionRequest{}, fmt.Errorf("identity in the connection request has %d bytes, at most %d allowed: %w", len(identity), MaxIdentity, ErrSize)
	}
	if len(client) > MaxToken {
		return ConnectionRequest{}, fmt.Errorf("client data in the connection request have %d bytes, at most %d allowed: %w", len(client), MaxToken, ErrSize)
	}
	return ConnectionRequest{identity, client}, nil
}

// Append appends the request to b and returns the extended slice.
func (q ConnectionRequest) Append(b []byte) []byte {
	b = append(wire.I32(b, int32(len(q.Identity))), q.Identity...)
	return append(wire.I32(b, int32(len(q.ClientData))), q.ClientData...)
}
