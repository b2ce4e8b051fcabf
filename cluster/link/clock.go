package link

import (
	"sync"
	"time"
)

const (
	// MaxClockOffset is the largest difference between their clocks at which two nodes accept a link.
	MaxClockOffset = 500 * time.Millisecond

	offsetWindow = 64               // number of newest round trips, of which the shortest is chosen: 6.4 s
	maxRoundTrip = 10 * time.Second // longer round trips are ignored, because they say nothing about the clock
)

// roundTrip is one measurement of a peer's clock.
type roundTrip struct {
	length time.Duration // duration of the round trip without the time that the peer needed to answer
	offset time.Duration // peer's clock minus own clock; wrong by at most half of length
}

// measure computes a round trip from pong p. The parameter answered is the time at which p arrived, by the clock of this node.
// The result ok is false if the times in p are impossible for a peer with a correct clock.
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

// beyond reports whether the clocks certainly differ by more than limit, in whatever way the duration of the round trip is
// divided between its two directions.
func (r roundTrip) beyond(limit time.Duration) bool {
	return r.offset-r.length/2 > limit || r.offset+r.length/2 < -limit
}

// offsets estimates the clock of a peer from the newest round trips. The shortest one was delayed least, so it is the
// most exact. offsets is safe for concurrent use.
type offsets struct {
	mu   sync.Mutex
	ring [offsetWindow]roundTrip // ring buffer
	n    int                     // number of round trips so far; the newest is ring[(n-1)%offsetWindow]
	best roundTrip               // shortest round trip in ring
}

// reset removes the round trips of an earlier link, and adds the first round trip of a new link.
func (o *offsets) reset(first roundTrip) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n = 0
	o.add(first)
}

// observe adds a round trip of the current link.
func (o *offsets) observe(r roundTrip) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.add(r)
}

// add stores a round trip and updates best. The caller holds mu.
func (o *offsets) add(r roundTrip) {
	o.ring[o.n%offsetWindow] = r
	o.n++
	o.best = r // of several round trips with the same length the newest is chosen
	for _, old := range o.ring[:min(o.n, offsetWindow)] {
		if old.length < o.best.length {
			o.best = old
		}
	}
}

// get returns the shortest of the newest round trips (see offsetWindow), or the zero value if there is none yet.
func (o *offsets) get() roundTrip {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.best
}
