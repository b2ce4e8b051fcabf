package raknet

// tick does what time alone brings about.
func (p *Peer) tick() {
	h := p.host
	l, now := &h.limits, h.now
	switch {
	case p.state == stateLingering:
		if now >= p.endAt {
			h.forget(p)
		}
		return
	case p.failed != 0:
		if p.failed == Overflow {
			h.stats.GivenUp++
		}
		p.lose(p.failed)
		return
	case p.state == stateClosing && now >= p.endAt:
		p.lose(ByUs)
		return
	case p.state == stateOpen && !p.client && now-p.born >= l.HalfOpenFor:
		h.stats.HalfOpenLost++
		h.forget(p)
		return
	case p.state == stateConnecting:
		return // the client's own timers
	case now-p.heard >= l.SilenceFor:
		p.lose(Timeout)
		return
	}
	if reason := p.stalled(); reason != 0 {
		p.lose(reason)
		return
	}
	p.dropOldSplits()
	if now >= p.pingAt && p.state == stateConnected {
		p.pingAt = now + l.PingEvery
		p.pingTime = max(now, 1)
		p.answer(connectedPing{time: uint64(p.pingTime)}.append)
	}
	if p.wantsFlush() {
		p.touch()
	}
}

// stalled tells why a session is over although its other side is heard: it neither fills the gap in the order, or
// acknowledges nothing.
func (p *Peer) stalled() Reason {
	now, wait := p.host.now, p.host.limits.StallFor
	if p.heldNum > 0 && now-p.moved >= wait {
		return Broken
	}
	if len(p.flight) > 0 && p.resendAt <= now {
		for _, o := range p.flight {
			if now-o.first >= wait {
				return Timeout
			}
		}
	}
	return 0
}

func (p *Peer) dropOldSplits() {
	for i := 0; i < len(p.splits); {
		if s := p.splits[i]; p.host.now-s.born >= p.host.limits.SplitFor {
			p.host.stats.SplitsExpired++
			p.dropSplit(s)
			continue
		}
		i++
	}
}

// wantsFlush tells whether something other than new messages is due.
func (p *Peer) wantsFlush() bool {
	now := p.host.now
	return len(p.in.acks) > 0 && p.in.ack <= now || len(p.in.gaps) > 0 && p.in.nack <= now ||
		len(p.flight) > 0 && p.resendAt <= now
}

// nextDue is when tick has to be called next; earlier does no harm. What is due now waits for a flush, not for a tick.
func (p *Peer) nextDue() int64 {
	l := &p.host.limits
	switch {
	case p.failed != 0:
		return p.host.now
	case p.state == stateLingering:
		return p.endAt
	case p.state == stateConnecting:
		return never
	}
	due := p.heard + l.SilenceFor
	if p.state == stateClosing {
		due = min(due, p.endAt)
	}
	if p.state == stateOpen && !p.client {
		due = min(due, p.born+l.HalfOpenFor)
	}
	if p.state == stateConnected {
		due = min(due, p.pingAt)
	}
	if len(p.in.acks) > 0 {
		due = min(due, p.in.ack)
	}
	if len(p.in.gaps) > 0 {
		due = min(due, p.in.nack)
	}
	if len(p.flight) > 0 {
		due = min(due, p.resendAt)
	}
	if p.heldNum > 0 {
		due = min(due, p.moved+l.StallFor)
	}
	if len(p.splits) > 0 {
		due = min(due, p.splits[0].born+l.SplitFor)
	}
	return due
}

// nackDelay is how many ms a gap is taken for reordering: less than a round trip, which hardly any reordering lasts.
func (p *Peer) nackDelay() int64 {
	if p.narrow {
		return 0
	}
	return min(p.host.limits.NackDelay, max(p.rtt/1000, p.host.limits.NackDelay/3))
}
