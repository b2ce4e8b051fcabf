package raknet

// tick does the timed work of a peer. It (1) ends a session that has timed out or stalled, (2) drops old incomplete messages,
// (3) sends pings, and (4) makes the next flush visit the peer if acknowledgements or retransmissions are due.
func (p *Peer) tick() {
	h := p.host
	l, now := &h.limits, h.now
	switch {
	case p.state == stateLingering:
		if now >= p.closeAt {
			h.forget(p)
		}
		return
	case p.failReason != 0:
		if p.failReason == Overflow {
			h.stats.Overflows++
		}
		p.end(p.failReason)
		return
	case p.state == stateClosing && now >= p.closeAt:
		p.end(ClosedLocally)
		return
	case p.state == stateOpen && !p.client && now-p.createdAt >= l.HalfOpenTimeout:
		h.stats.HalfOpenDropped++
		h.forget(p)
		return
	case p.state == stateConnecting:
		return // in this state the Client runs its own timers
	case now-p.lastReceived >= l.IdleTimeout:
		p.end(Timeout)
		return
	}
	if p.hasStalled() {
		p.end(ProtocolViolation)
		return
	}
	p.dropOldSplits()
	if now >= p.pingAt && p.state == stateConnected {
		p.pingAt = now + l.PingInterval
		p.pingTime = max(now, 1)
		p.sendInternalUnreliable(connectedPing{time: uint64(p.pingTime)}.append)
	}
	if p.wantsFlush() {
		p.markDirty()
	}
}

// hasStalled reports whether a session must end although datagrams arrive, because an ordered message has been missing for too
// long. The method retransmit ends a session if one of its datagrams has not been acknowledged for too long.
func (p *Peer) hasStalled() bool {
	return p.heldCount > 0 && p.host.now-p.lastOrdered >= p.host.limits.StallTimeout
}

func (p *Peer) dropOldSplits() {
	for i := 0; i < len(p.splits); {
		if s := p.splits[i]; p.host.now-s.born >= p.host.limits.SplitTimeout {
			p.host.stats.SplitsExpired++
			p.dropSplit(s)
			continue
		}
		i++
	}
}

// wantsFlush reports whether acknowledgements, NACKs or retransmissions of the peer are due.
func (p *Peer) wantsFlush() bool {
	now := p.host.now
	return len(p.in.ackSpans) > 0 && p.in.ackDue <= now || len(p.in.gaps) > 0 && p.in.nackDue <= now ||
		len(p.flight) > 0 && p.retransmitAt <= now
}

// nextDeadline returns the time in ms at which the method tick of the peer must be called next. The result may be too early,
// because an additional call does no harm.
func (p *Peer) nextDeadline() int64 {
	l := &p.host.limits
	switch {
	case p.failReason != 0:
		return p.host.now
	case p.state == stateLingering:
		return p.closeAt
	case p.state == stateConnecting:
		return never
	}
	due := p.lastReceived + l.IdleTimeout
	if p.state == stateClosing {
		due = min(due, p.closeAt)
	}
	if p.state == stateOpen && !p.client {
		due = min(due, p.createdAt+l.HalfOpenTimeout)
	}
	if p.state == stateConnected {
		due = min(due, p.pingAt)
	}
	if len(p.in.ackSpans) > 0 {
		due = min(due, p.in.ackDue)
	}
	if len(p.in.gaps) > 0 {
		due = min(due, p.in.nackDue)
	}
	if len(p.flight) > 0 {
		due = min(due, p.retransmitAt)
	}
	if p.heldCount > 0 {
		due = min(due, p.lastOrdered+l.StallTimeout)
	}
	if len(p.splits) > 0 {
		due = min(due, p.splits[0].born+l.SplitTimeout)
	}
	return due
}

// nackDelay returns the time in ms from the detection of a gap until its first NACK. In this time, datagrams that are only late
// can fill the gap. The delay is at most about one round-trip time, because reordering rarely takes longer.
func (p *Peer) nackDelay() int64 {
	if p.imitateJSP {
		return 0
	}
	return min(p.host.limits.NackDelay, max(p.srtt/1000, p.host.limits.NackDelay/3))
}
