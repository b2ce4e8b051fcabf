package cluster

import (
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Areas are placed by load in three steps: (1) Every node measures the load of every area, because it steps all of them
// (loadMeter). (2) Node 1 decides that another node should lead an area (placeByLoad), and tells the others with its news, as for a
// move by an operator. (3) The leader of the area hands it over (group.handOver). A move of an operator has precedence over a
// placement by load, and both have precedence over the order of membersOf.

// decider is the number of the node that places areas by load. It needs no substitute: while any node is down, no area is placed by load.
const decider = 1

// balanceRules limits how often areas are placed by load. Otherwise changing loads would move areas back and forth between nodes.
type balanceRules struct {
	every   time.Duration // minimum time between two placements
	again   time.Duration // minimum time between two placements of the same area
	minGain int64         // a placement must reduce the load by at least this much; see chooseMove
	samples int64         // number of samples of each area's load, one a second, that the decider must have
}

var defaultBalance = balanceRules{
	every:   10 * time.Second, // chosen as half of the time that the smoothed load needs to show a change
	again:   time.Minute,      // chosen, not measured
	minGain: 100,              // chosen as about the load of five players who walk all the time
	samples: 30,               // the smoothed load has 85 % of its final value
}

// minGainShare sets how much a placement by load must gain: at least 1/minGainShare of the load of the node that the area leaves. The
// value is chosen, not measured.
const minGainShare = 8

// ledArea describes an area for chooseMove: its leader, its load, and whether it may be moved.
type ledArea struct {
	lead  uint64 // number of the node that leads the area; 0 if none is known
	load  int64  // load of the area
	fixed bool   // the area must not be moved
}

// chooseMove returns the area whose move to the node with the least load gains most, and that node, or ok false if no move gains
// enough. The gain is by how much the greater load of the two nodes falls. It must be at least minGain, and at least 1/minGainShare of
// the load of the node that the area leaves. If two areas gain the same, the one with less load is chosen, and then the first one.
// Areas without a leader are not moved, and no area is moved to one of the nodes in the list without. Each such move reduces the sum of
// the squares of all loads. So constant loads cause a limited number of moves, and no area moves back while loads stay the same. The
// parameter nodes has the load of each node by number, including the loads of the areas that it leads.
func chooseMove(nodes []int64, without []uint64, areas []ledArea, minGain int64) (a sim.AreaID, to uint64, ok bool) {
	for node := uint64(1); node < uint64(len(nodes)); node++ {
		if !slices.Contains(without, node) && (to == 0 || nodes[node] < nodes[to]) {
			to = node
		}
	}
	if to == 0 {
		return 0, 0, false
	}
	best := int64(0)
	for i, led := range areas {
		if led.lead == 0 || led.fixed {
			continue
		}
		from := nodes[led.lead]
		gain := min(led.load, from-nodes[to]-led.load)
		if gain >= max(minGain, from/minGainShare) && (gain > best || gain == best && led.load < areas[a].load) {
			a, best, ok = sim.AreaID(i), gain, true
		}
	}
	return a, to, ok
}

// placeByLoad places one area by load if that gains enough, and if nothing pauses the placement by load (see whyPaused). With
// FixedLeads it withdraws all placements instead. It does nothing on other nodes than the decider.
func (h *Host) placeByLoad(now time.Time) {
	if h.opt.Self != decider {
		return
	}
	h.mu.Lock()
	if h.opt.FixedLeads {
		h.withdrawPlacements()
		h.mu.Unlock()
		return
	}
	why := h.whyPaused(now)
	a, to, ok := sim.AreaID(0), uint64(0), false
	if why == "" {
		a, to, ok = h.decidePlace()
	}
	h.mu.Unlock()
	h.logPause(why, now)
	if ok {
		h.log.Info("the area is placed by load: another node is to lead it", telemetry.FieldArea, h.groups[a].name, "node", h.nodeName(to), "load", h.groups[a].load.load())
	}
}

// withdrawPlacements ends all placements by load. An earlier run of this node without FixedLeads has made them, and the other nodes
// have reported them to this run. The caller holds mu.
func (h *Host) withdrawPlacements() {
	for i := range h.placed {
		if p := &h.placed[i]; p.node != 0 {
			*p = placement{0, max(h.NowMS(), p.atMS+1)}
		}
	}
}

// decidePlace chooses by load an area to move (the result a) and the node that should lead it (the result to). It returns ok false if
// no area should move. The caller holds mu.
func (h *Host) decidePlace() (a sim.AreaID, to uint64, ok bool) {
	nowMS := h.NowMS()
	for i := range h.placed {
		if nowMS-h.placed[i].atMS < h.balance.every.Milliseconds() {
			return 0, 0, false
		}
	}
	areas := make([]ledArea, len(h.groups))
	for i, g := range h.groups {
		recent := h.placed[i].atMS != 0 && nowMS-h.placed[i].atMS < h.balance.again.Milliseconds()
		areas[i] = ledArea{h.seen[i].lead, g.load.load(), h.moved[i].node != 0 || recent}
	}
	var without []uint64
	for i := range h.opt.Nodes {
		if node := uint64(i + 1); h.neverLeads(node) {
			without = append(without, node)
		}
	}
	if a, to, ok = chooseMove(h.nodeLoads(), without, areas, h.balance.minGain); ok {
		h.placed[a] = placement{to, max(nowMS, h.placed[a].atMS+1)}
	}
	return a, to, ok
}

// nodeLoads returns the load of each node, by number: the loads of the areas that the node leads, plus the load of the players who
// are connected through it. Element 0 is the load of the areas without a leader. The caller holds mu.
func (h *Host) nodeLoads() []int64 {
	loads := make([]int64, len(h.opt.Nodes)+1)
	for i, g := range h.groups {
		loads[h.seen[i].lead] += g.load.load()
		for node := range loads {
			loads[node] += g.load.loadOf(uint64(node))
		}
	}
	return loads
}
