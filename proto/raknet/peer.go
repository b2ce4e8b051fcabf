package raknet

import (
	"errors"
	"net/netip"
)

// Errors of the calls that queue something. Bad input from outside is never an error, only counted.
var (
	ErrNotConnected = errors.New("peer is not connected")
	ErrTooLong      = errors.New("message empty or too long")
	ErrQueueFull    = errors.New("send queue full") // the peer does not keep up, and is disconnected at the next Tick
)

type state uint8

// States of a peer. A server's goes open -> connected, a client's connecting -> open -> connected.
const (
	stateClosed     state = iota // gone
	stateConnecting              // a client before reply 2: no datagrams of a connection yet
	stateOpen                    // half-open: reply 2 sent or received
	stateConnected               //
	stateClosing                 // Close called: sends what is queued, takes nothing new
	stateLingering               // gone for its owner; datagrams are still acknowledged
)

const lingerFor = 2000 // ms

// Peer is one session. It is valid from its Connected event (or from Client.Connect) to its Disconnected event or Reset;
// later its methods do nothing and its sends return ErrNotConnected, so a forgotten pointer does no harm.
type Peer struct {
	User any // the owner's, untouched by this package

	host     *host
	slot     int // in host.peers; -1 when forgotten
	addr     netip.AddrPort
	guid     uint64 // the other side's
	state    state
	client   bool // we asked for the connection
	exposed  bool // somebody outside has the pointer
	halfOpen bool // counted as half-open
	counted  bool // counted in its network
	dirty    bool // in host.dirty

	// byNumber: the other side resends a datagram under its number only, and waits for the same from us.
	sameNumber bool
	likeJSP    bool // we imitate that side, see ClientConfig.LikeJSP

	payload int // bytes of a UDP datagram at most

	in          receiveState
	messages    window // message indices that came
	channels    [maxChannels]*orderChannel
	splits      []*split
	heldBytes   int   // memory of messages out of order
	heldCount   int   // their number
	splitBytes  int   // memory of parts
	lastOrdered int64 // ms when an ordered message was last delivered, or the first one was held

	nextNumber    int64  // of the next data datagram
	nextMessage   int64  // index of the next reliable frame
	nextOrder     uint32 // index of the next ordered message; only channel 0 is sent on
	nextSequence  uint32
	nextSplitID   uint16
	pending       []*outDatagram // reliable frames not sent yet
	unreliable    []*outDatagram // unreliable frames not sent yet; never sent again
	flight        []*outDatagram // sent and not acknowledged, by number
	queuedBytes   int            // memory of the three
	oldestMessage int64          // message index before which everything is acknowledged; meaningless while flight is empty
	retransmitAt  int64          // ms when the first of flight is due; meaningless while flight is empty

	srtt, rttVar  int64 // us
	rttMeasured   bool
	cwnd          int   // datagrams that may be in flight, <= limits.MaxInFlight
	ssthresh      int   // cwnd grows slowly from here on
	ackCount      int   // acknowledgements towards the next growth
	recoveryUntil int64 // ms from which another loss counts

	stats PeerStats

	createdAt    int64 // ms
	lastReceived int64 // ms when a datagram last came
	pingAt       int64 // ms of the next ping
	pingTime     int64 // time in the ping that is out; 0 none
	closeAt      int64 // ms when a closing or lingering peer is dropped
	failReason   Reason
	acceptsSent  int   // connection requests that were answered
	badSince     int64 // ms when the second began in which bad counts
	badCount     int
}

// Addr is where datagrams to the peer go.
func (p *Peer) Addr() netip.AddrPort { return p.addr }

// GUID is the number that the other side gave to itself. It proves nothing.
func (p *Peer) GUID() uint64 { return p.guid }

// Connected tells whether messages can be sent.
func (p *Peer) Connected() bool { return p.state == stateConnected }

// RTT is the smoothed round trip and its mean deviation in milliseconds; 200 and 100 before anything was measured. The
// other side's delay of its acknowledgements is in it.
func (p *Peer) RTT() (smoothed, deviation int64) { return p.srtt / 1000, p.rttVar / 1000 }

// Queued is the memory in bytes that waits for this peer: what is unsent or unacknowledged, in whole datagrams.
func (p *Peer) Queued() int { return p.queuedBytes }

func (p *Peer) setMTU(mtu uint16) {
	p.payload = int(mtu) - p.overhead()
}

// overhead is what the headers below take of the MTU.
func (p *Peer) overhead() int {
	if p.addr.Addr().Is6() {
		return overhead6
	}
	return overhead4
}

// touch puts the peer on the list that Flush visits.
func (p *Peer) markDirty() {
	if !p.dirty && p.slot >= 0 {
		p.dirty = true
		p.host.dirty = append(p.host.dirty, p)
	}
}

// schedule notes when Tick has to look at the peer.
func (p *Peer) schedule() { p.host.deadlines[p.slot] = p.nextDeadline() }

// Close says goodbye when everything queued is acknowledged, or after Limits.CloseFor; then Disconnected with ByUs
// follows. Messages that still come in are not delivered. A peer that was never connected is forgotten without an event,
// unless Client.Connect returned it.
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

// Reset forgets the peer at once, without an event; the next flush tells the other side once, unacknowledged.
func (p *Peer) Reset() {
	if p.slot >= 0 && p.state != stateLingering {
		p.queueDisconnect()
		p.host.forget(p)
	}
}

// fail ends the peer at the next Tick.
func (p *Peer) fail(reason Reason) {
	if p.failReason == 0 && p.slot >= 0 {
		p.failReason = reason
		p.schedule()
	}
}

// lose ends the peer with an event, if anybody has seen it.
func (p *Peer) end(reason Reason) {
	linger := reason == ClosedByPeer && len(p.in.ackSpans) > 0
	if reason != ClosedByPeer && reason != ClosedLocally && p.state != stateConnecting {
		p.queueDisconnect()
	}
	if linger {
		p.releaseBuffers()
		p.state = stateLingering
		p.closeAt = p.host.now + lingerFor
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

// farewell queues a goodbye that nobody acknowledges.
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

// release gives back everything that a peer holds but its place.
func (p *Peer) releaseBuffers() {
	p.dropQueues()
	p.host.held -= p.heldBytes + p.splitBytes
	p.heldBytes, p.heldCount, p.splitBytes = 0, 0, 0
	p.channels = [maxChannels]*orderChannel{}
	p.splits = nil
}

// dropQueues gives back everything that was to be sent, or sent again.
func (p *Peer) dropQueues() {
	for _, list := range [...]*[]*outDatagram{&p.pending, &p.unreliable, &p.flight} {
		for _, o := range *list {
			p.host.pool.put(o)
		}
		*list = nil
	}
	p.host.queued -= p.queuedBytes
	p.queuedBytes = 0
}
