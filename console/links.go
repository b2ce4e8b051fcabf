package console

import (
	"sync"
	"time"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
)

// links turns the counters of players' connections into rates. Safe for any goroutine.
type links struct {
	mu   sync.Mutex
	list map[sim.EntityID]linkRate
}

// linkRate is how much went over a connection in the last second.
type linkRate struct {
	was                                      session.LinkStats
	at                                       time.Time
	bytesIn, bytesOut, packetsIn, packetsOut float64 // per second
}

// measure compares the counters with those of the call before, and forgets whoever is gone.
func (l *links) measure(players []session.Player, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := make(map[sim.EntityID]linkRate, len(players))
	for i := range players {
		p := &players[i]
		r := linkRate{was: p.Link, at: now}
		if was, ok := l.list[p.Entity]; ok {
			elapsed := now.Sub(was.at)
			r.bytesIn = perSecond(was.was.BytesIn, p.Link.BytesIn, elapsed)
			r.bytesOut = perSecond(was.was.BytesOut, p.Link.BytesOut, elapsed)
			r.packetsIn = perSecond(was.was.PacketsIn, p.Link.PacketsIn, elapsed)
			r.packetsOut = perSecond(was.was.PacketsOut, p.Link.PacketsOut, elapsed)
		}
		next[p.Entity] = r
	}
	l.list = next
}

// perSecond is the growth of a counter, 0 if it cannot be told.
func perSecond(was, is uint64, elapsed time.Duration) float64 {
	if elapsed <= 0 || is < was {
		return 0
	}
	return float64(is-was) / elapsed.Seconds()
}

func (l *links) of(id sim.EntityID) linkRate {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.list[id]
}

// knows tells whether the player was in the world in the last second.
func (l *links) knows(id sim.EntityID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.list[id]
	return ok
}
