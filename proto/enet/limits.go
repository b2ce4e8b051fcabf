package enet

import (
	"net/netip"

	"github.com/truestep-io/truestep/proto/wire"
)

const (
	maxMisses     = 8 // wrong acknowledgements or peer numbers that end a half-open connection
	amplification = 3 // bytes to an unverified sender per byte from it, at most
)

// addrUse counts the connections of one network.
type addrUse struct{ peers, half int }

// useAddr adjusts the counts of the network of an address.
func (h *Host) useAddr(a netip.Addr, peers, half int) {
	a = wire.Network(a)
	u := h.addrs[a]
	u.peers += peers
	u.half += half
	if u == (addrUse{}) {
		delete(h.addrs, a)
		return
	}
	h.addrs[a] = u
}

// admit tells whether another connection from that address may begin, and makes room for it: when half-open ones take
// all they may, the oldest gives way, so that a flood of them cannot lock newcomers out for longer than it lasts.
func (h *Host) admit(a netip.Addr) bool {
	if !a.IsLoopback() || h.cfg.LimitLoopback {
		u := h.addrs[wire.Network(a)]
		over := func(n, limit int) bool { return limit >= 0 && n >= limit }
		if over(u.peers, h.cfg.PeersPerAddr) || over(u.half, h.cfg.HalfOpenPerAddr) {
			return false
		}
	}
	if h.half.n >= h.cfg.MaxHalfOpen || len(h.free) == 0 && h.half.n > 0 {
		h.stats.HalfOpenLost++
		h.freeSlot(h.half.oldest)
	}
	if len(h.free) == 0 {
		h.dropLingering()
	}
	return len(h.free) > 0
}

// dropLingering frees the slot of one connection that has ended already, if there is one.
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

// halfOpen lists the half-open connections, oldest first. All expire after the same time.
type halfOpen struct {
	oldest, newest *Peer
	n              int
}

func (h *Host) halfAdd(p *Peer) {
	p.halfPrev = h.half.newest
	if h.half.newest == nil {
		h.half.oldest = p
	} else {
		h.half.newest.halfNext = p
	}
	h.half.newest = p
	h.half.n++
	h.useAddr(p.addr.Addr(), 0, 1)
}

// halfRemove is for a connection that is complete or gone. It does nothing for one that is not in the list.
func (h *Host) halfRemove(p *Peer) {
	if h.half.oldest != p && p.halfPrev == nil {
		return
	}
	if p.halfPrev == nil {
		h.half.oldest = p.halfNext
	} else {
		p.halfPrev.halfNext = p.halfNext
	}
	if p.halfNext == nil {
		h.half.newest = p.halfPrev
	} else {
		p.halfNext.halfPrev = p.halfPrev
	}
	p.halfPrev, p.halfNext = nil, nil
	h.half.n--
	h.useAddr(p.addr.Addr(), 0, -1)
}

// mayHold tells whether n more bytes may be held for a peer, and accounts for them.
func (p *Peer) mayHold(n int) bool {
	h := p.host
	n += heldCost
	if p.heldCount >= h.cfg.MaxHeld || p.heldBytes+n > h.cfg.MaxHeldBytes || h.heldBytes+n > h.cfg.MaxHostHeld {
		return false
	}
	if p.heldBytes == 0 {
		p.heldCheck = h.now + heldMax
	}
	p.heldCount++
	p.heldBytes += n
	h.heldBytes += n
	return true
}

// unhold gives back what that many calls of mayHold took for that many bytes together.
func (p *Peer) unhold(count, n int) {
	n += count * heldCost
	p.heldCount -= count
	p.heldBytes -= n
	p.host.heldBytes -= n
}

// gapsTooOld tells whether a channel has waited too long for something that its sender should have repeated: it holds
// our memory on purpose.
func (p *Peer) gapsTooOld(now uint32) bool {
	if p.heldBytes == 0 || before(now, p.heldCheck) {
		return false
	}
	p.heldCheck = now + heldInterval
	for _, in := range p.ins {
		if in != nil && in.waiting() && now-in.since >= heldMax {
			return true
		}
	}
	return false
}
