package enet

import (
	"errors"
	"net/netip"
)

// Errors of methods that queue data for sending. Malformed datagrams do not cause an error; Stats counts them.
var (
	ErrNoSlot       = errors.New("host already has the maximum number of connections")
	ErrNotConnected = errors.New("peer is not connected")
	ErrChannel      = errors.New("channel number is not below the number of channels of the connection")
	ErrTooLong      = errors.New("message is longer than Config.MaxMessage")
	ErrQueueFull    = errors.New("send queue of the peer is full") // the peer receives too slowly; the caller should disconnect it
)

// Host is the local end of many connections. It must be used by one goroutine.
type Host struct {
	cfg     Config
	now     uint32 // time of the latest call in ms
	random  randomStream
	handler func(Event) // event handler of the running Receive or Tick

	slots    []*Peer                 // the first Config.MaxPeers slots are for any connection, the rest for clients that repeat a cookie
	free     []int32                 // indices of the free slots among the first Config.MaxPeers, in no order
	peers    int                     // number of slots in use, at most Config.MaxPeers
	byKey    map[connectionKey]*Peer // connections by address and session
	addrs    map[netip.Addr]addrUse  // connection counts by IPv4 address or IPv6 /64 network
	halfOpen halfOpenList            // connections whose handshake is not complete

	replies      []reply // answers, sent at the next flush, to senders about which nothing is stored
	cookiesSent  bool    // at least one cookie that the host has sent may still be valid
	cookiesUntil uint32  // time in ms until which a sent cookie may be valid; meaningless unless cookiesSent

	lingering int // number of peers in stateLingering

	timers []*Peer // heap of peers with Peer.wakeAt as key
	dirty  []*Peer // peers with data to flush; Peer.dirtyAt is a peer's index here plus 1
	pool   pool

	heldBytes   int    // sum of Peer.heldBytes over all peers
	queuedBytes int    // sum of Peer.queued over all peers
	scratch     []byte // reused memory for the datagram under construction

	stats Stats
}

// connectionKey identifies a connection. A CONNECT with the key of an existing connection is a repetition of its first
// CONNECT.
type connectionKey struct {
	addr    netip.AddrPort
	session [4]byte
}

// NewHost returns a host without connections. See Config for its limits.
func NewHost(cfg Config) *Host {
	cfg = cfg.withDefaults()
	h := &Host{
		cfg:     cfg,
		random:  randomStream{seed: cfg.SessionSeed},
		slots:   make([]*Peer, cfg.MaxPeers+cfg.cookieSlots()),
		free:    make([]int32, cfg.MaxPeers),
		byKey:   map[connectionKey]*Peer{},
		addrs:   map[netip.Addr]addrUse{},
		pool:    pool{mtu: cfg.MTU},
		scratch: make([]byte, 0, cfg.MTU),
	}
	for i := range h.free {
		h.free[i] = int32(len(h.free) - 1 - i)
	}
	return h
}

// find returns the peer with the peer number id, or nil if there is none.
func (h *Host) find(id uint16) *Peer {
	off := int(id) - h.cfg.FirstPeer
	if off < 0 || off%h.cfg.PeerStride != 0 {
		return nil
	}
	if off /= h.cfg.PeerStride; off < len(h.slots) {
		return h.slots[off]
	}
	return nil
}

// idOf returns the peer number of a slot.
func (h *Host) idOf(slot int32) uint16 { return uint16(h.cfg.FirstPeer + int(slot)*h.cfg.PeerStride) }

// newPeer creates a peer in a free slot. The slot is chosen at random, so that attackers cannot guess the peer number.
// newPeer returns nil if no slot is free.
func (h *Host) newPeer(addr netip.AddrPort, session [4]byte) *Peer {
	if h.full() {
		return nil
	}
	i, last := h.random.intn(len(h.free)), len(h.free)-1
	slot := h.free[i]
	h.free[i] = h.free[last]
	h.free = h.free[:last]
	return h.newPeerAt(slot, addr, session)
}

// full reports whether the host has as many connections as Config.MaxPeers allows.
func (h *Host) full() bool { return h.peers >= h.cfg.MaxPeers }

// newPeerAt creates a peer in an unused slot. The slot must not be in the list Host.free: either the caller has removed it, or
// it is reserved for connections by cookie. Reserved slots are never in the list.
func (h *Host) newPeerAt(slot int32, addr netip.AddrPort, session [4]byte) *Peer {
	h.peers++
	p := h.pool.getPeer()
	p.host = h
	p.slot = slot
	p.id = h.idOf(slot)
	p.remoteID = noPeer
	p.session = session
	p.addr = addr
	p.mtu = h.cfg.MTU
	p.window = h.cfg.Window
	p.clockOffset = h.random.u16()
	p.rtt = initialRTT
	p.createdAt, p.lastAck, p.lastHeard = h.now, h.now, h.now
	h.slots[slot] = p
	h.byKey[connectionKey{addr, session}] = p
	h.adjustAddrUse(addr.Addr(), 1, 0)
	return p
}

// freeSlot removes a peer from the host. The Peer stays valid for callers that still refer to it; its methods return
// ErrNotConnected or do nothing.
func (h *Host) freeSlot(p *Peer) {
	p.release()
	if p.state == stateLingering {
		h.lingering--
	}
	p.state = stateClosed
	h.unschedule(p)
	h.clearDirty(p)
	h.slots[p.slot] = nil
	h.peers--
	if int(p.slot) < h.cfg.MaxPeers {
		h.free = append(h.free, p.slot)
	}
	if !p.exposed {
		h.pool.putPeer(p)
	}
}

// emitEvent passes an event to the event handler of the running Receive or Tick.
func (h *Host) emitEvent(e Event) {
	switch e.Kind {
	case Connected:
		h.stats.Connects++
	case Disconnected:
		h.stats.Disconnects++
	case Message:
		h.stats.Messages++
	}
	e.Peer.exposed = true
	if h.handler != nil {
		h.handler(e)
	}
}

// markDirty adds a peer to the list of peers that the next Flush visits.
func (h *Host) markDirty(p *Peer) {
	if p.dirtyAt == 0 {
		h.dirty = append(h.dirty, p)
		p.dirtyAt = len(h.dirty)
	}
}

// clearDirty removes a peer from the list of peers that the next Flush visits.
func (h *Host) clearDirty(p *Peer) {
	if p.dirtyAt == 0 {
		return
	}
	i, last := p.dirtyAt-1, len(h.dirty)-1
	moved := h.dirty[last]
	h.dirty[i] = moved
	moved.dirtyAt = i + 1
	h.dirty[last] = nil
	h.dirty = h.dirty[:last]
	p.dirtyAt = 0
}

// PeerCount returns the number of connections, including half-open and lingering ones.
func (h *Host) PeerCount() int { return h.peers }
