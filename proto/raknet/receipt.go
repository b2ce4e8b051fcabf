package raknet

import "slices"

const (
	maxAckSpans     = 512 // spans of received numbers that wait for a flush
	maxNacks        = 5   // how often a gap is asked for before it is given up, of who repeats only when asked
	minNackInterval = 100 // ms between two of them, at least
)

// receipt is the account of the datagrams that came: what to acknowledge and what to ask for.
type receiveState struct {
	window
	high     int64  // one more than the highest number that came
	gaps     []gap  // what is missing below high, ascending, without those given up
	ackSpans []span // in order of arrival
	ackDue   int64  // ms when acks are due; meaningless while there are none
	nackDue  int64  // ms when the first gap is due; meaningless while there are none
}

// gap is a span of numbers that have not come.
type gap struct {
	span
	nackAt int64 // ms when to ask for it next
	nacks  int
}

// mayAck tells whether another number can be acknowledged.
func (r *receiveState) canAck(n int64) bool {
	return len(r.ackSpans) < maxAckSpans || r.extendsLastAck(n)
}

// follows tells whether a number prolongs the last span. A span does not cross a turn of the 24 bits.
func (r *receiveState) extendsLastAck(n int64) bool {
	k := len(r.ackSpans)
	return k > 0 && r.ackSpans[k-1].last+1 == n && n&0xffffff != 0
}

// acknowledge puts a number on the list of the next ACK, which is due delay ms after the oldest number on it.
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

// take notes a number that is neither ahead nor seen. A gap that it opens is asked for after delay ms.
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

// fill takes a number out of the gap that it is in, if that was not given up.
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

// missing appends the spans to ask for at now to dst, and gives up those that were asked for tries times. again is the ms
// until the next time.
func (r *receiveState) collectNacks(dst []span, now, again int64, tries int) []span {
	again = max(again, minNackInterval)
	kept := r.gaps[:0]
	for _, g := range r.gaps {
		if g.nackAt <= now {
			if g.nacks >= tries {
				continue
			}
			dst = appendSplitAtWrap(dst, g.span)
			g.nackAt = now + again
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

// appendTurns appends a span, cut where the 24 bits of the wire begin anew.
func appendSplitAtWrap(dst []span, s span) []span {
	if turn := s.last &^ 0xffffff; turn > s.first {
		return append(dst, span{s.first, turn - 1}, span{turn, s.last})
	}
	return append(dst, s)
}
