package enet

import "net/netip"

type state uint8

// States of a peer. A client's connection goes from connecting to connected, a server's from verifying to connected. While this side
// waits for the acknowledgement of its own disconnect, the state is disconnecting. After the end of the connection the state is
// lingering: the peer only acknowledges repeated disconnects.
const (
	stateClosed        state = iota // the peer has no slot
	stateConnecting                 // a CONNECT was sent
	stateVerifying                  // half-open: CONNECT received, VERIFY sent but not acknowledged
	stateConnected                  // the handshake is complete
	stateFinishing                  // DisconnectLater was called: queued messages are sent, new ones refused
	stateDisconnecting              // a DISCONNECT was sent but is not acknowledged
	stateEnding                     // this side has ended the connection; the next Tick emits the event, see Peer.endReason
	stateLingering                  // the connection has ended, and its event was emitted unless Reset ended it; the slot is still in use
)

// Peer is one connection of a Host. It is valid from its Connected event (or from Connect) to its Disconnected event or
// Reset; afterwards its methods do nothing, and methods that send return ErrNotConnected.
type Peer struct {
	User any // set and read by the application only

	host       *Host   // host that has the connection
	slot       int32   // index in Host.slots
	id         uint16  // number in datagrams from the peer
	remoteID   uint16  // number in datagrams to the peer
	session    [4]byte // id that the client chose in CONNECT
	addr       netip.AddrPort
	state      state
	client     bool // this side sent the CONNECT
	exposed    bool // the application may know the Peer, from an event or from Connect
	registered bool // listed in Host.byKey and counted in Host.addrs

	mtu, window  int          // MTU and maximum reliable data in flight, both in bytes
	channelCount int          // number of channels
	clockOffset  uint16       // random offset that is added to the clock in every sent field, ms
	throttle     [3]uint32    // throttle values of CONNECT, which are only echoed
	outs         []outChannel // send state by channel, up to the highest channel used
	ins          []*inChannel // receive state by channel, up to the highest channel used; nil for an unused channel

	controlSeq  uint16 // last sequence number used on controlChannel
	controlRing ring
	pending     queue // reliable commands to send, retransmissions first
	inFlight    queue // reliable commands sent and not acknowledged, ordered by last transmission
	inTransit   int   // bytes of data in inFlight, at most window
	queued      int   // bytes of memory of the commands in pending and inFlight

	acks []ack // acknowledgements for the next flush

	chunk           []byte    // datagram of unreliable commands under construction, after space for a header
	chunkUsed       int       // bytes used in chunk, including the header; 0 if there is no chunk
	chunkLimit      int       // usable bytes of chunk; 0 if there is no chunk
	fullChunks      [][]byte  // completed datagrams of unreliable commands, in order
	unreliableCount uint64    // unreliable commands in chunk and fullChunks
	groupBase       uint16    // lowest group, which is the number of an unsequenced message, in the window
	groups          [2]uint64 // bit for each group of the window: whether it was received

	rtt, rttVar uint32 // smoothed round-trip time and its variation, ms
	lastAck     uint32 // time in ms at which a valid acknowledgement last arrived
	lastHeard   uint32 // time in ms at which a datagram from addr last arrived
	timedOut    bool   // a command timed out since lastAck
	silentSince uint32 // time in ms at which the first timeout after lastAck began, since when the peer counts as silent; meaningless unless timedOut
	resendAt    uint32 // time in ms of the earliest retransmission; meaningless while inFlight is empty

	heldBytes int    // bytes of memory of held messages and fragments
	heldCount int    // number of held messages and fragments
	heldCheck uint32 // time in ms of the next check for expired gaps; meaningless while heldBytes is 0

	createdAt     uint32           // time in ms at which the peer was created
	halfPrev      *Peer            // previous peer of Host.halfOpen
	halfNext      *Peer            // next peer of Host.halfOpen
	receivedBytes int              // bytes received from the peer while half-open
	sentBytes     int              // bytes sent to the peer while half-open
	wrongGuesses  int              // wrong acknowledgements and peer numbers received while half-open
	challenge     challenge        // ping that proves an address or completes a handshake
	sendFarewell  bool             // the next flush sends one unacknowledged disconnect
	finishCode    uint32           // code that DisconnectLater will send
	endReason     DisconnectReason // reason of the Disconnected event; only in stateEnding
	lingerUntil   uint32           // time in ms until which a lingering peer keeps its slot

	stats PeerStats

	wakeAt  uint32 // key in the timer heap, ms; the actual due time may be later
	timerAt int    // index in the timer heap plus 1
	dirtyAt int    // index in Host.dirty plus 1
}

// outChannel is the send state of one channel. The fields reliable and unreliable are the last sequence numbers that were used,
// for reliable commands and for unreliable messages. The first number is 1.
type outChannel struct {
	reliable, unreliable uint16
	unacked              *ring // unacknowledged commands; nil until the first reliable send
}

// ID returns the peer number. It is unique among the connected peers of all hosts that share a socket.
func (p *Peer) ID() int { return int(p.id) }

// Addr returns the peer's address. The port changes if the client continues from another source port.
func (p *Peer) Addr() netip.AddrPort { return p.addr }

// RTT returns the smoothed round trip time in milliseconds; 500 before the first measurement.
func (p *Peer) RTT() uint32 { return p.rtt }

// IsConnected reports whether messages can be sent.
func (p *Peer) IsConnected() bool { return p.state == stateConnected }

// QueuedBytes returns the memory in bytes of the peer's send queue. The queue holds reliable messages that are unsent or
// unacknowledged, with their bookkeeping, and unreliable messages that wait for a flush.
func (p *Peer) QueuedBytes() int { return p.queued + len(p.fullChunks)*p.mtu + p.chunkUsed }

// out returns the send state of a channel. It enlarges the table of channels if necessary. The parameter channel must be
// below channelCount. The pointer is valid until the next call.
func (p *Peer) out(channel uint8) *outChannel {
	if n := int(channel) + 1; n > len(p.outs) {
		grown := make([]outChannel, max(n, min(4, p.channelCount)))
		copy(grown, p.outs)
		p.outs = grown
	}
	return &p.outs[channel]
}

// Disconnect drops all queued messages and sends a disconnect command. The parameter data is a code for the application of
// the other side. Once the other side has acknowledged the command or has timed out, a Disconnected event with the reason
// ByUs follows. Messages that arrive after the call are not delivered. A connection attempt of this side ends at the next Tick, with
// that event and without a command. In other states Disconnect does nothing.
func (p *Peer) Disconnect(data uint32) {
	switch p.state {
	case stateConnected, stateFinishing:
		p.dropQueues()
		p.queueDisconnect(data)
		p.state = stateDisconnecting
	case stateConnecting:
		p.dropQueues()
		p.state = stateEnding
		p.endReason = ByUs
	default:
		return
	}
	p.host.schedule(p)
}

// DisconnectLater disconnects like Disconnect, but only after all queued messages are sent and the reliable ones are
// acknowledged. It does nothing unless the peer is connected.
func (p *Peer) DisconnectLater(data uint32) {
	if p.state == stateConnected {
		p.sealChunk() // completes the chunk: finishIfDone waits only for full chunks, and prepareChunk then refuses further messages
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

// Reset ends the connection immediately, without an event. The next flush sends one disconnect command, which is not
// retransmitted, if the other side has told its peer number.
func (p *Peer) Reset() {
	switch p.state {
	case stateClosed, stateLingering:
		return
	}
	p.startLingering(p.remoteID != noPeer)
}

// startLingering ends a connection and releases its memory. The peer keeps its slot for Config.LingerTime, to acknowledge
// repeated disconnects of the other side. If farewell is true, the next flush sends a disconnect command that is not
// retransmitted.
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

// endConnection ends a connection as startLingering does. It also emits a Disconnected event with the given reason and
// code.
func (p *Peer) endConnection(reason DisconnectReason, code uint32, farewell bool) {
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

// dropQueues drops the commands, acknowledgements and unreliable messages to send, and the received data that wait for earlier
// messages.
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
