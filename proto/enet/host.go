package enet

import (
	"errors"
	"net/netip"
)

// Errors of the calls that queue something. Bad input from outside is never an error, only counted.
var (
	ErrNoSlot       = errors.New("no free peer slot")
	ErrNotConnected = errors.New("peer is not connected")
	ErrChannel      = errors.New("channel out of range")
	ErrTooLong      = errors.New("message too long")
	ErrQueueFull    = errors.New("send queue full") // the peer does not keep up: disconnect it
)

// Host is one end of many connections. It belongs to one goroutine.
type Host struct {
	cfg    Config
	now    uint32 // of the latest call
	secret secret
	handle func(Event) // of the running Receive or Tick

	slots []*Peer
	free  []int32 // numbers of nil slots, in no order
	byKey map[connKey]*Peer
	addrs map[netip.Addr]addrUse // by network
	half  halfOpen

	lingering int // slots in stateLingering

	timers []*Peer // heap by due
	dirty  []*Peer // what Flush has to visit; Peer.dirtyAt points back
	pool   pool

	heldBytes   int // sum of Peer.heldBytes
	queuedBytes int // sum of Peer.queued
	scratch     []byte

	stats Stats
}

// connKey tells connections apart while they last: a CONNECT with the key of a living one is a repetition.
type connKey struct {
	addr    netip.AddrPort
	session [4]byte
}

// NewHost returns a host without connections. See Config for its limits.
func NewHost(cfg Config) *Host {
	cfg = cfg.withDefaults()
	h := &Host{
		cfg:     cfg,
		secret:  secret{seed: cfg.SessionSeed},
		slots:   make([]*Peer, cfg.MaxPeers),
		free:    make([]int32, cfg.MaxPeers),
		byKey:   map[connKey]*Peer{},
		addrs:   map[netip.Addr]addrUse{},
		pool:    pool{mtu: cfg.MTU},
		scratch: make([]byte, 0, cfg.MTU),
	}
	for i := range h.free {
		h.free[i] = int32(len(h.free) - 1 - i)
	}
	return h
}

// find returns the peer with that number on the wire, nil if there is none.
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

// newPeer takes a free slot, chosen at random so that nobody can guess it. nil if there is none.
func (h *Host) newPeer(addr netip.AddrPort, session [4]byte) *Peer {
	if len(h.free) == 0 {
		return nil
	}
	i, last := h.secret.below(len(h.free)), len(h.free)-1
	slot := h.free[i]
	h.free[i] = h.free[last]
	h.free = h.free[:last]

	p := h.pool.peer()
	p.host = h
	p.slot = slot
	p.id = uint16(h.cfg.FirstPeer + int(slot)*h.cfg.PeerStride)
	p.remoteID = noPeer
	p.session = session
	p.addr = addr
	p.mtu = h.cfg.MTU
	p.window = h.cfg.Window
	p.clockOffset = h.secret.u16()
	p.rtt = initialRTT
	p.born, p.lastAck, p.lastHeard = h.now, h.now, h.now
	h.slots[slot] = p
	h.byKey[connKey{addr, session}] = p
	h.useAddr(addr.Addr(), 1, 0)
	return p
}

// freeSlot forgets a peer for good. Its object lives on for those who still hold it, and refuses everything.
func (h *Host) freeSlot(p *Peer) {
	p.release()
	if p.state == stateLingering {
		h.lingering--
	}
	p.state = stateClosed
	h.unschedule(p)
	h.clean(p)
	h.slots[p.slot] = nil
	h.free = append(h.free, p.slot)
	if !p.shown {
		h.pool.putPeer(p)
	}
}

// tell hands an event to the running handler.
func (h *Host) tell(e Event) {
	switch e.Kind {
	case Connected:
		h.stats.Connects++
	case Disconnected:
		h.stats.Disconnects++
	case Message:
		h.stats.Messages++
	}
	e.Peer.shown = true
	if h.handle != nil {
		h.handle(e)
	}
}

// touch puts a peer on the list that Flush visits.
func (h *Host) touch(p *Peer) {
	if p.dirtyAt == 0 {
		h.dirty = append(h.dirty, p)
		p.dirtyAt = len(h.dirty)
	}
}

// clean takes a peer off that list.
func (h *Host) clean(p *Peer) {
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

// Peers is how many connections the host holds, those under way and those that are ending included.
func (h *Host) Peers() int { return len(h.slots) - len(h.free) }
