package console

import (
	"sync"
	"time"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
)

// linkRates derives traffic rates from the counters of players' connections. It is safe for concurrent use.
type linkRates struct {
	mu   sync.Mutex
	list map[sim.EntityID]linkRate
}

// linkRate is the traffic of one connection in the last second.
type linkRate struct {
	stats                                    session.LinkStats
	at                                       time.Time
	bytesIn, bytesOut, packetsIn, packetsOut float64 // traffic per second
}

// update computes the rates since the previous call and removes players that have left.
func (l *linkRates) update(players []session.Player, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := make(map[sim.EntityID]linkRate, len(players))
	for i := range players {
		p := &players[i]
		r := linkRate{stats: p.Link, at: now}
		if was, ok := l.list[p.Entity]; ok {
			elapsed := now.Sub(was.at)
			r.bytesIn = perSecond(was.stats.BytesIn, p.Link.BytesIn, elapsed)
			r.bytesOut = perSecond(was.stats.BytesOut, p.Link.BytesOut, elapsed)
			r.packetsIn = perSecond(was.stats.PacketsIn, p.Link.PacketsIn, elapsed)
			r.packetsOut = perSecond(was.stats.PacketsOut, p.Link.PacketsOut, elapsed)
		}
		next[p.Entity] = r
	}
	l.list = next
}

// perSecond returns the growth per second of a counter from before to after, or 0 if the counter was reset or no time has passed.
func perSecond(before, after uint64, elapsed time.Duration) float64 {
	if elapsed <= 0 || after < before {
		return 0
	}
	return float64(after-before) / elapsed.Seconds()
}

func (l *linkRates) rate(id sim.EntityID) linkRate {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.list[id]
}

// contains reports whether the player was in the world at the last update.
func (l *linkRates) contains(id sim.EntityID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.list[id]
	return ok
}
