package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// PlayStatusCode is the progress or the failure of a login that a PlayStatus packet reports.
type PlayStatusCode int32

// Values of PlayStatusCode: results of a login.
const (
	StatusLoginOK      PlayStatusCode = 0 // the login is accepted; the resource packs follow
	StatusClientTooOld PlayStatusCode = 1 // the server needs a newer client
	StatusServerTooOld PlayStatusCode = 2 // the client needs a newer server
	StatusSpawn        PlayStatusCode = 3 // the client may end the loading screen
	StatusServerFull   PlayStatusCode = 7 // the server has reached its maximum number of players
	maxStatus                         = 9 // highest code; 4, 5, 6, 8 and 9 report mismatched game editions
)

// PlayStatus reports progress or failure of the login. Packet 2, server to client.
//
//	size  field   encoding  range
//	4     Status  i32 BE    0..9
//
// Source: docs/wire/bedrock.md, packets of the login phase.
type PlayStatus struct{ Status PlayStatusCode }

// ID returns IDPlayStatus.
func (PlayStatus) ID() ID { return IDPlayStatus }

// ParsePlayStatus decodes the body of packet 2. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParsePlayStatus(b []byte, _ Version) (PlayStatus, error) {
	r := wire.NewReader(b)
	p := PlayStatus{Status: PlayStatusCode(readBE32(&r))}
	r.CheckRange(p.Status >= 0 && p.Status <= maxStatus, "login status")
	return p, r.Done("PlayStatus")
}

// Append appends the body of packet 2 to b and returns the extended slice.
func (p PlayStatus) Append(b []byte, _ Version) []byte { return wire.BE32(b, uint32(p.Status)) }

// DisconnectReason is the reason for the end of a session. The client uses it in its statistics, and chooses the text that it
// shows by default according to the reason.
type DisconnectReason int32

// Values of DisconnectReason that the server sends. Every other number is legal too.
const (
	DisconnectUnknown           DisconnectReason = 0   // no known reason
	DisconnectVersionMismatch   DisconnectReason = 8   // client and server have different protocol versions
	DisconnectServerFull        DisconnectReason = 25  // the server has reached its maximum number of players
	DisconnectTimeout           DisconnectReason = 32  // the client did not answer in time
	DisconnectOutdatedServer    DisconnectReason = 34  // the client needs a newer server
	DisconnectOutdatedClient    DisconnectReason = 35  // the server needs a newer client
	DisconnectInvalidPlayer     DisconnectReason = 42  // the player's data is not valid
	DisconnectLoggedInElsewhere DisconnectReason = 43  // the same player logged in from another location
	DisconnectNotAllowed        DisconnectReason = 45  // the player may not join this world
	DisconnectNotAuthenticated  DisconnectReason = 46  // the login could not be verified
	DisconnectUnexpectedPacket  DisconnectReason = 49  // a packet is not legal in the state of the session
	DisconnectKicked            DisconnectReason = 55  // an operator removed the player
	DisconnectKickedForExploit  DisconnectReason = 56  // the player was removed for cheating
	DisconnectKickedForIdle     DisconnectReason = 57  // the player was removed because of inactivity
	DisconnectBadPacket         DisconnectReason = 90  // a packet could not be parsed
	DisconnectServerShutdown    DisconnectReason = 106 // the server stops
	DisconnectInvalidName       DisconnectReason = 143 // the player's name is not allowed
)

// Disconnect ends the session with a reason. Packet 5, both directions.
//
//	size  field     encoding  range
//	      Reason    var32
//	1     Hide      bool      1: no disconnect screen; the texts are absent
//	      Message   str       only if not Hide
//	      Filtered  str       only if not Hide; the message for players with a chat filter, may be empty
//
// Source: docs/wire/bedrock.md, packets of the login phase.
type Disconnect struct {
	Reason            DisconnectReason // reason for the client's statistics and its default text
	Hide              bool             // the client displays no disconnect screen
	Message, Filtered string           // text for the player, and its form for players with a chat filter; not written if Hide
}

// ID returns IDDisconnect.
func (Disconnect) ID() ID { return IDDisconnect }

// ParseDisconnect decodes the body of packet 5. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseDisconnect(b []byte, _ Version) (Disconnect, error) {
	r := wire.NewReader(b)
	p := Disconnect{Reason: DisconnectReason(r.VarI32()), Hide: r.Bool()}
	if !p.Hide {
		p.Message, p.Filtered = r.VarStr(), r.VarStr()
	}
	return p, r.Done("Disconnect")
}

// Append appends the body of packet 5 to b and returns the extended slice.
func (p Disconnect) Append(b []byte, _ Version) []byte {
	b = wire.Bool(wire.VarI32(b, int32(p.Reason)), p.Hide)
	if p.Hide {
		return b
	}
	return wire.VarStr(wire.VarStr(b, p.Message), p.Filtered)
}
