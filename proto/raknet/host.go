package raknet

import (
	"math"
	"net/netip"
)

const maxReplies = 1 << 20 // maximum bytes of offline replies that wait for a flush

// host is what a Server and a Client have in common: the sessions, their timers, and the datagrams to send.
type host struct {
	limits  Limits
	guid    uint64
	mtu     uint16
	now     int64       // time in ms, as passed to the latest call
	handler func(Event) // event handler of the running Receive or Tick

	byAddr    map[netip.AddrPort]*Peer
	peers     []*Peer // sessions in no order; Peer.slot is the index
	deadlines []int64 // deadlines[i] is the time in ms when Tick must process peers[i]
	dirty     []*Peer // peers that Flush must visit
	pool      pool    // unused datagrams, for reuse

	queuedBytes int // sum of Peer.queuedBytes over all peers
	heldBytes   int // sum of Peer.heldBytes and Peer.splitBytes over all peers

	replies   []byte  // offline replies, concatenated
	replyEnds []reply // destination and end of each reply in replies
	spans     []span  // reused memory for parsed records of ACKs and NACKs
	scratch   []byte  // reused memory for building a message or an ACK

	retransmitted []*outDatagram // reused memory for the datagrams that the method retransmit moves to the end of Peer.flight

	onConnected, onEnded func(*Peer) // functions to call when a peer connects, and when a session ends

	stats Stats
}

// reply states the destination of one datagram in host.replies, and the offset in that buffer at which the datagram ends.
type reply struct {
	to  netip.AddrPort
	end int
}

func newHost(limits Limits, guid uint64, mtu uint16) host {
	return host{
		limits:      limits.withDefaults(),
		guid:        guid,
		mtu:         mtu,
		byAddr:      map[netip.AddrPort]*Peer{},
		onConnected: func(*Peer) {},
		onEnded:     func(*Peer) {},
	}
}

// Stats returns the counters of the server or client since its creation.
func (h *host) Stats() Stats { return h.stats }

// normalizeAddr converts an IPv4-mapped IPv6 address to an IPv4 address, so that addresses of both forms can be compared.
func normalizeAddr(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}

func (h *host) newPeer(addr netip.AddrPort, mtu uint16) *Peer {
	p := &Peer{
		host: h, addr: addr, slot: len(h.peers), createdAt: h.now, lastReceived: h.now,
		srtt: initialRTT * 1000, rttVar: initialRTT * 500,
		cwnd: min(initialWindow, h.limits.MaxInFlight), ssthresh: h.limits.MaxInFlight,
	}
	p.setMTU(mtu)
	p.pingAt = h.now + h.limits.PingInterval
	h.peers = append(h.peers, p)
	h.deadlines = append(h.deadlines, 0)
	h.byAddr[addr] = p
	p.schedule()
	return p
}

// forget removes a peer from the host and frees its memory. The application may still have a pointer to the Peer; its
// methods then do nothing.
func (h *host) forget(p *Peer) {
	if p.slot < 0 {
		return
	}
	p.releaseBuffers()
	p.state = stateClosed
	h.onEnded(p)
	if h.byAddr[p.addr] == p {
		delete(h.byAddr, p.addr)
	}
	last := len(h.peers) - 1
	h.peers[p.slot], h.deadlines[p.slot] = h.peers[last], h.deadlines[last]
	h.peers[p.slot].slot = p.slot
	h.peers[last] = nil
	h.peers, h.deadlines = h.peers[:last], h.deadlines[:last]
	p.slot = -1
}

// emitEvent passes an event to the event handler of the running Receive or Tick.
func (h *host) emitEvent(e Event) {
	switch e.Kind {
	case Connected:
		h.stats.Connects++
	case Disconnected:
		h.stats.Disconnects++
		if e.Reason == Timeout {
			h.stats.Timeouts++
		}
	case Message:
		h.stats.Messages++
	}
	if h.handler != nil {
		h.handler(e)
	}
}

// hasReplyRoom reports whether one more datagram outside of a connection may be queued. If so, the caller appends it to replies
// and then calls endReply.
func (h *host) hasReplyRoom() bool {
	if len(h.replies) > maxReplies {
		h.stats.RepliesFull++
		return false
	}
	return true
}

func (h *host) endReply(to netip.AddrPort) {
	h.replyEnds = append(h.replyEnds, reply{to, len(h.replies)})
}

// receiveConnected handles a datagram that belongs to an established connection.
func (h *host) receiveConnected(from netip.AddrPort, b []byte) {
	p := h.byAddr[from]
	if p == nil {
		h.stats.NoSession++
		return
	}
	p.receive(b)
	if p.slot >= 0 {
		p.schedule()
	}
}

// tick processes the peers whose timers are due.
func (h *host) tick() {
	for i := 0; i < len(h.deadlines); i++ {
		if h.deadlines[i] > h.now {
			continue
		}
		p := h.peers[i]
		p.tick()
		if p.slot < 0 {
			i-- // another peer has moved into the slot i, which must be visited again
			continue
		}
		p.schedule()
	}
}

// flush emits every datagram that is due.
func (h *host) flush(emit func(netip.AddrPort, []byte)) {
	at := 0
	for _, r := range h.replyEnds {
		h.emit(emit, r.to, h.replies[at:r.end])
		at = r.end
	}
	h.replies, h.replyEnds = h.replies[:0], h.replyEnds[:0]
	for i, p := range h.dirty {
		h.dirty[i] = nil
		p.dirty = false
		if p.slot >= 0 {
			p.flush(emit)
			p.schedule()
		}
	}
	h.dirty = h.dirty[:0]
}

func (h *host) emit(emit func(netip.AddrPort, []byte), to netip.AddrPort, b []byte) {
	h.stats.DatagramsOut++
	h.stats.BytesOut += uint64(len(b))
	emit(to, b)
}

const never = math.MaxInt64 // deadline that never passes
