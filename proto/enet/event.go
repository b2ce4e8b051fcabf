package enet

// EventKind is the kind of an Event.
type EventKind uint8

// Values of EventKind: events of an ENet connection.
const (
	Connected    EventKind = iota + 1 // the handshake is complete; always the first event of a peer
	Disconnected                      // the connection ended; last event of a peer that was Connected or that Host.Connect returned
	Message                           // one complete message, in the order and with the guarantees of its channel
)

// DisconnectReason is the reason why a connection ended, in a Disconnected event.
type DisconnectReason uint8

// Values of DisconnectReason: why an ENet connection ended, for Disconnected events.
const (
	ByPeer   DisconnectReason = iota + 1 // the other side disconnected; Event.Code is the code that it sent
	ByUs                                 // the application called Disconnect or DisconnectLater, and the disconnect is complete
	Timeout                              // the other side stopped acknowledging, or did not send a missing message for 30 s
	Refused                              // the server answered Connect with other connection parameters than requested
	Broken                               // the other side sent fragments that contradict each other
	Overflow                             // all send queues together reached a limit, and this peer had the longest queue
)

// String returns the reason as words for log lines.
func (r DisconnectReason) String() string {
	switch r {
	case ByPeer:
		return "by peer"
	case ByUs:
		return "by us"
	case Timeout:
		return "timeout"
	case Refused:
		return "refused"
	case Broken:
		return "protocol violation"
	case Overflow:
		return "send queue full"
	}
	return "none"
}

// Event is something that happened to a peer. The function that receives events may call any method of any peer. The only method
// of the Host that it may call is Stats.
type Event struct {
	Kind     EventKind
	Peer     *Peer            // connection to which the event happened
	Channel  uint8            // channel of a Message, otherwise 0
	Reliable bool             // whether a Message was sent reliably, as fragmented messages always are
	Data     []byte           // body of a Message; borrowed until the handler returns
	Reason   DisconnectReason // why the connection ended; only in a Disconnected event
	Code     uint32           // code that the other side sent; only if Reason is ByPeer
}
