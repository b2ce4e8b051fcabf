package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// CommandOrigin describes the sender of a command as the client claims. It is not verified.
type CommandOrigin struct {
	Type      string        // kind of sender; "player" if a player typed the command
	UUID      UUID          // UUID of the request
	RequestID string        // id of the request; the answer to the command would repeat it
	Player    ActorUniqueID // unique id of the player; an i64 on the wire
}

// CommandRequest is a chat line that begins with a slash. Packet 77, client to server.
//
//	size  field      encoding  range
//	      Line       str       with the slash
//	      Type       str
//	16    UUID       uuid
//	      RequestID  str
//	8     Player     i64       unique id
//	1     Internal   bool      1 if the client generated the command
//	      Version    str       version of the commands, "latest" or a number
//
// Source: docs/wire/bedrock.md, chat.
type CommandRequest struct {
	Line     string        // command with the leading slash
	Origin   CommandOrigin // sender, as the client claims
	Internal bool          // the client generated the command; it was not typed
	Version  string        // version of the commands, "latest" or a number
}

// ID returns IDCommandRequest.
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

// Append appends the body of packet 77 to b and returns the extended slice.
func (p CommandRequest) Append(b []byte, _ Version) []byte {
	b = wire.VarStr(wire.VarStr(b, p.Line), p.Origin.Type)
	b = wire.VarStr(appendUUID(b, p.Origin.UUID), p.Origin.RequestID)
	b = wire.Bool(wire.I64(b, p.Origin.Player), p.Internal)
	return wire.VarStr(b, p.Version)
}
