package link

import (
	"sync"
	"time"
)

const (
	// MaxClockOffset is the largest difference of the clocks of two nodes that are connected.
	MaxClockOffset = 500 * time.Millisecond

	offsetWindow = 64               // count   newest round trips from which the shortest is chosen: 6.4 s
	maxRoundTrip = 10 * time.Second // longer ones say nothing about the clock
)

// roundTrip is one measurement of the clock of the peer.
type roundTrip struct {
	length time.Duration // without the time that the peer needed to answer
	offset time.Duration // clock of the peer minus own clock; wrong by at most half of length
}

// measure returns the round trip of a ping that was sent and answered at the times asked and answered of the own clock, and
// was received and answered at the times of p by the peer's clock. ok is false if no peer with an honest clock answers so.
func measure(p pong, answered time.Time) (r roundTrip, ok bool) {
	total, held := answered.Sub(p.asked), p.sent.Sub(p.received)
	if total < 0 || total > maxRoundTrip || held < 0 || held > total {
		return r, false
	}
	r.length = total - held
	there, back := p.received.Sub(p.asked), p.sent.Sub(answered)
	r.offset = there/2 + back/2
	return r, true
}

// beyond reports whether the clocks differ by more than limit, whatever part of the round trip each way took.
func (r roundTrip) beyond(limit time.Duration) bool {
	return r.offset-r.length/2 > limit || r.offset+r.length/2 < -limit
}

// offsets estimates the clock of a peer from the newest round trips: the shortest one is the least delayed, and so the most exact.
// It is safe for concurrent use.
type offsets struct {
	mu   sync.Mutex
	ring [offsetWindow]roundTrip
	n    int // number of round trips so far; the newest is ring[(n-1)%offsetWindow]
	best roundTrip
}

// reset forgets the round trips of an earlier link.
func (o *offsets) reset(first roundTrip) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n = 0
	o.add(first)
}

func (o *offsets) observe(r roundTrip) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.add(r)
}

// add requires the lock.
func (o *offsets) add(r roundTrip) {
	o.ring[o.n%offsetWindow] = r
	o.n++
	o.best = r // of several with the same length the newest counts
	for _, old := range o.ring[:min(o.n, offsetWindow)] {
		if old.length < o.best.length {
			o.best = old
		}
	}
}

// get returns the shortest round trip of the window; the zero value before the first.
func (o *offsets) get() roundTrip {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.best
}
