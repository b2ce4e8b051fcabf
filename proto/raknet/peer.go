package raknet

import (
	"errors"
	"net/netip"
)

// Errors of methods that queue a message. Malformed datagrams do not cause an error; Stats counts them.
var (
	ErrNotConnected = errors.New("peer is not connected")
	ErrTooLong      = errors.New("message is empty, longer than Limits.MaxMessage or of unknown reliability")
	ErrQueueFull    = errors.New("send queue of the peer is full") // the peer receives too slowly and is disconnected at the next Tick
)

type state uint8

// States of a peer. A server's peer goes from open to connected. A client's peer goes from connecting through open to
// connected.
const (
	stateClosed     state = iota // the session has ended
	stateConnecting              // client only: Open Connection Reply 2 has not arrived, so no datagrams of a connection can be sent yet
	stateOpen                    // half-open: Open Connection Reply 2 was sent or received, but the handshake is not complete
	stateConnected               // the handshake is complete
	stateClosing                 // Close was called: queued messages are still sent, received messages are dropped
	stateLingering               // the session has ended and its event was emitted; datagrams are still acknowledged
)

const lingerTime = 2000 // ms for which a session that has ended still acknowledges datagrams

// Peer is one session. It is valid from its Connected event (or from Client.Connect) to its Disconnected event or
// Reset; afterwards its methods do nothing, and methods that send return ErrNotConnected.
type Peer struct {
	User any // set and read by the application only

	host     *host // server or client that has the session
	slot     int   // index in host.peers; -1 after forget
	addr     netip.AddrPort
	guid     uint64 // GUID of the other side
	state    state
	client   bool        // true in a Client, which requested the connection
	exposed  bool        // the application has the pointer, from an event or from Connect
	halfOpen bool        // the server counts the peer as half-open
	dirty    bool        // the peer is in the list host.dirty
	network  *networkUse // session counts of the IP network of addr; nil if the peer is not counted

	// sameNumber says that the other side retransmits a datagram under the number of its first transmission, and expects
	// the same from this side.
	sameNumber bool
	imitateJSP bool // this side imitates jsp-raknet, see ClientConfig.ImitateJSPRakNet

	payload int // size of the largest UDP payload, in bytes

	in          receiveState               // received datagram numbers, with the ACKs and NACKs to send
	messages    window                     // received message indices, so that each message is accepted only once
	channels    [maxChannels]*orderChannel // receive state by ordering channel; nil for an unused channel
	splits      []*split                   // incomplete split messages, oldest first
	heldBytes   int                        // bytes of messages held out of order, each with heldOverhead
	heldCount   int                        // number of messages held out of order
	splitBytes  int                        // bytes of the parts of incomplete messages, each with heldOverhead
	lastOrdered int64                      // time in ms at which an ordered message was last delivered or the first out-of-order one was held

	nextNumber    int64          // number of the next data datagram to send
	nextMessage   int64          // message index of the next reliable frame to send
	nextOrder     uint32         // order index of the next ordered message to send; only channel 0 is used
	nextSequence  uint32         // sequence index of the next sequenced message to send
	nextSplitID   uint16         // number of the next split message to send
	pending       []*outDatagram // reliable datagrams not sent yet
	unreliable    []*outDatagram // unreliable datagrams not sent yet; never retransmitted
	flight        []*outDatagram // datagrams sent and not acknowledged, ascending by number
	queuedBytes   int            // bytes of the buffers in pending, unreliable and flight
	oldestMessage int64          // message index below which all messages are acknowledged; meaningless if flight is empty
	retransmitAt  int64          // time in ms at which the earliest retransmission is due; meaningless if flight is empty

	srtt, rttVar  int64 // smoothed round-trip time and its mean deviation, us
	rttMeasured   bool  // srtt and rttVar come from a measurement, not from initialRTT
	cwnd          int   // congestion window: maximum datagrams in flight, at most limits.MaxInFlight
	ssthresh      int   // slow start threshold: from this window size on, the window grows by one per round trip
	ackCount      int   // number of datagrams acknowledged since the window last grew in congestion avoidance
	recoveryUntil int64 // time in ms until which further losses count as the same loss event
	resendsLeft   int   // number of retransmissions that are still permitted until recoveryUntil

	stats PeerStats

	createdAt    int64            // time in ms at which the session began
	lastReceived int64            // time in ms at which a datagram last arrived
	pingAt       int64            // time in ms at which the next ping is due
	pingTime     int64            // time sent in the unanswered ping; 0 if there is none
	closeAt      int64            // time in ms at which a closing or lingering peer is forgotten
	failReason   DisconnectReason // reason for which the next Tick ends the session; 0 if there is none
	acceptsSent  int              // number of connection requests answered so far
	badSince     int64            // time in ms at which the current second of badCount began
	badCount     int              // malformed datagrams in the current second whose number is in the receive window
}

// Addr returns the address of the peer.
func (p *Peer) Addr() netip.AddrPort { return p.addr }

// GUID returns the number by which the other side identifies itself. It is not authenticated.
func (p *Peer) GUID() uint64 { return p.guid }

// IsConnected reports whether messages can be sent.
func (p *Peer) IsConnected() bool { return p.state == stateConnected }

// RTT returns the smoothed round-trip time and its mean deviation in milliseconds; before the first measurement they
// are 200 and 100. They include the time for which the other side delays acknowledgements.
func (p *Peer) RTT() (smoothed, deviation int64) { return p.srtt / 1000, p.rttVar / 1000 }

// QueuedBytes returns the size of the send queue in bytes: all datagrams that are unsent or unacknowledged.
func (p *Peer) QueuedBytes() int { return p.queuedBytes }

func (p *Peer) setMTU(mtu uint16) {
	p.payload = int(mtu) - p.overhead()
}

// overhead returns the size in bytes of the IP and UDP headers of a datagram to the peer.
func (p *Peer) overhead() int {
	if p.addr.Addr().Is6() {
		return overhead6
	}
	return overhead4
}

// markDirty adds the peer to the list of peers that Flush visits.
func (p *Peer) markDirty() {
	if !p.dirty && p.slot >= 0 {
		p.dirty = true
		p.host.dirty = append(p.host.dirty, p)
	}
}

// schedule stores the time at which the next Tick must process the peer.
func (p *Peer) schedule() { p.host.deadlines[p.slot] = p.nextDeadline() }

// Close ends the session after all queued messages are acknowledged, or after Limits.CloseTimeout. A Disconnected event
// with the reason ClosedLocally follows. It does not follow if the peer was never connected, unless Client.Connect returned
// the peer. Messages that arrive after the call are not delivered.
func (p *Peer) Close() {
	switch p.state {
	case stateConnected:
		p.send([]byte{idDisconnect}, ReliableOrdered)
		p.state = stateClosing
		p.closeAt = p.host.now + p.host.limits.CloseTimeout
		p.schedule()
	case stateConnecting, stateOpen:
		p.state = stateClosing
		p.closeAt = p.host.now
		p.schedule()
	}
}

// Reset ends the session immediately, without an event and without sending queued messages. The next Flush sends one
// unreliable disconnect message.
func (p *Peer) Reset() {
	if p.slot >= 0 && p.state != stateLingering {
		p.queueDisconnect()
		p.host.forget(p)
	}
}

// fail schedules the end of the session, for the given reason: it ends at the next Tick.
func (p *Peer) fail(reason DisconnectReason) {
	if p.failReason == 0 && p.slot >= 0 {
		p.failReason = reason
		p.schedule()
	}
}

// end ends the session. It emits a Disconnected event if the application knows the Peer from an earlier event or from
// Client.Connect.
func (p *Peer) end(reason DisconnectReason) {
	linger := reason == ClosedByPeer && len(p.in.ackSpans) > 0
	if reason != ClosedByPeer && reason != ClosedLocally && p.state != stateConnecting {
		p.queueDisconnect()
	}
	if linger {
		p.releaseBuffers()
		p.state = stateLingering
		p.closeAt = p.host.now + lingerTime
		p.host.onEnded(p)
		p.markDirty()
		p.schedule()
	} else {
		p.host.forget(p)
	}
	if p.exposed {
		p.host.emitEvent(Event{Kind: Disconnected, Peer: p, Reason: reason})
	}
}

// queueDisconnect queues a datagram that reports the end of the session to the other side. The datagram is not
// retransmitted.
func (p *Peer) queueDisconnect() {
	if p.state == stateConnecting || !p.host.hasReplyRoom() {
		return
	}
	h := p.host
	h.replies = appendU24(append(h.replies, dataFlags), uint32(p.nextNumber))
	f := frame{kind: Unreliable, body: []byte{idDisconnect}}
	h.replies = f.append(h.replies)
	h.endReply(p.addr)
	p.nextNumber++
}

// releaseBuffers frees the memory of the peer: the datagrams to send, the held messages and the parts of incomplete
// messages.
func (p *Peer) releaseBuffers() {
	p.dropQueues()
	p.host.heldBytes -= p.heldBytes + p.splitBytes
	p.heldBytes, p.heldCount, p.splitBytes = 0, 0, 0
	p.channels = [maxChannels]*orderChannel{}
	p.splits = nil
}

// dropQueues frees the datagrams that wait for their transmission or acknowledgement.
func (p *Peer) dropQueues() {
	for _, list := range [...]*[]*outDatagram{&p.pending, &p.unreliable, &p.flight} {
		for _, o := range *list {
			p.host.pool.put(o)
		}
		*list = nil
	}
	p.countQueued(-p.queuedBytes)
}
