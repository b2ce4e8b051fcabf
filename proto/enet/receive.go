package enet

import "net/netip"

// normal is the form in which addresses are compared: IPv4 in IPv6 is IPv4.
func normal(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }

// Receive takes one datagram. It calls handle for what the datagram brought, in order, before it returns. Whatever the
// bytes are, it neither panics nor returns an error; Stats counts what was wrong. datagram is borrowed.
func (h *Host) Receive(now uint32, from netip.AddrPort, datagram []byte, handle func(Event)) {
	h.now, h.handle = now, handle
	h.stats.DatagramsIn++
	h.stats.BytesIn += uint64(len(datagram))
	h.receive(normal(from), datagram)
	h.handle = nil
}

func (h *Host) receive(from netip.AddrPort, datagram []byte) {
	head, commands, ok := parseHeader(datagram)
	if !ok {
		h.stats.BadDatagram++
		return
	}
	if head.peer == noPeer {
		h.connectRequest(from, commands, len(datagram))
		return
	}
	p := h.find(head.peer)
	switch {
	case p == nil:
		h.stats.BadPeer++
		h.missed(from, head.session)
		return
	case p.addr.Addr() != from.Addr():
		h.stats.BadAddress++
		return
	case p.session != head.session:
		h.stats.BadSession++
		return
	case p.addr != from && !p.migrated(from, datagram, commands):
		h.stats.UnprovenPort++
		return
	}
	p.lastHeard = h.now
	p.stats.DatagramsIn++
	p.stats.BytesIn += uint64(len(datagram))
	p.grantBudget(len(datagram))
	p.receiveCommands(head, commands)
	if p.state != stateClosed {
		h.schedule(p)
	}
}

// missed ends a half-open connection whose supposed sender keeps guessing its peer number.
func (h *Host) missed(from netip.AddrPort, session [4]byte) {
	if p := h.byKey[connKey{from, session}]; p != nil && p.state == stateVerifying {
		if p.misses++; p.misses >= maxMisses {
			h.stats.HalfOpenLost++
			h.freeSlot(p)
		}
	}
}

// grantBudget notes that an unverified sender sent us so many bytes. A VERIFY that waits for budget goes out then.
func (p *Peer) grantBudget(size int) {
	if p.state == stateVerifying {
		p.received += size
		if p.pending.n > 0 {
			p.host.touch(p)
		}
	}
}

// receiveCommands handles the commands of a datagram until the first that is malformed or not legal now.
func (p *Peer) receiveCommands(head header, commands []byte) {
	for len(commands) > 0 {
		c, rest, ok := nextCommand(commands)
		if !ok {
			p.host.stats.BadCommand++
			return
		}
		commands = rest
		p.host.stats.CommandsIn++
		wantsAck := c.flags&flagAck != 0 && c.kind != cmdAcknowledge // never acknowledge one: two hosts would not stop
		if wantsAck && !head.hasSent {
			p.host.stats.BadCommand++
			return
		}
		if wantsAck && len(p.acks) >= p.host.cfg.MaxAcks {
			p.host.stats.OverAcks++ // not flushed for long; the sender repeats what is not acknowledged
			return
		}
		if !p.dispatch(&c) {
			return
		}
		if wantsAck && p.acknowledges(&c) {
			p.acks = append(p.acks, ack{c.channel, c.seq, head.sent})
			p.host.touch(p)
		}
	}
}

// acknowledges tells whether a command that was handled is acknowledged in the state that it led to.
func (p *Peer) acknowledges(c *command) bool {
	switch p.state {
	case stateConnected, stateFinishing:
		return true
	case stateLingering:
		return c.kind == cmdDisconnect
	}
	return false
}

// dispatch handles one command. false ends the datagram.
func (p *Peer) dispatch(c *command) bool {
	switch p.state {
	case stateClosed, stateEnding:
		return false
	case stateLingering:
		return c.kind == cmdDisconnect
	case stateVerifying:
		if c.kind != cmdAcknowledge && c.kind != cmdDisconnect {
			p.doubt()
			return false
		}
	}
	switch c.kind {
	case cmdAcknowledge:
		return p.acknowledged(c, p.host.now)
	case cmdVerify:
		return p.verified(c)
	case cmdDisconnect:
		return p.disconnected(c)
	case cmdPing, cmdThrottle:
		return true // we do not throttle, so its parameters mean nothing to us
	case cmdBandwidthLimit:
		p.limitBandwidth(c.u32(4))
		return true
	case cmdReliable, cmdUnreliable, cmdFragment, cmdUnsequenced:
		return p.data(c)
	}
	return p.bad() // CONNECT to a number that exists
}

// data handles the commands that carry messages.
func (p *Peer) data(c *command) bool {
	if p.state == stateFinishing {
		return true // acknowledged and not delivered, as the original does
	}
	if p.state != stateConnected || int(c.channel) >= p.channelCount {
		return p.bad()
	}
	switch c.kind {
	case cmdReliable:
		return p.receiveReliable(p.in(c.channel), c, fragment{})
	case cmdFragment:
		f := parseFragment(c)
		if f.count == 0 {
			p.host.stats.BadFragment++
			return false
		}
		return p.receiveReliable(p.in(c.channel), c, f)
	case cmdUnreliable:
		p.receiveUnreliable(p.in(c.channel), c)
	default:
		p.receiveUnsequenced(c)
	}
	return true
}

// disconnected handles a goodbye. Its owner learns at once; the acknowledgement follows with the next flush, and again
// for each repetition while the peer lingers.
func (p *Peer) disconnected(c *command) bool {
	switch p.state {
	case stateVerifying:
		p.host.stats.HalfOpenLost++
		p.host.freeSlot(p)
		return false
	case stateDisconnecting:
		p.lose(ByUs, 0, false)
	default:
		p.lose(ByPeer, c.u32(4), false)
	}
	return true
}

func (p *Peer) bad() bool {
	p.host.stats.BadCommand++
	return false
}
