package raknet

import (
	"cmp"
	"net/netip"
	"slices"
)

const (
	initialRTT    = 200 // ms
	initialWindow = 32  // datagrams in flight before anything was acknowledged
	leastWindow   = 32  // datagrams in flight at least, whatever is lost
)

// acknowledged handles an ACK. Numbers that are not outstanding are ignored: those of unreliable datagrams, of earlier
// sendings, and forged ones.
func (p *Peer) acknowledged(spans []span) {
	count, sample := 0, int64(-1)
	for _, s := range spans {
		n := p.eachInFlight(s, func(o *parcel) {
			if o.acked {
				return
			}
			o.acked = true
			count++
			if o.tries == 1 {
				sample = p.host.now - o.sent
			}
		})
		if n == 0 {
			p.host.stats.UnknownAcks++
		}
	}
	if count == 0 {
		return
	}
	if sample >= 0 {
		p.measure(sample)
	}
	p.land()
	p.grow(count)
	if len(p.pending) > 0 {
		p.touch()
	}
	if p.state == stateClosing && len(p.pending)+len(p.flight) == 0 {
		p.lose(ByUs)
	}
}

// asked handles a NACK: what is outstanding under these numbers is sent again with the next flush, unless it was sent
// so lately that the NACK cannot mean that sending.
func (p *Peer) asked(spans []span) {
	now := p.host.now
	calm := min(p.rtt/2000, p.host.limits.ResendMin)
	for _, s := range spans {
		p.eachInFlight(s, func(o *parcel) {
			p.host.stats.NacksIn++
			if now-o.sent >= calm && o.due > now {
				o.due = now
				p.resendAt = now
				p.touch()
			}
		})
	}
}

// eachInFlight calls f for what is outstanding under the numbers of a span, and returns how many that are.
func (p *Peer) eachInFlight(s span, f func(*parcel)) int {
	first := extend(uint32(s.first), p.number)
	last := first + s.last - s.first
	i, _ := slices.BinarySearchFunc(p.flight, first, func(o *parcel, n int64) int { return cmp.Compare(o.number, n) })
	n := 0
	for ; i < len(p.flight) && p.flight[i].number <= last; i++ {
		f(p.flight[i])
		n++
	}
	return n
}

// land takes what is acknowledged out of the flight.
func (p *Peer) land() {
	kept := p.flight[:0]
	p.lowest = never
	p.resendAt = never
	for _, o := range p.flight {
		if o.acked {
			p.done(o)
			continue
		}
		kept = append(kept, o)
		p.lowest = min(p.lowest, o.message)
		p.resendAt = min(p.resendAt, o.due)
	}
	clear(p.flight[len(kept):])
	p.flight = kept
}

// resend sends again what is due, at most a window of it.
func (p *Peer) resend(emit func(netip.AddrPort, []byte)) (sent bool) {
	now := p.host.now
	if len(p.flight) == 0 || p.resendAt > now {
		return false
	}
	p.resendAt = never
	left := p.cwnd
	again := p.host.again[:0]
	kept := p.flight[:0]
	for _, o := range p.flight {
		if o.due > now || left == 0 {
			p.resendAt = min(p.resendAt, o.due)
			kept = append(kept, o)
			continue
		}
		left--
		p.launch(o, emit)
		p.arm(o)
		p.host.stats.Resent++
		p.stats.Resent++
		if p.narrow {
			p.done(o) // it repeats only once
		} else if p.byNumber {
			kept = append(kept, o)
		} else {
			again = append(again, o)
		}
		sent = true
	}
	p.flight = append(kept, again...) // by number: the new ones are the highest
	clear(again)
	p.host.again = again[:0]
	if sent {
		p.shrink()
	}
	return sent
}

// arm sets when a parcel that was just sent is due again. docs/wire/bedrock.md, RK-11.
func (p *Peer) arm(o *parcel) {
	if p.narrow {
		o.due = never // what we imitate has no timers
		return
	}
	o.due = o.sent + p.timeout(o.tries)
	p.resendAt = min(p.resendAt, o.due)
}

// timeout is how many ms to wait for the acknowledgement of a sending, by its ordinal: 1.5 round trips, more if they
// vary much, doubled with each further sending.
func (p *Peer) timeout(tries int) int64 {
	l := &p.host.limits
	ms := max(l.ResendMin, p.rtt*3/2000)
	if p.measured {
		ms = max(ms, (p.rtt+4*p.rttVar)/1000)
	}
	return min(ms<<min(tries-1, 10), l.ResendMax)
}

// measure takes a round trip in ms.
func (p *Peer) measure(ms int64) {
	us := ms * 1000
	if !p.measured {
		p.measured = true
		p.rtt, p.rttVar = us, us/2
		return
	}
	d := us - p.rtt
	p.rtt += d / 8
	p.rttVar += (max(d, -d) - p.rttVar) / 4
}

// grow opens the window after so many acknowledgements: by as much below the threshold, by one per window above it.
func (p *Peer) grow(count int) {
	most := p.host.limits.MaxInFlight
	if p.cwnd < p.threshold {
		p.cwnd = min(p.cwnd+count, most)
		return
	}
	if p.credit += count; p.credit >= p.cwnd {
		p.credit = 0
		p.cwnd = min(p.cwnd+1, most)
	}
}

// shrink closes the window by a quarter, once per round trip.
func (p *Peer) shrink() {
	now := p.host.now
	if now < p.calmAt {
		return
	}
	p.calmAt = now + max(p.rtt/1000, p.host.limits.ResendMin)
	p.cwnd = max(p.cwnd*3/4, min(leastWindow, p.host.limits.MaxInFlight))
	p.threshold = p.cwnd
	p.credit = 0
}
