package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Login identifies the player. Packet 1, client to server. It is the largest packet of a session, because it contains
// the skin.
//
//	size  field     encoding  range
//	4     Protocol  i32 BE    the same as in RequestNetworkSettings
//	      Request   bytes     the connection request; parsed by proto/bedrock/auth
//
// Source: docs/wire/bedrock.md, packets of the login phase.
type Login struct {
	Protocol Version // protocol version of the client, as in RequestNetworkSettings
	Request  []byte  // i32 length and identity JSON, then i32 length and client-data token
}

// ID returns IDLogin.
func (Login) ID() ID { return IDLogin }

// ParseLogin decodes the body of packet 1. The field Request of the result shares the memory of b. Errors wrap wire.ErrShort,
// wire.ErrRange or wire.ErrTrailing.
func ParseLogin(b []byte, _ Version) (Login, error) {
	r := wire.NewReader(b)
	p := Login{Protocol: Version(readBE32(&r)), Request: r.VarBytes()}
	return p, r.Done("Login")
}

// Append appends the body of packet 1 to b and returns the extended slice.
func (p Login) Append(b []byte, _ Version) []byte {
	return wire.VarBytes(wire.BE32(b, uint32(p.Protocol)), p.Request)
}

// ServerToClientHandshake starts encryption: everything that the server sends after it is encrypted. Packet 3, server to
// client.
//
//	size  field  encoding  range
//	      Token  str       a token with the server's key and the salt; parsed by proto/bedrock/auth
//
// Source: docs/wire/bedrock.md, encryption.
type ServerToClientHandshake struct{ Token string }

// ID returns IDServerToClientHandshake.
func (ServerToClientHandshake) ID() ID { return IDServerToClientHandshake }

// ParseServerToClientHandshake decodes the body of packet 3. Errors wrap wire.ErrShort, wire.ErrRange or
// wire.ErrTrailing.
func ParseServerToClientHandshake(b []byte, _ Version) (ServerToClientHandshake, error) {
	r := wire.NewReader(b)
	p := ServerToClientHandshake{Token: r.VarStr()}
	return p, r.Done("ServerToClientHandshake")
}

// Append appends the body of packet 3 to b and returns the extended slice.
func (p ServerToClientHandshake) Append(b []byte, _ Version) []byte { return wire.VarStr(b, p.Token) }

// ClientToServerHandshake is the first encrypted packet of a client and proves that the client has the session key.
// Packet 4, client to server. It has no body.
//
// Source: docs/wire/bedrock.md, encryption.
type ClientToServerHandshake struct{}

// ID returns IDClientToServerHandshake.
func (ClientToServerHandshake) ID() ID { return IDClientToServerHandshake }

// ParseClientToServerHandshake decodes the body of packet 4. Errors wrap wire.ErrTrailing.
func ParseClientToServerHandshake(b []byte, _ Version) (ClientToServerHandshake, error) {
	r := wire.NewReader(b)
	return ClientToServerHandshake{}, r.Done("ClientToServerHandshake")
}

// Append returns b, because the packet has no body.
func (ClientToServerHandshake) Append(b []byte, _ Version) []byte { return b }

// ClientCacheStatus reports whether the client caches chunks by hash. Packet 129, client to server. A server may ignore
// it, and Truestep does.
//
//	size  field    encoding
//	1     Enabled  bool
//
// Source: docs/wire/bedrock.md, packets of the login phase.
type ClientCacheStatus struct{ Enabled bool }

// ID returns IDClientCacheStatus.
func (ClientCacheStatus) ID() ID { return IDClientCacheStatus }

// ParseClientCacheStatus decodes the body of packet 129. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseClientCacheStatus(b []byte, _ Version) (ClientCacheStatus, error) {
	r := wire.NewReader(b)
	p := ClientCacheStatus{Enabled: r.Bool()}
	return p, r.Done("ClientCacheStatus")
}

// Append appends the body of packet 129 to b and returns the extended slice.
func (p ClientCacheStatus) Append(b []byte, _ Version) []byte { return wire.Bool(b, p.Enabled) }
