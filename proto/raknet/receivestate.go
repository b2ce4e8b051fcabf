package raknet

import "slices"

const (
	maxAckSpans     = 512 // maximum number of spans to acknowledge that wait for a flush
	maxNacks        = 5   // maximum NACKs of one gap, after which its numbers are given up; for a peer that retransmits only after a NACK
	minNackInterval = 100 // minimum ms between NACKs of one gap
)

// receiveState records which datagram numbers were received. It also holds the numbers that must therefore be sent to the other
// side: the numbers to acknowledge, and the missing numbers to report with NACKs.
type receiveState struct {
	window
	high     int64  // highest received number plus one
	gaps     []gap  // missing numbers below high, ascending, without those that were given up
	ackSpans []span // numbers to acknowledge, in order of arrival
	ackDue   int64  // time in ms at which ackSpans must be sent; meaningless if ackSpans is empty
	nackDue  int64  // time in ms at which the first gap must be NACKed; meaningless if there is no gap
}

// gap is a range of datagram numbers that have not arrived.
type gap struct {
	span
	nackAt int64 // time in ms at which the next NACK is due
	nacks  int   // number of NACKs sent for the gap
}

// canAck reports whether there is room to queue the datagram number n for acknowledgement. The queue consists of spans, which
// are ranges of numbers. If it is full, only a number that extends the last span has room.
func (r *receiveState) canAck(n int64) bool {
	return len(r.ackSpans) < maxAckSpans || r.extendsLastAck(n)
}

// extendsLastAck reports whether the number n can be added to the last span in ackSpans: n must directly follow the span. The result
// is also false if (1) the 24-bit numbers on the wire wrap at n, because a span must not cross the wrap, or (2) the span has as many
// numbers as one ACK may state.
func (r *receiveState) extendsLastAck(n int64) bool {
	k := len(r.ackSpans)
	if k == 0 {
		return false
	}
	last := r.ackSpans[k-1]
	return last.last+1 == n && n&0xffffff != 0 && n-last.first < maxNumbers
}

// queueAck queues the datagram number n for the next ACK. If the queue was empty, the ACK is due after delay ms.
func (r *receiveState) queueAck(n, now, delay int64) {
	if len(r.ackSpans) == 0 {
		r.ackDue = now + delay
	}
	if r.extendsLastAck(n) {
		r.ackSpans[len(r.ackSpans)-1].last = n
		return
	}
	r.ackSpans = append(r.ackSpans, span{n, n})
}

// add records that the datagram number n was received. The number must be new, and tooFarAhead(n) must be false. If numbers
// below n are missing, a NACK for them is due after delay ms.
func (r *receiveState) add(n, now, delay int64) {
	if n >= r.high {
		if n > r.high {
			if len(r.gaps) == 0 {
				r.nackDue = now + delay
			}
			r.gaps = append(r.gaps, gap{span: span{r.high, n - 1}, nackAt: now + delay})
			r.nackDue = min(r.nackDue, now+delay)
		}
		r.high = n + 1
	} else {
		r.fillGap(n)
	}
	r.mark(n)
}

// fillGap removes the received number n from the gap that contains it. It does nothing if there is no such gap, because
// collectNacks no longer waits for n.
func (r *receiveState) fillGap(n int64) {
	i, _ := slices.BinarySearchFunc(r.gaps, n, func(g gap, n int64) int { return int(g.last - n) })
	if i == len(r.gaps) || n < r.gaps[i].first {
		return
	}
	switch g := &r.gaps[i]; {
	case g.first == g.last:
		r.gaps = slices.Delete(r.gaps, i, i+1)
	case n == g.first:
		g.first++
	case n == g.last:
		g.last--
	default:
		rest := *g
		g.last, rest.first = n-1, n+1
		r.gaps = slices.Insert(r.gaps, i+1, rest)
	}
}

// collectNacks appends to dst the ranges of missing numbers for which a NACK is due. For each gap a NACK is due every
// interval ms, at most tries times. After that, collectNacks removes the gap and no longer waits for its numbers.
func (r *receiveState) collectNacks(dst []span, now, interval int64, tries int) []span {
	interval = max(interval, minNackInterval)
	kept := r.gaps[:0]
	for _, g := range r.gaps {
		if g.nackAt <= now {
			if g.nacks >= tries {
				continue
			}
			dst = appendSplitAtWrap(dst, g.span)
			g.nackAt = now + interval
			g.nacks++
		}
		if len(kept) == 0 {
			r.nackDue = g.nackAt
		}
		r.nackDue = min(r.nackDue, g.nackAt)
		kept = append(kept, g)
	}
	if len(kept) < len(r.gaps) {
		r.gaps = kept
		if len(kept) > 0 {
			r.skipTo(kept[0].first)
		} else {
			r.skipTo(r.high)
		}
	}
	return dst
}

// appendSplitAtWrap appends the span s to dst. If the 24-bit numbers on the wire wrap around within s, it appends two spans: one
// up to the wrap, and one after it.
func appendSplitAtWrap(dst []span, s span) []span {
	if wrap := s.last &^ 0xffffff; wrap > s.first {
		return append(dst, span{s.first, wrap - 1}, span{wrap, s.last})
	}
	return append(dst, s)
}
