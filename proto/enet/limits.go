package enet

import (
	"net/netip"

	"github.com/truestep-io/truestep/proto/wire"
)

const (
	maxWrongGuesses = 8 // wrong acknowledgements or peer numbers after which a half-open connection is dropped
	amplification   = 3 // maximum bytes that are sent to an unverified address per byte received from it
)

// addrUse counts the connections of one IPv4 address or IPv6 /64 network.
type addrUse struct{ peers, half int } // all connections, and the half-open ones among them

// adjustAddrUse changes the counted connections of the network to which the address a belongs. The parameters peers and half
// are the changes, which may be negative, of the numbers of all connections and of half-open connections.
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

// admitAddr reports whether the limits per address allow one more connection from an address. half is 1 if the new connection
// is half-open, otherwise 0.
func (h *Host) admitAddr(a netip.Addr, half int) bool {
	if a.IsLoopback() && !h.cfg.LimitLoopback {
		return true
	}
	u := h.addrs[wire.NetworkOf(a)]
	over := func(n, limit int) bool { return limit >= 0 && n > limit }
	return !over(u.peers+1, h.cfg.PeersPerAddr) && (half == 0 || !over(u.half+half, h.cfg.HalfOpenPerAddr))
}

// admitConnect reports whether a new half-open connection from an address is allowed, and frees a lingering slot for it if
// necessary. At the limit of half-open connections it refuses, because an unverified sender must not displace another
// sender.
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

// halfOpenList is a linked list of the half-open connections, oldest first. All expire after the same time.
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

// reserveHeld counts n more bytes of out-of-order data. It returns false, and counts nothing, if that would exceed a limit.
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

// releaseHeld undoes calls of reserveHeld: count calls, with n bytes in total.
func (p *Peer) releaseHeld(count, n int) {
	n += count * heldCost
	p.heldCount -= count
	p.heldBytes -= n
	p.host.heldBytes -= n
}

// hasExpiredGap reports whether a channel has waited too long for data that the sender should have retransmitted. Such a
// sender may be holding memory on purpose.
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
