package enet

import (
	"net/netip"

	"github.com/truestep-io/truestep/proto/wire"
)

const (
	maxWrongGuesses = 8 // wrong acknowledgements or peer numbers after which a half-open connection is dropped
	amplification   = 3 // maximum bytes sent to an unverified address per byte received from that address
)

// addrUse counts the connections from one network: an IPv4 address or an IPv6 /64.
type addrUse struct{ peers, half int } // numbers of all connections and of half-open ones from an address

// adjustAddrUse changes the connection counts of the network of address a. It adds the parameter peers to the number of all
// connections, and half to the number of half-open ones. Both may be negative.
func (h *Host) adjustAddrUse(a netip.Addr, peers, half int) {
	a = wire.NetworkOf(a)
	u := h.addrs[a]
	u.peers += peers
	u.half += half
	if u == (addrUse{}) {
		delete(h.addrs, a)
		return
	}
	h.addrs[a] = u
}

// admitAddr reports whether the limits per network allow one more connection from the address a. The parameter half is 1 if
// the connection would be half-open, otherwise 0.
func (h *Host) admitAddr(a netip.Addr, half int) bool {
	if a.IsLoopback() && !h.cfg.LimitLoopback {
		return true
	}
	u := h.addrs[wire.NetworkOf(a)]
	over := func(n, limit int) bool { return limit >= 0 && n > limit }
	return !over(u.peers+1, h.cfg.PeersPerAddr) && (half == 0 || !over(u.half+half, h.cfg.HalfOpenPerAddr))
}

// admitConnect reports whether one more half-open connection from the address a is allowed. If all slots are in use, it
// first frees the slot of a lingering connection. It frees no slot of a half-open connection, because one unverified sender
// must not displace another.
func (h *Host) admitConnect(a netip.Addr) bool {
	if !h.admitAddr(a, 1) || h.halfOpen.n >= h.cfg.MaxHalfOpen {
		return false
	}
	if h.full() {
		h.dropLingering()
	}
	return !h.full()
}

// dropLingering frees the slot of one lingering connection, if there is one.
func (h *Host) dropLingering() {
	if h.lingering == 0 {
		return
	}
	for _, p := range h.slots {
		if p != nil && p.state == stateLingering {
			h.freeSlot(p)
			return
		}
	}
}

// halfOpenList is a linked list of the half-open connections. The oldest is first, and expires first, because all have the
// same timeout.
type halfOpenList struct {
	oldest, newest *Peer
	n              int
}

func (h *Host) addHalfOpen(p *Peer) {
	p.halfPrev = h.halfOpen.newest
	if h.halfOpen.newest == nil {
		h.halfOpen.oldest = p
	} else {
		h.halfOpen.newest.halfNext = p
	}
	h.halfOpen.newest = p
	h.halfOpen.n++
	h.adjustAddrUse(p.addr.Addr(), 0, 1)
}

// dropHalfOpen ends a half-open connection, without an event because the application has never seen its peer.
func (h *Host) dropHalfOpen(p *Peer) {
	h.stats.HalfOpenLost++
	h.freeSlot(p)
}

// removeHalfOpen removes a connection from the list of half-open connections, if it is on the list.
func (h *Host) removeHalfOpen(p *Peer) {
	if h.halfOpen.oldest != p && p.halfPrev == nil {
		return
	}
	if p.halfPrev == nil {
		h.halfOpen.oldest = p.halfNext
	} else {
		p.halfPrev.halfNext = p.halfNext
	}
	if p.halfNext == nil {
		h.halfOpen.newest = p.halfPrev
	} else {
		p.halfNext.halfPrev = p.halfPrev
	}
	p.halfPrev, p.halfNext = nil, nil
	h.halfOpen.n--
	h.adjustAddrUse(p.addr.Addr(), 0, -1)
}

// reserveHeld counts the memory for n more bytes of data that arrived out of order. If that would exceed a limit, it counts
// nothing and returns false.
func (p *Peer) reserveHeld(n int) bool {
	h := p.host
	n += heldCost
	if p.heldCount >= h.cfg.MaxHeld || p.heldBytes+n > h.cfg.MaxHeldBytes || h.heldBytes+n > h.cfg.MaxHostHeld {
		return false
	}
	if p.heldBytes == 0 {
		p.heldCheck = h.now + maxGapAge
	}
	p.heldCount++
	p.heldBytes += n
	h.heldBytes += n
	return true
}

// releaseHeld subtracts memory that several calls of reserveHeld have counted. The parameter count is the number of these
// calls, and n the sum of their parameters.
func (p *Peer) releaseHeld(count, n int) {
	n += count * heldCost
	p.heldCount -= count
	p.heldBytes -= n
	p.host.heldBytes -= n
}

// hasExpiredGap reports whether a channel has waited for missing data longer than maxGapAge. A correct sender would have
// retransmitted the data in that time; a sender that does not may be trying to occupy memory.
func (p *Peer) hasExpiredGap(now uint32) bool {
	if p.heldBytes == 0 || before(now, p.heldCheck) {
		return false
	}
	p.heldCheck = now + gapCheckInterval
	for _, in := range p.ins {
		if in != nil && in.waiting() && now-in.waitingSince >= maxGapAge {
			return true
		}
	}
	return false
}
