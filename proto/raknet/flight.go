package raknet

import (
	"cmp"
	"net/netip"
	"slices"
)

const (
	initialRTT    = 200 // assumed RTT before the first measurement, ms
	initialWindow = 32  // initial congestion window, datagrams
	minWindow     = 32  // minimum congestion window, datagrams
)

// Limits of retransmissions that NACKs cause. In a simulation with 30 % loss, 0.8 % of the datagrams needed more than
// quickResends retransmissions, 0.02 % more than pausedResends, and bulk transfers took as long as without limits.
const (
	quickResends  = 3 // number of retransmissions of a datagram that are sent immediately after a NACK
	pausedResends = 6 // number of retransmissions of a datagram from which on the pause doubles each time
)

// handleAck handles an ACK, which lists the numbers of datagrams that the other side has received. It ignores a number unless a
// reliable datagram in flight has it. Other numbers are those of unreliable datagrams, of earlier transmissions under another
// number, or forged.
func (p *Peer) handleAck(spans []span) {
	count, sample := 0, int64(-1)
	for _, s := range spans {
		n := p.eachInFlight(s, func(o *outDatagram) {
			if o.acked {
				return
			}
			o.acked = true
			count++
			if o.sends == 1 {
				sample = p.host.now - o.lastSent
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
		p.updateRTT(sample)
	}
	p.removeAcked()
	p.onAck(count)
	if len(p.pending) > 0 || p.wantsFlush() {
		p.markDirty()
	}
	if p.state == stateClosing && len(p.pending)+len(p.flight) == 0 {
		p.end(ClosedLocally)
	}
}

// handleNack handles a NACK, which lists the numbers of datagrams that the other side misses. Those in flight are retransmitted
// with the next flush, or later if they were retransmitted before (see nackPause). Datagrams that were sent very recently are
// ignored: the other side cannot know yet that these are lost, so the NACK must refer to an earlier transmission.
func (p *Peer) handleNack(spans []span) {
	now := p.host.now
	minAge := min(p.srtt/2000, p.host.limits.MinRTO)
	for _, s := range spans {
		p.eachInFlight(s, func(o *outDatagram) {
			p.host.stats.NacksIn++
			due := max(now, o.lastSent+p.nackPause(o.sends))
			if now-o.lastSent < minAge || due >= o.retransmitAt {
				return
			}
			o.retransmitAt = due
			p.retransmitAt = min(p.retransmitAt, due)
			if due == now {
				p.markDirty()
			}
		})
	}
}

// nackPause returns the minimum time in ms between a transmission of a datagram and the next one, if a NACK requests it. The
// parameter tries is the number of transmissions so far. The pause is 0 for the first ones, then one loss period, and then it
// doubles up to Limits.MaxRTO. Without pauses, short NACKs could cause any number of long retransmissions.
func (p *Peer) nackPause(tries int) int64 {
	if tries <= quickResends {
		return 0
	}
	return min(p.lossPeriod()<<min(max(tries-pausedResends, 0), 10), p.host.limits.MaxRTO)
}

// lossPeriod returns a time in ms, about one round trip. All retransmissions within it count as one loss, and they are limited
// by the congestion window.
func (p *Peer) lossPeriod() int64 { return max(p.srtt/1000, p.host.limits.MinRTO) }

// eachInFlight calls f with each datagram in flight whose number is in the range s. It returns the number of these
// datagrams.
func (p *Peer) eachInFlight(s span, f func(*outDatagram)) int {
	first := extend(uint32(s.first), p.nextNumber)
	last := first + s.last - s.first
	i, _ := slices.BinarySearchFunc(p.flight, first, func(o *outDatagram, n int64) int { return cmp.Compare(o.number, n) })
	n := 0
	for ; i < len(p.flight) && p.flight[i].number <= last; i++ {
		f(p.flight[i])
		n++
	}
	return n
}

// removeAcked removes the acknowledged datagrams from p.flight, the list of the datagrams in flight.
func (p *Peer) removeAcked() {
	kept := p.flight[:0]
	p.oldestMessage = never
	p.retransmitAt = never
	for _, o := range p.flight {
		if o.acked {
			p.freeDatagram(o)
			continue
		}
		kept = append(kept, o)
		p.oldestMessage = min(p.oldestMessage, o.firstMessage)
		p.retransmitAt = min(p.retransmitAt, o.retransmitAt)
	}
	clear(p.flight[len(kept):])
	p.flight = kept
}

// retransmit sends the datagrams in flight whose retransmission is due, and returns whether it sent any. In one loss period it sends
// at most as many as the congestion window has, plus one for each datagram that is acknowledged meanwhile. If a datagram has not
// been acknowledged for Limits.StallTimeout, the session ends at the next Tick.
func (p *Peer) retransmit(emit func(netip.AddrPort, []byte)) (sent bool) {
	now := p.host.now
	if len(p.flight) == 0 || p.retransmitAt > now {
		return false
	}
	if now >= p.recoveryUntil {
		p.resendsLeft = p.cwnd
	}
	p.retransmitAt = never
	again := p.host.retransmitted[:0]
	kept := p.flight[:0]
	for _, o := range p.flight {
		if o.retransmitAt <= now && now-o.firstSent >= p.host.limits.StallTimeout {
			p.fail(Timeout)
		}
		if o.retransmitAt > now || p.resendsLeft == 0 {
			p.retransmitAt = min(p.retransmitAt, o.retransmitAt)
			kept = append(kept, o)
			continue
		}
		p.resendsLeft--
		p.transmit(o, emit)
		p.scheduleRetransmit(o)
		p.host.stats.Resent++
		p.stats.Resent++
		if p.imitateJSP {
			p.freeDatagram(o) // jsp-raknet retransmits a datagram at most once
		} else if p.sameNumber {
			kept = append(kept, o)
		} else {
			again = append(again, o)
		}
		sent = true
	}
	p.flight = append(kept, again...) // the list stays sorted, because retransmitted datagrams have got the highest numbers
	clear(again)
	p.host.retransmitted = again[:0]
	if sent {
		p.onLoss()
	}
	if p.resendsLeft == 0 {
		p.retransmitAt = max(p.retransmitAt, p.recoveryUntil)
	}
	return sent
}

// scheduleRetransmit sets the time of the next retransmission of a datagram that was just sent. Source:
// docs/wire/bedrock.md, RK-11.
func (p *Peer) scheduleRetransmit(o *outDatagram) {
	if p.imitateJSP {
		o.retransmitAt = never // jsp-raknet has no retransmission timer
		return
	}
	o.retransmitAt = o.lastSent + p.rto(o.sends)
	p.retransmitAt = min(p.retransmitAt, o.retransmitAt)
}

// rto returns the retransmission timeout in ms of a datagram that was transmitted the given number of times. SRTT is the
// smoothed round-trip time and RTTVAR its variation. After the first transmission the timeout is the larger of 1.5 SRTT and
// SRTT + 4 RTTVAR. It doubles with each further transmission. Limits.MinRTO and Limits.MaxRTO bound it.
func (p *Peer) rto(tries int) int64 {
	l := &p.host.limits
	ms := max(l.MinRTO, p.srtt*3/2000)
	if p.rttMeasured {
		ms = max(ms, (p.srtt+4*p.rttVar)/1000)
	}
	return min(ms<<min(tries-1, 10), l.MaxRTO)
}

// updateRTT updates the smoothed round-trip time and its variation with a measured round-trip time in ms (RFC 6298).
func (p *Peer) updateRTT(ms int64) {
	us := ms * 1000
	if !p.rttMeasured {
		p.rttMeasured = true
		p.srtt, p.rttVar = us, us/2
		return
	}
	d := us - p.srtt
	p.srtt += d / 8
	p.rttVar += (max(d, -d) - p.rttVar) / 4
}

// onAck increases the congestion window after count datagrams were acknowledged. In slow start the window grows by count. In
// congestion avoidance it grows by one each time that a whole window of datagrams was acknowledged. Each acknowledgement also
// permits one more retransmission in the current loss period.
func (p *Peer) onAck(count int) {
	p.resendsLeft = min(p.resendsLeft+count, p.cwnd)
	limit := p.host.limits.MaxInFlight
	if p.cwnd < p.ssthresh {
		p.cwnd = min(p.cwnd+count, limit)
		return
	}
	if p.ackCount += count; p.ackCount >= p.cwnd {
		p.ackCount = 0
		p.cwnd = min(p.cwnd+1, limit)
	}
}

// onLoss reduces the congestion window by a quarter and ends slow start. It does so at most once per loss period.
func (p *Peer) onLoss() {
	now := p.host.now
	if now < p.recoveryUntil {
		return
	}
	p.recoveryUntil = now + p.lossPeriod()
	p.cwnd = max(p.cwnd*3/4, min(minWindow, p.host.limits.MaxInFlight))
	p.ssthresh = p.cwnd
	p.ackCount = 0
}
