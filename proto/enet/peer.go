package enet

import "net/netip"

type state uint8

// States of a peer. A client's peer goes connecting -> connected, a server's verifying -> connected. Both end in lingering,
// where only repeated disconnects are answered: after disconnecting if this side started it, else directly.
const (
	stateClosed        state = iota // no slot
	stateConnecting                 // CONNECT sent
	stateVerifying                  // CONNECT received, VERIFY sent, not acknowledged: half-open
	stateConnected                  //
	stateFinishing                  // DisconnectLater called: sends what is queued, accepts nothing new
	stateDisconnecting              // DISCONNECT sent, not acknowledged
	stateEnding                     // Disconnect called before the connection was complete: event at the next Tick
	stateLingering                  // Disconnected was reported
)

// Peer is one connection of a Host. It is valid from its Connected event (or from Connect) to its Disconnected event or
// Reset; afterwards its methods do nothing and its sends return ErrNotConnected.
type Peer struct {
	User any // for the owner, not used by the host

	host       *Host
	slot       int32
	id         uint16 // peer number in datagrams that it sends
	remoteID   uint16 // peer number in datagrams sent to it
	session    [4]byte
	addr       netip.AddrPort
	state      state
	client     bool // this side sent the CONNECT
	exposed    bool // the owner may hold a reference
	registered bool // in byKey and in the counters of its address

	mtu, window  int
	channelCount int
	clockOffset  uint16 // added to the clock in every sent field
	throttle     [3]uint32
	outs         []outChannel // up to the highest channel used
	ins          []*inChannel // up to the highest channel used; nil if unused

	controlSeq  uint16 // last sequence used on controlChannel
	controlRing ring
	pending     queue // reliable commands to send; retransmissions first
	inFlight    queue // reliable commands sent and not acknowledged, by last transmission
	inTransit   int   // bytes of data in inFlight, <= window
	queued      int   // bytes of memory in pending and inFlight

	acks []ack

	chunk           []byte   // unreliable commands of the datagram being filled, after room for a header
	chunkUsed       int      // bytes used in chunk, including the header; 0 without chunk
	chunkLimit      int      // usable bytes of chunk; 0 without chunk
	fullChunks      [][]byte // filled chunks, in order
	unreliableCount uint64   // unreliable commands in chunk and fullChunks
	groupBase       uint16   // first unsequenced group of the window
	groups          [2]uint64

	rtt, rttVar uint32 // ms
	lastAck     uint32 // time of the last valid acknowledgement
	lastHeard   uint32 // time of the last datagram from addr
	timedOut    bool   // a command timed out since lastAck
	silentSince uint32 // start of the silence: first transmission of that command, or a later acknowledgement
	resendAt    uint32 // earliest retransmission; unused while inFlight is empty

	heldBytes int    // memory of held messages and fragments
	heldCount int    // their number
	heldCheck uint32 // next check for expired gaps; unused while heldBytes is 0

	createdAt     uint32
	halfPrev      *Peer
	halfNext      *Peer
	receivedBytes int // bytes from it while half-open
	sentBytes     int // bytes to it while half-open
	wrongGuesses  int // wrong acknowledgements while half-open
	challenge     challenge
	sendFarewell  bool // send an abrupt disconnect with the next flush
	finishCode    uint32
	lingerUntil   uint32

	stats PeerStats

	wakeAt  uint32 // key in the timer heap; the actual due time may be later
	timerAt int    // index in the timer heap + 1
	dirtyAt int    // index in Host.dirty + 1
}

// outChannel is the sending side of one channel. It has the last used sequences; the first is 1.
type outChannel struct {
	reliable, unreliable uint16
	unacked              *ring // nil until the first reliable send
}

// ID returns the peer number, unique among the hosts that share a number space while the peer is connected.
func (p *Peer) ID() int { return int(p.id) }

// Addr returns the peer's address. It changes when the peer migrates to another source port.
func (p *Peer) Addr() netip.AddrPort { return p.addr }

// RTT returns the smoothed round trip time in milliseconds; 500 before the first measurement.
func (p *Peer) RTT() uint32 { return p.rtt }

// Connected reports whether messages can be sent.
func (p *Peer) Connected() bool { return p.state == stateConnected }

// QueuedBytes returns the memory queued for this peer: unsent or unacknowledged reliable messages with their bookkeeping,
// and unreliable messages before a flush.
func (p *Peer) QueuedBytes() int { return p.queued + len(p.fullChunks)*p.mtu + p.chunkUsed }

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

// Disconnect drops the queues and sends a disconnect with data until the other side acknowledges it or times out; then a
// Disconnected event with ByUs follows. Messages that still arrive are not delivered.
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

// DisconnectLater disconnects after all queued messages are sent and the reliable ones are acknowledged.
func (p *Peer) DisconnectLater(data uint32) {
	if p.state == stateConnected {
		p.sealChunk() // SendUnreliable then fails in prepareChunk
		p.state = stateFinishing
		p.finishCode = data
		p.finishIfDone()
	}
}

func (p *Peer) finishIfDone() {
	if p.state == stateFinishing && p.pending.n == 0 && p.inFlight.n == 0 && len(p.fullChunks) == 0 {
		p.Disconnect(p.finishCode)
	}
}

// Reset drops the connection at once, without an event; the next flush sends one unacknowledged disconnect.
func (p *Peer) Reset() {
	switch p.state {
	case stateClosed, stateLingering:
		return
	}
	p.startLingering(p.remoteID != noPeer)
}

// startLingering ends a connection: its memory is released, and the slot stays for a while to acknowledge repeated
// disconnects or to send an abrupt disconnect.
func (p *Peer) startLingering(farewell bool) {
	h := p.host
	p.release()
	p.state = stateLingering
	h.lingering++
	p.sendFarewell = farewell
	p.lingerUntil = h.now + uint32(h.cfg.LingerTime)
	if farewell {
		p.lingerUntil = h.now + farewellTime
		h.markDirty(p)
	}
	h.schedule(p)
}

// endConnection is startLingering with a Disconnected event.
func (p *Peer) endConnection(reason Reason, code uint32, farewell bool) {
	p.startLingering(farewell)
	p.host.emitEvent(Event{Kind: Disconnected, Peer: p, Reason: reason, Code: code})
}

// release releases all resources of a peer except its slot.
func (p *Peer) release() {
	h := p.host
	p.dropQueues()
	h.removeHalfOpen(p)
	if p.registered {
		p.registered = false
		delete(h.byKey, connectionKey{p.addr, p.session})
		h.adjustAddrUse(p.addr.Addr(), -1, 0)
	}
}

// dropQueues drops all outgoing and incoming data.
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
		p.outs[i].unacked = nil
	}
	for _, in := range p.ins {
		if in != nil {
			in.held, in.heldUnreliable, in.fragments, in.fragmentsDone = nil, nil, nil, 0
		}
	}
}
