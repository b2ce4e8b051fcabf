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
	list map[sim.EntityID]linkRate // traffic, by entity id of the player
}

// linkRate is the traffic of one connection in the last second.
type linkRate struct {
	stats                                    session.LinkStats // traffic counters at the time in the field at
	at                                       time.Time         // time of the last update
	bytesIn, bytesOut, packetsIn, packetsOut float64           // traffic per second
	past                                     *linkPast         // traffic of the last minute; nil until the second update
}

// linkPastLength is the number of seconds for which the traffic of a connection is remembered.
const linkPastLength = 60

// linkPoint is the traffic of a connection in one second.
type linkPoint struct {
	rtt                                      int32   // round-trip time in ms; -1 if not known
	bytesIn, bytesOut, packetsIn, packetsOut float32 // traffic per second
}

// linkPast is a ring buffer with one point for each second of the last minute.
type linkPast struct {
	points [linkPastLength]linkPoint
	total  int // number of points added so far
}

func (l *linkPast) add(p linkPoint) {
	l.points[l.total%linkPastLength] = p
	l.total++
}

// linkPastBody is the traffic of a connection in the last minute: columns of equal length with one element per second, oldest
// first.
type linkPastBody struct {
	StepMS     int64     `json:"stepMs"`     // time between two elements, ms
	RTT        []*int32  `json:"rttMs"`      // round-trip time, ms; null if not known
	BytesIn    []float32 `json:"bytesIn"`    // bytes per second from the client
	BytesOut   []float32 `json:"bytesOut"`   // bytes per second to the client
	PacketsIn  []float32 `json:"packetsIn"`  // packets per second from the client
	PacketsOut []float32 `json:"packetsOut"` // packets per second to the client
}

// past returns the traffic of a player's connection in the last minute.
func (l *linkRates) past(id sim.EntityID) linkPastBody {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := linkPastBody{StepMS: time.Second.Milliseconds(), RTT: []*int32{}, BytesIn: []float32{}, BytesOut: []float32{}, PacketsIn: []float32{}, PacketsOut: []float32{}}
	h := l.list[id].past
	if h == nil {
		return b
	}
	for n := max(0, h.total-linkPastLength); n < h.total; n++ {
		p := h.points[n%linkPastLength]
		b.RTT = append(b.RTT, orNull(p.rtt, -1))
		b.BytesIn, b.BytesOut = append(b.BytesIn, p.bytesIn), append(b.BytesOut, p.bytesOut)
		b.PacketsIn, b.PacketsOut = append(b.PacketsIn, p.packetsIn), append(b.PacketsOut, p.packetsOut)
	}
	return b
}

// update computes the traffic rates of the connections of the given players, as averages since the previous call. It removes all
// other players, which have left.
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
			if r.past = was.past; r.past == nil {
				r.past = &linkPast{}
			}
			r.past.add(linkPoint{p.Link.RTT, float32(r.bytesIn), float32(r.bytesOut), float32(r.packetsIn), float32(r.packetsOut)})
		}
		next[p.Entity] = r
	}
	l.list = next
}

// perSecond returns by how much a counter has grown per second: from before to after, in the time elapsed. It returns 0 if the
// counter was reset or no time has passed.
func perSecond(before, after uint64, elapsed time.Duration) float64 {
	if elapsed <= 0 || after < before {
		return 0
	}
	return float64(after-before) / elapsed.Seconds()
}

// rate returns the traffic of a player's connection in the last second. It is zero for an unknown player.
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
