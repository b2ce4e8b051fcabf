package raknet

// EventKind is the kind of an Event.
type EventKind uint8

// Values of EventKind: events of a RakNet session.
const (
	Connected    EventKind = iota + 1 // the handshake is complete; the first event of each peer of a server
	Disconnected                      // the session ended; the last event of a peer that was Connected or that Client.Connect returned
	Message                           // one application message from the other side
	Pong                              // a server answered Client.Ping; Peer is nil
)

// DisconnectReason is the reason why a session ended.
type DisconnectReason uint8

// Values of DisconnectReason: why a RakNet session ended, for Disconnected events.
const (
	ClosedByPeer      DisconnectReason = iota + 1 // the other side disconnected
	ClosedLocally                                 // this side called Peer.Close, and the close is complete
	Timeout                                       // no datagram, or no acknowledgement, arrived for too long
	Refused                                       // client only: the server is full or speaks another RakNet protocol
	ProtocolViolation                             // the other side violated the protocol or the limits
	Overflow                                      // the send queue reached a limit, because the other side receives too slowly
)

// String returns the reason as words for log lines.
func (r DisconnectReason) String() string {
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
		return "protocol violation"
	case Overflow:
		return "send queue full"
	}
	return "none"
}

// Event is one thing that happened to a peer. The function that receives events may call any method of any Peer. The only
// method of the Server or Client that it may call is Stats.
type Event struct {
	Kind   EventKind
	Peer   *Peer            // session to which the event happened; nil for a Pong
	Data   []byte           // body of a Message including its id, or text of a Pong; borrowed until the handler returns
	Reason DisconnectReason // why the session ended; only in a Disconnected event
}
