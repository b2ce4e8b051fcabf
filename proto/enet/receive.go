package enet

import "net/netip"

// unmapAddr converts an IPv4-mapped IPv6 address to an IPv4 address, so that addresses of both forms can be compared.
func unmapAddr(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}

// Receive processes one datagram. It calls handle for each resulting event, in order, before it returns. Malformed input
// causes neither a panic nor an error, but is counted in Stats. Receive does not keep the datagram.
func (h *Host) Receive(now uint32, from netip.AddrPort, datagram []byte, handle func(Event)) {
	h.now, h.handler = now, handle
	h.stats.DatagramsIn++
	h.stats.BytesIn += uint64(len(datagram))
	h.receive(unmapAddr(from), datagram)
	h.handler = nil
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
	if p == nil {
		p = h.acceptCookie(head, from, commands)
	}
	switch {
	case p == nil:
		h.stats.BadPeer++
		h.countWrongPeerID(from, head.session)
		return
	case p.addr.Addr() != from.Addr():
		h.stats.BadAddress++
		return
	case p.session != head.session:
		h.stats.BadSession++
		return
	case p.addr != from && !p.tryMigrate(from, datagram, commands):
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

// countWrongPeerID counts a datagram with a wrong peer number, which the sender may have guessed. After too many guesses the
// half-open connection of the sender is dropped.
func (h *Host) countWrongPeerID(from netip.AddrPort, session [4]byte) {
	if p := h.byKey[connectionKey{from, session}]; p != nil && p.state == stateVerifying {
		if p.wrongGuesses++; p.wrongGuesses >= maxWrongGuesses {
			h.dropHalfOpen(p)
		}
	}
}

// grantBudget counts bytes received from an unverified sender. The more bytes the sender has sent, the more bytes it may be sent.
// A VERIFY that was too long for this limit so far may therefore be sent now.
func (p *Peer) grantBudget(size int) {
	if p.state == stateVerifying {
		p.receivedBytes += size
		if p.pending.n > 0 {
			p.host.markDirty(p)
		}
	}
}

// receiveCommands handles the commands of a datagram in order. It stops at the first that is malformed or not allowed in
// the state of the peer.
func (p *Peer) receiveCommands(head header, commands []byte) {
	for len(commands) > 0 {
		c, rest, ok := nextCommand(commands)
		if !ok {
			p.host.stats.BadCommand++
			return
		}
		commands = rest
		p.host.stats.CommandsIn++
		wantsAck := c.flags&flagAck != 0 && c.kind != cmdAcknowledge // acknowledgements are not acknowledged, otherwise two hosts would continue forever
		if wantsAck && !head.hasSent {
			p.host.stats.BadCommand++
			return
		}
		if wantsAck && len(p.acks) >= p.host.cfg.MaxAcks {
			p.host.stats.OverAcks++ // Flush was not called for a long time; the sender retransmits commands that are not acknowledged
			return
		}
		if !p.dispatch(&c) {
			return
		}
		if wantsAck && p.shouldAck(&c) {
			p.acks = append(p.acks, ack{c.channel, c.seq, head.sent})
			p.host.markDirty(p)
		}
	}
}

// shouldAck reports whether a command that was just handled must be acknowledged. This depends on the state of the peer after the
// command was handled.
func (p *Peer) shouldAck(c *command) bool {
	switch p.state {
	case stateConnected, stateFinishing:
		return true
	case stateLingering:
		return c.kind == cmdDisconnect
	}
	return false
}

// dispatch handles one command. It returns false if the rest of the datagram must be ignored.
func (p *Peer) dispatch(c *command) bool {
	switch p.state {
	case stateClosed, stateEnding:
		return false
	case stateLingering:
		return c.kind == cmdDisconnect
	case stateVerifying:
		if c.kind != cmdAcknowledge && c.kind != cmdDisconnect {
			p.challengeHalfOpen()
			return false
		}
	}
	switch c.kind {
	case cmdAcknowledge:
		return p.handleAck(c, p.host.now)
	case cmdVerify:
		return p.handleVerify(c)
	case cmdDisconnect:
		return p.handleDisconnect(c)
	case cmdPing, cmdThrottle:
		return true // throttle parameters are ignored, because this side does not throttle
	case cmdBandwidthLimit:
		p.handleBandwidthLimit(c.u32(4))
		return true
	case cmdReliable, cmdUnreliable, cmdFragment, cmdUnsequenced:
		return p.handleMessage(c)
	}
	return p.rejectCommand() // a CONNECT must not be sent to an existing peer number
}

// handleMessage handles a command that carries a message or a part of one. It returns false if the rest of the datagram must be
// ignored.
func (p *Peer) handleMessage(c *command) bool {
	if p.state == stateFinishing {
		return true // the command is acknowledged but not delivered, as in libenet 1.1
	}
	if p.state != stateConnected || int(c.channel) >= p.channelCount {
		return p.rejectCommand()
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

// handleDisconnect handles a disconnect command of the other side. It emits the Disconnected event immediately. The
// acknowledgement is sent with the next flush. While the peer lingers, repeated disconnects are acknowledged again.
func (p *Peer) handleDisconnect(c *command) bool {
	switch p.state {
	case stateVerifying:
		p.host.dropHalfOpen(p)
		return false
	case stateDisconnecting:
		p.endConnection(ByUs, 0, false)
	default:
		p.endConnection(ByPeer, c.u32(4), false)
	}
	return true
}

func (p *Peer) rejectCommand() bool {
	p.host.stats.BadCommand++
	return false
}
