package enet

const (
	initialRTT        = 500    // assumed RTT before the first measurement, ms; section 1.5 of docs/wire/rcce.md
	timeoutFactor     = 32     // factor by which a timeout must have grown before timeoutMin applies; section 1.5 of docs/wire/rcce.md
	timeoutMin        = 5000   // ms without data after which a peer times out if a timeout has grown so far; section 1.5 of docs/wire/rcce.md
	timeoutMax        = 30000  // ms without an acknowledgement after which a peer times out; section 1.5 of docs/wire/rcce.md
	maxCommandAge     = 120000 // ms for which a command may be retransmitted while other commands are acknowledged; chosen without measurements
	maxResendInterval = 2000   // maximum ms between two transmissions of a command; chosen without measurements
	maxGapAge         = 30000  // ms after which a gap in a channel ends the connection: a correct sender has timed out by then
	gapCheckInterval  = 5000   // ms between checks for expired gaps
	pingInterval      = 500    // ms between pings of an idle peer; section 1.5 of docs/wire/rcce.md
	farewellTime      = 100    // ms within which the next flush is expected to send the disconnect
)

// before reports whether time a is before time b, both in ms with wrap-around.
func before(a, b uint32) bool { return int32(a-b) < 0 }

// later returns the later of two times.
func later(a, b uint32) uint32 {
	if before(a, b) {
		return b
	}
	return a
}

// updateRTT updates the smoothed round-trip time and its variation with a measured round-trip time, in ms. As in libenet
// 1.1, the variation is computed from the round-trip time after the update.
func (p *Peer) updateRTT(sample uint32) {
	p.rttVar -= p.rttVar / 4
	if sample >= p.rtt {
		p.rtt += (sample - p.rtt) / 8
		p.rttVar += (sample - p.rtt) / 4
	} else {
		p.rtt -= (p.rtt - sample) / 8
		p.rttVar += (p.rtt - sample) / 4
	}
}

// Tick retransmits, sends pings and detects timeouts. Call it about every 10 ms, and call Flush afterwards. Its cost
// depends only on the number of peers whose timers are due.
func (h *Host) Tick(now uint32, handle func(Event)) {
	h.now, h.handler = now, handle
	for len(h.timers) > 0 && !before(now, h.timers[0].wakeAt) {
		p := h.timers[0]
		h.unschedule(p)
		p.expire(now)
		if p.state != stateClosed {
			h.schedule(p)
		}
	}
	h.handler = nil
}

// expire does the timed work of one peer: it ends a connection that has timed out, or starts retransmissions and pings.
func (p *Peer) expire(now uint32) {
	switch p.state {
	case stateLingering:
		if !before(now, p.lingerUntil) {
			p.host.freeSlot(p)
		}
		return
	case stateEnding:
		p.endConnection(p.endReason, 0, p.endReason == Overflow)
		return
	case stateVerifying:
		if now-p.createdAt >= uint32(p.host.cfg.HalfOpenTimeout) {
			p.host.dropHalfOpen(p)
			return
		}
	}
	if p.timedOut && now-p.silentSince >= timeoutMax || p.hasExpiredGap(now) || !p.resend(now) {
		p.host.stats.Timeouts++
		p.endConnection(Timeout, 0, p.remoteID != noPeer)
		return
	}
	if p.needsPing() && now-p.lastAck >= pingInterval {
		p.queuePing()
	}
}

// needsPing reports whether the peer must be pinged while it is idle. A ping is needed if no command is queued or unacknowledged,
// because then nothing else shows whether the peer still responds.
func (p *Peer) needsPing() bool {
	return (p.state == stateConnected || p.state == stateFinishing) && p.inFlight.n == 0 && p.pending.n == 0
}

// resend moves the commands whose retransmission is due from inFlight to the front of the queue pending. It returns false
// if the peer has timed out.
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
		if o.earlyResend = before(now, o.timeoutStart+o.rto); !o.earlyResend {
			if since := later(o.timeoutStart, p.lastAck); !p.timedOut || before(since, p.silentSince) {
				p.timedOut, p.silentSince = true, since
			}
			if p.state != stateVerifying && p.isTimedOut(o, now) {
				return false
			}
			o.rto = min(2*o.rto, o.rtoLimit)
		}
		p.inFlight.remove(o)
		p.inTransit -= int(o.dataLen)
		p.pending.insertAfter(last, o)
		last = o
		p.host.markDirty(p)
	}
	p.resendAt = earliest
	return true
}

// resendDue returns the time in ms of the next transmission of a command that was sent already. This is the earlier of two
// times: (1) the end of the command's timeout and (2) maxResendInterval after its last transmission. Libenet 1.1 knows only
// (1): once the timeouts on both sides have doubled several times, neither side may send for 20 s.
func (o *outgoing) resendDue() uint32 {
	full, soon := o.timeoutStart+o.rto, o.lastSent+maxResendInterval
	if before(soon, full) {
		return soon
	}
	return full
}

// isTimedOut reports whether the peer has timed out. The caller asks when the retransmission timeout of the command o has
// ended. There are three cases: (1) 30 s without any acknowledgement, (2) maxCommandAge without an acknowledgement of o, (3)
// Config.SilenceTimeout without any data or acknowledgement, once the timeout of o has doubled five times. In case 3 libenet
// 1.1 ignores received data and acknowledgements of other commands. It therefore drops a live idle peer within a minute if 30 %
// of the datagrams are lost in each direction.
func (p *Peer) isTimedOut(o *outgoing, now uint32) bool {
	silent, enough := now-p.silentSince, uint32(p.host.cfg.SilenceTimeout)
	return silent >= timeoutMax || now-o.firstSent >= maxCommandAge ||
		silent >= enough && now-p.lastHeard >= enough && o.rto >= o.rtoLimit
}

// nextDue returns the time in ms at which expire must be called next. ok is false if it need not be called.
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
		return p.lingerUntil, true
	case stateEnding:
		return p.host.now, true
	case stateVerifying:
		add(p.createdAt + uint32(p.host.cfg.HalfOpenTimeout))
	}
	if p.inFlight.n > 0 {
		add(p.resendAt)
	}
	if p.timedOut {
		add(p.silentSince + timeoutMax)
	}
	if p.heldBytes > 0 {
		add(p.heldCheck)
	}
	if p.needsPing() {
		add(p.lastAck + pingInterval)
	}
	return due, ok
}
