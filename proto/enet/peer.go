package enet

import "net/netip"

type state uint8

// States of a peer. A client's peer goes connecting -> connected, a server's verifying -> connected; both end over
// disconnecting (we began) or directly (the other side began) in lingering, where only repeated disconnects are answered.
const (
	stateClosed        state = iota // no slot
	stateConnecting                 // CONNECT sent
	stateVerifying                  // CONNECT received, VERIFY sent, not acknowledged: half-open
	stateConnected                  //
	stateFinishing                  // Finish called: sends what is queued, takes nothing new
	stateDisconnecting              // DISCONNECT sent, not acknowledged
	stateEnding                     // Disconnect called before the connection was complete: event at the next Tick
	stateLingering                  // gone for its owner
)

// Peer is one connection of a Host. It is valid from its Connected event (or from Connect) to its Disconnected event or
// Reset; later its methods do nothing and its sends return ErrNotConnected, so a forgotten pointer does no harm.
type Peer struct {
	User any // the owner's, untouched by the host

	host     *Host
	slot     int32
	id       uint16 // our number for it, in what it sends us
	remoteID uint16 // its number for us, in what we send it
	session  [4]byte
	addr     netip.AddrPort
	state    state
	client   bool // we sent the CONNECT
	shown    bool // somebody outside may hold the pointer
	counted  bool // still in byKey and in its address's counts

	mtu, window  int
	channelCount int
	clockOffset  uint16 // added to our milliseconds in every sent field
	throttle     [3]uint32
	outs         []outChannel // grown up to the highest that was used
	ins          []*inChannel // the same; nil where nothing came

	controlSeq  uint16 // last sequence used on controlChannel
	controlRing ring
	pending     queue // reliable commands not sent yet, or to be sent again; resends first
	inFlight    queue // reliable commands sent and not acknowledged, in order of their last sending
	inTransit   int   // bytes of data in inFlight, <= window
	queued      int   // bytes of memory in pending and inFlight

	acks []ack

	chunk  []byte   // unreliable commands of the datagram being filled, behind room for a header
	fill   int      // bytes used of chunk, room for the header included; 0 without chunk
	limit  int      // bytes of chunk that may be used; 0 without chunk
	full   [][]byte // filled chunks, in order
	loose  uint64   // unreliable commands in chunk and full
	group  uint16   // first unsequenced group of the window
	groups [2]uint64

	rtt, rttVar uint32 // ms
	lastAck     uint32 // when an acknowledgement last proved it alive
	lastHeard   uint32 // when a datagram last came from addr
	suspect     bool   // something timed out since lastAck
	suspectAt   uint32 // when the silence began: the oldest sending of it, or a later acknowledgement
	resendAt    uint32 // no resend is due before; meaningless while inFlight is empty

	heldBytes int    // memory of messages held for order or completeness
	heldCount int    // their number
	heldCheck uint32 // when to look for gaps that nobody fills; meaningless while heldBytes is 0

	born       uint32
	halfPrev   *Peer
	halfNext   *Peer
	received   int // bytes from it while half-open
	spent      int // bytes to it while half-open
	misses     int // wrong acknowledgements while half-open
	challenge  challenge
	farewell   bool // an abrupt disconnect is to be sent
	finishCode uint32
	lingerTill uint32

	stats PeerStats

	due     uint32 // key in the timer heap; the real time may be later
	timerAt int    // index in the timer heap + 1
	dirtyAt int    // index in Host.dirty + 1
}

// outChannel is the sending side of one channel. Sequences are the last used, so the first is 1.
type outChannel struct {
	reliable, unreliable uint16
	flights              *ring // nil until the first reliable send
}

// ID is the peer's number on the wire, unique among the hosts that share a number space while it is connected.
func (p *Peer) ID() int { return int(p.id) }

// Addr is where datagrams to the peer go. It changes when the peer proves another source port.
func (p *Peer) Addr() netip.AddrPort { return p.addr }

// RTT is the smoothed round trip in milliseconds; 500 before anything was measured.
func (p *Peer) RTT() uint32 { return p.rtt }

// Connected tells whether messages can be sent.
func (p *Peer) Connected() bool { return p.state == stateConnected }

// QueuedBytes is the memory that waits for this peer: reliable messages unsent or unacknowledged, with their
// bookkeeping, and unreliable ones before a flush.
func (p *Peer) QueuedBytes() int { return p.queued + len(p.full)*p.mtu + p.fill }

// out returns the sending side of a channel below channelCount, growing the table up to it. The pointer is valid until
// the next call.
func (p *Peer) out(channel uint8) *outChannel {
	if n := int(channel) + 1; n > len(p.outs) {
		grown := make([]outChannel, max(n, min(4, p.channelCount)))
		copy(grown, p.outs)
		p.outs = grown
	}
	return &p.outs[channel]
}

// Disconnect says goodbye: what is queued is dropped, the other side is told with data until it acknowledges or is given
// up, and then Disconnected with ByUs follows. Messages that still come in are not delivered.
func (p *Peer) Disconnect(data uint32) {
	switch p.state {
	case stateConnected, stateFinishing:
		p.dropQueues()
		p.queueDisconnect(data)
		p.state = stateDisconnecting
	case stateConnecting:
		p.dropQueues()
		p.state = stateEnding
	default:
		return
	}
	p.host.schedule(p)
}

// Finish is Disconnect after everything queued has been sent, and the reliable part of it acknowledged.
func (p *Peer) Finish(data uint32) {
	if p.state == stateConnected {
		p.sealChunk() // so that SendUnreliable finds no room
		p.state = stateFinishing
		p.finishCode = data
		p.finishIfDone()
	}
}

func (p *Peer) finishIfDone() {
	if p.state == stateFinishing && p.pending.n == 0 && p.inFlight.n == 0 && len(p.full) == 0 {
		p.Disconnect(p.finishCode)
	}
}

// Reset forgets the peer at once, without an event; the next flush tells the other side once, unacknowledged.
func (p *Peer) Reset() {
	switch p.state {
	case stateClosed, stateLingering:
		return
	}
	p.leave(p.remoteID != noPeer)
}

// leave is how every connection that had begun ends: all memory is given back, and the slot stays for a while, to
// acknowledge repeated disconnects or to say farewell.
func (p *Peer) leave(farewell bool) {
	h := p.host
	p.release()
	p.state = stateLingering
	h.lingering++
	p.farewell = farewell
	p.lingerTill = h.now + uint32(h.cfg.LingerFor)
	if farewell {
		p.lingerTill = h.now + farewellFor
		h.touch(p)
	}
	h.schedule(p)
}

// lose is leave with the news.
func (p *Peer) lose(reason Reason, code uint32, farewell bool) {
	p.leave(farewell)
	p.host.tell(Event{Kind: Disconnected, Peer: p, Reason: reason, Code: code})
}

// release gives back everything that a peer holds but its slot.
func (p *Peer) release() {
	h := p.host
	p.dropQueues()
	h.halfRemove(p)
	if p.counted {
		p.counted = false
		delete(h.byKey, connKey{p.addr, p.session})
		h.useAddr(p.addr.Addr(), -1, 0)
	}
}

// dropQueues forgets everything outgoing and incoming.
func (p *Peer) dropQueues() {
	p.pending.drop(p)
	p.inFlight.drop(p)
	p.inTransit = 0
	p.dropUnreliable()
	p.acks = p.acks[:0]
	p.host.heldBytes -= p.heldBytes
	p.heldBytes, p.heldCount = 0, 0
	p.controlRing = ring{}
	for i := range p.outs {
		p.outs[i].flights = nil
	}
	for _, in := range p.ins {
		if in != nil {
			in.held, in.loose, in.parts, in.done = nil, nil, nil, 0
		}
	}
}
