package enet

// EventKind says what an Event tells.
type EventKind uint8

// The kinds of events.
const (
	Connected    EventKind = iota + 1 // the handshake is complete; always the first event of a peer
	Disconnected                      // always the last event of a peer that was Connected, or that Connect returned
	Message                           // one message, in the order and with the guarantees of its channel
)

// Reason says why a peer is gone.
type Reason uint8

// The reasons of a Disconnected event.
const (
	ByPeer  Reason = iota + 1 // the other side said so; Event.Code is the number that it gave
	ByUs                      // our own Disconnect or Finish is complete
	Timeout                   // the other side stopped acknowledging
	Refused                   // Connect was answered with other terms than we asked for
	Broken                    // what the other side sent contradicts itself
)

func (r Reason) String() string {
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
		return "broken"
	}
	return "none"
}

// Event is one thing that happened to a peer. A handler may call any method of the event's or another peer, and nothing
// of the Host but Stats.
type Event struct {
	Kind     EventKind
	Peer     *Peer
	Channel  uint8  // of a Message
	Reliable bool   // of a Message: sent reliable (fragmented messages are)
	Data     []byte // of a Message; borrowed until the handler returns
	Reason   Reason // of Disconnected
	Code     uint32 // of Disconnected by the peer: its number
}
