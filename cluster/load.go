package cluster

import (
	"sync/atomic"

	"github.com/truestep-io/truestep/sim"
)

// loadMeter measures the load of an area: its players' intents per second plus the number of its players, because the leader stores
// their records. A second is counted in ticks of the log. So all nodes that have stepped the same batches since their start have the
// same values, however fast they step. Each value is split by the node through which the players are connected. Only the goroutine of
// the area calls the methods; any goroutine may read smooth and samples.
type loadMeter struct {
	counts  []int64        // intents since the last sample, by number of the node
	ticks   int            // ticks since the last sample
	smooth  []atomic.Int64 // smoothed load in 1/loadScale, by number of the node
	samples atomic.Int64   // number of samples since the start of this node
}

const (
	loadScale = 1000 // smooth has a thousandth as its unit, because integers are equal on all nodes
	smoothing = 16   // a sample, one a second, changes the smoothed load by 1/16 of the difference; chosen, not measured
)

func newLoadMeter(nodes int) loadMeter {
	return loadMeter{counts: make([]int64, nodes+1), smooth: make([]atomic.Int64, nodes+1)}
}

// count counts the intents of players in a batch. The parameter home returns the node through which a player is connected.
func (m *loadMeter) count(intents []sim.Intent, home func(sim.EntityID) uint64) {
	for i := range intents {
		if in := &intents[i]; !in.Kind.IsOfServer() {
			m.add(home(in.Who))
		}
	}
}

// add counts one intent or player of a node.
func (m *loadMeter) add(node uint64) {
	if node < uint64(len(m.counts)) { // node is part of an entity id and not checked; numbers without a node are ignored
		m.counts[node]++
	}
}

// stepped is called after each tick with the frame of that tick. Every ticksPerSecond calls, it adds a sample to the smoothed load.
func (m *loadMeter) stepped(f *sim.Frame, ticksPerSecond int, home func(sim.EntityID) uint64) {
	if m.ticks++; m.ticks < ticksPerSecond {
		return
	}
	m.ticks = 0
	for i := range f.Actors {
		if a := &f.Actors[i]; a.Is(sim.FlagPlayer) {
			m.add(home(a.ID))
		}
	}
	for node := range m.counts {
		was := m.smooth[node].Load()
		m.smooth[node].Store(was + (m.counts[node]*loadScale-was)/smoothing)
	}
	clear(m.counts)
	m.samples.Add(1)
}

// load returns the load of the area.
func (m *loadMeter) load() (sum int64) {
	for node := range m.smooth {
		sum += m.loadOf(uint64(node))
	}
	return sum
}

// loadOf returns the part of the load that comes from players who are connected through a node.
func (m *loadMeter) loadOf(node uint64) int64 { return m.smooth[node].Load() / loadScale }

// homeOf returns the number of the node through which a player is connected, or was connected last.
func (g *group) homeOf(who sim.EntityID) uint64 {
	if at, ok := g.homes[who]; ok {
		return at.node
	}
	return uint64(who.Node())
}
