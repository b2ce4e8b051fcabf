package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// PlayStatusCode is what a PlayStatus says.
type PlayStatusCode int32

// What a PlayStatus can say.
const (
	StatusLoginOK      PlayStatusCode = 0 // the login is accepted; packs come next
	StatusClientTooOld PlayStatusCode = 1
	StatusServerTooOld PlayStatusCode = 2
	StatusSpawn        PlayStatusCode = 3 // the loading screen may end
	StatusServerFull   PlayStatusCode = 7
	maxStatus                         = 9 // 4, 5, 6, 8 and 9 are about editions that do not match
)

// PlayStatus moves the client's login along, or ends it. Packet 2, server to client.
//
//	size  field   encoding  range
//	4     Status  i32 BE    0..9
//
// Source: docs/wire/bedrock.md, packets of the login phase.
type PlayStatus struct{ Status PlayStatusCode }

// ID is IDPlayStatus.
func (PlayStatus) ID() ID { return IDPlayStatus }

// ParsePlayStatus decodes the body of packet 2. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParsePlayStatus(b []byte, _ Version) (PlayStatus, error) {
	r := wire.NewReader(b)
	p := PlayStatus{Status: PlayStatusCode(readBE32(&r))}
	r.Range(p.Status >= 0 && p.Status <= maxStatus, "status")
	return p, r.Done("PlayStatus")
}

// Append appends the body of packet 2 and returns the longer slice.
func (p PlayStatus) Append(b []byte, _ Version) []byte { return wire.BE32(b, uint32(p.Status)) }

// DisconnectReason is why a session ends, for the client's statistics and the text that it shows if it gets none.
type DisconnectReason int32

// The reasons that a server here gives. Any other number is legal too.
const (
	DisconnectUnknown           DisconnectReason = 0
	DisconnectVersionMismatch   DisconnectReason = 8
	DisconnectServerFull        DisconnectReason = 25
	DisconnectTimeout           DisconnectReason = 32
	DisconnectOutdatedServer    DisconnectReason = 34
	DisconnectOutdatedClient    DisconnectReason = 35
	DisconnectInvalidPlayer     DisconnectReason = 42
	DisconnectLoggedInElsewhere DisconnectReason = 43 // the same player came in from another place
	DisconnectNotAllowed        DisconnectReason = 45
	DisconnectNotAuthenticated  DisconnectReason = 46
	DisconnectUnexpectedPacket  DisconnectReason = 49
	DisconnectKicked            DisconnectReason = 55
	DisconnectKickedForExploit  DisconnectReason = 56
	DisconnectKickedForIdle     DisconnectReason = 57
	DisconnectBadPacket         DisconnectReason = 90
	DisconnectServerShutdown    DisconnectReason = 106
	DisconnectInvalidName       DisconnectReason = 143
)

// Disconnect ends the session with a reason. Packet 5, both directions.
//
//	size  field     encoding  range
//	      Reason    var32
//	1     Hide      bool      without a screen that tells why: there are no texts
//	      Message   str       only if not Hide
//	      Filtered  str       only if not Hide; the message for players whose chat is filtered, may be empty
//
// Source: docs/wire/bedrock.md, packets of the login phase.
type Disconnect struct {
	Reason            DisconnectReason
	Hide              bool
	Message, Filtered string // not written if Hide
}

// ID is IDDisconnect.
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

// Append appends the body of packet 5 and returns the longer slice.
func (p Disconnect) Append(b []byte, _ Version) []byte {
	b = wire.Bool(wire.VarI32(b, int32(p.Reason)), p.Hide)
	if p.Hide {
		return b
	}
	return wire.VarStr(wire.VarStr(b, p.Message), p.Filtered)
}
