package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// CommandOrigin is who or what gave a command. Nothing in it is proven: it is the client's word.
type CommandOrigin struct {
	Type      string // "player" from a player
	UUID      UUID   // names the request
	RequestID string
	Player    ActorUniqueID // on the wire an i64
}

// CommandRequest is a line of chat that begins with a slash. Packet 77, client to server.
//
//	size  field      encoding  range
//	      Line       str       with the slash
//	      Type       str
//	16    UUID       uuid
//	      RequestID  str
//	8     Player     i64       unique id
//	1     Internal   bool      the client made it by itself
//	      Version    str       of the commands, "latest" or a number
//
// Source: docs/wire/bedrock.md, chat.
type CommandRequest struct {
	Line     string
	Origin   CommandOrigin
	Internal bool
	Version  string
}

// ID is IDCommandRequest.
func (CommandRequest) ID() ID { return IDCommandRequest }

// ParseCommandRequest decodes the body of packet 77. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseCommandRequest(b []byte, _ Version) (CommandRequest, error) {
	r := wire.NewReader(b)
	p := CommandRequest{
		Line:     r.VarStr(),
		Origin:   CommandOrigin{Type: r.VarStr(), UUID: readUUID(&r), RequestID: r.VarStr(), Player: r.I64()},
		Internal: r.Bool(),
		Version:  r.VarStr(),
	}
	return p, r.Done("CommandRequest")
}

// Append appends the body of packet 77 and returns the longer slice.
func (p CommandRequest) Append(b []byte, _ Version) []byte {
	b = wire.VarStr(wire.VarStr(b, p.Line), p.Origin.Type)
	b = wire.VarStr(appendUUID(b, p.Origin.UUID), p.Origin.RequestID)
	b = wire.Bool(wire.I64(b, p.Origin.Player), p.Internal)
	return wire.VarStr(b, p.Version)
}
