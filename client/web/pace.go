package web

import (
	"slices"
	"time"
)

// Constants of the pace, as in client/ts/src/clock.ts.
const (
	paceWindow  = 40   // number of latest snapshots whose numbers of waiting inputs decide the rate
	paceEvery   = 10   // number of snapshots after which the rate is chosen anew
	paceRank    = 4    // index in the sorted numbers of waiting inputs: the 10th percentile is compared with paceReserve
	paceChange  = 0.02 // fraction by which the client ticks faster, or slower for each input that waits beyond paceReserve
	paceMost    = 10   // number of inputs beyond paceReserve above which the client becomes no slower
	paceReserve = 1    // number of inputs that should wait at the server
)

// pace adjusts the speed of the client's ticks so that about one input waits at the server: an input that jitter delays by less than
// a tick is then processed in time. It is the pace of the TypeScript client (docs/wire/web.md).
type pace struct {
	rate  float64           // ticks per tickTime
	waits [paceWindow]uint8 // ring of the numbers of waiting inputs in the latest snapshots
	n     int               // number of snapshots so far
}

func newPace() pace {
	p := pace{rate: 1}
	for i := range p.waits {
		p.waits[i] = paceReserve
	}
	return p
}

// heard records how many inputs wait at the server. Each snapshot contains this number.
func (p *pace) heard(waits uint8) {
	p.waits[p.n%paceWindow] = waits
	p.n++
	if p.n%paceEvery != 0 {
		return
	}
	sorted := p.waits
	slices.Sort(sorted[:])
	switch low := sorted[paceRank]; {
	case low < paceReserve:
		p.rate = 1 + paceChange
	case low > paceReserve:
		p.rate = 1 - paceChange*float64(min(low-paceReserve, paceMost))
	default:
		p.rate = 1
	}
}

// interval returns the time between two client ticks.
func (p *pace) interval() time.Duration { return time.Duration(float64(tickTime) / p.rate) }

// interval returns the present time between two client ticks.
func (c *Client) interval() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.world.pace.interval()
}
