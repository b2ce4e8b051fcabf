package enet

const (
	initialRTT    = 500    // ms       spec 1.5
	timeoutFactor = 32     // of the first RTO: then timeoutMin is enough   spec 1.5
	timeoutMin    = 5000   // ms       spec 1.5
	timeoutMax    = 30000  // ms       spec 1.5
	commandMax    = 120000 // ms for which one command may be resent while others get through   guess
	patience      = 2000   // ms between two sendings of a command at most   guess
	heldMax       = 30000  // ms for which a gap in a channel may stay open: its sender gives up by then
	heldInterval  = 5000   // ms between looks at gaps
	pingInterval  = 500    // ms       spec 1.5
	farewellFor   = 100    // ms in which the next flush is expected
)

// before compares times across the wrap.
func before(a, b uint32) bool { return int32(a-b) < 0 }

// later returns the later of two times.
func later(a, b uint32) uint32 {
	if before(a, b) {
		return b
	}
	return a
}

// measure takes one round trip into the smoothed values. The variance uses the rtt just updated, as the original does.
func (p *Peer) measure(sample uint32) {
	p.rttVar -= p.rttVar / 4
	if sample >= p.rtt {
		p.rtt += (sample - p.rtt) / 8
		p.rttVar += (sample - p.rtt) / 4
	} else {
		p.rtt -= (p.rtt - sample) / 8
		p.rttVar += (p.rtt - sample) / 4
	}
}

// Tick does what time asks for: resends, pings, giving up. Call it every 10 ms or so, and flush after it. Its cost grows
// with the peers for which something is due, not with all peers.
func (h *Host) Tick(now uint32, handle func(Event)) {
	h.now, h.handle = now, handle
	for len(h.timers) > 0 && !before(now, h.timers[0].due) {
		p := h.timers[0]
		h.unschedule(p)
		p.expire(now)
		if p.state != stateClosed {
			h.schedule(p)
		}
	}
	h.handle = nil
}

// expire does what is due for one peer.
func (p *Peer) expire(now uint32) {
	switch p.state {
	case stateLingering:
		if !before(now, p.lingerTill) {
			p.host.freeSlot(p)
		}
		return
	case stateEnding:
		p.lose(ByUs, 0, false)
		return
	case stateVerifying:
		if now-p.born >= uint32(p.host.cfg.HalfOpenFor) {
			p.host.stats.HalfOpenLost++
			p.host.freeSlot(p)
			return
		}
	}
	if p.suspect && now-p.suspectAt >= timeoutMax || p.gapsTooOld(now) || !p.resend(now) {
		p.host.stats.Timeouts++
		p.lose(Timeout, 0, p.remoteID != noPeer)
		return
	}
	if p.idle() && now-p.lastAck >= pingInterval {
		p.queuePing()
	}
}

// idle: only a ping could tell whether the other side lives.
func (p *Peer) idle() bool {
	return (p.state == stateConnected || p.state == stateFinishing) && p.inFlight.n == 0 && p.pending.n == 0
}

// resend moves what was not acknowledged in time to the front of the pending queue. false: the peer is dead.
func (p *Peer) resend(now uint32) bool {
	if p.inFlight.n == 0 || before(now, p.resendAt) {
		return true
	}
	var last, next *outgoing
	earliest := now + timeoutMax
	for o := p.inFlight.head; o != nil; o = next {
		next = o.next
		if due := o.resendDue(); before(now, due) {
			if before(due, earliest) {
				earliest = due
			}
			continue
		}
		if o.early = before(now, o.sentAt+o.rto); !o.early {
			if since := later(o.sentAt, p.lastAck); !p.suspect || before(since, p.suspectAt) {
				p.suspect, p.suspectAt = true, since
			}
			if p.state != stateVerifying && p.dead(o, now) {
				return false
			}
			o.rto = min(2*o.rto, o.rtoLimit)
		}
		p.inFlight.remove(o)
		p.inTransit -= int(o.dataLen)
		p.pending.insertAfter(last, o)
		last = o
		p.host.touch(p)
	}
	p.resendAt = earliest
	return true
}

// resendDue is when a command in flight has to be sent again: when its timeout is over, or patience after the last time.
// The original waits for the timeout alone, and two sides that have both doubled theirs may say nothing for 20 s.
func (o *outgoing) resendDue() uint32 {
	full, soon := o.sentAt+o.rto, o.lastSent+patience
	if before(soon, full) {
		return soon
	}
	return full
}

// dead judges by a command that was not acknowledged in time: 30 s without any acknowledgement are enough, or
// Config.SilenceFor once its timeout has doubled five times. In the second case the original forgets that other commands
// were acknowledged and that datagrams came in meanwhile; at 30 % loss each way it gives up an idle living peer within a
// minute.
func (p *Peer) dead(o *outgoing, now uint32) bool {
	silent, enough := now-p.suspectAt, uint32(p.host.cfg.SilenceFor)
	return silent >= timeoutMax || now-o.firstSent >= commandMax ||
		silent >= enough && now-p.lastHeard >= enough && o.rto >= o.rtoLimit
}

// nextDue is when expire has to look again; ok is false if nothing will ever be due.
func (p *Peer) nextDue() (due uint32, ok bool) {
	add := func(t uint32) {
		if !ok || before(t, due) {
			due, ok = t, true
		}
	}
	switch p.state {
	case stateClosed:
		return 0, false
	case stateLingering:
		return p.lingerTill, true
	case stateEnding:
		return p.host.now, true
	case stateVerifying:
		add(p.born + uint32(p.host.cfg.HalfOpenFor))
	}
	if p.inFlight.n > 0 {
		add(p.resendAt)
	}
	if p.suspect {
		add(p.suspectAt + timeoutMax)
	}
	if p.heldBytes > 0 {
		add(p.heldCheck)
	}
	if p.idle() {
		add(p.lastAck + pingInterval)
	}
	return due, ok
}
