package raknet

// EventKind says what an Event tells.
type EventKind uint8

// The kinds of events.
const (
	Connected    EventKind = iota + 1 // the handshake is complete; always the first event of a server's peer
	Disconnected                      // always the last event of a peer that was Connected, or that Connect returned
	Message                           // one message of the other side's user
	Pong                              // a server answered Client.Ping; Peer is nil
)

// Reason says why a peer is gone.
type Reason uint8

// The reasons of a Disconnected event.
const (
	ClosedByPeer      Reason = iota + 1 // the other side said so
	ClosedLocally                       // our own Close is complete
	Timeout                             // the other side was silent, or acknowledged nothing, for too long
	Refused                             // a client: the server is full or speaks another RakNet protocol
	ProtocolViolation                   // what the other side sent breaks the rules or the limits
	Overflow                            // the other side takes less than is sent to it: Config.MaxQueued was reached
)

func (r Reason) String() string {
	switch r {
	case ClosedByPeer:
		return "by peer"
	case ClosedLocally:
		return "by us"
	case Timeout:
		return "timeout"
	case Refused:
		return "refused"
	case ProtocolViolation:
		return "broken"
	case Overflow:
		return "overflow"
	}
	return "none"
}

// Event is one thing that happened to a peer. A handler may call any method of the event's or another peer, and nothing
// of the Server or Client but Stats.
type Event struct {
	Kind   EventKind
	Peer   *Peer
	Data   []byte // of a Message, its id included; the text of a Pong; borrowed until the handler returns
	Reason Reason // of Disconnected
}
