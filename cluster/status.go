package cluster

import (
	"maps"
	"slices"
	"time"

	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/sim"
)

// Status is what a node knows about its cluster.
type Status struct {
	Node      string               // name of this node
	Nodes     []NodeStatus         // all nodes, this one included
	Areas     []AreaStatus         // all areas, by area id
	Transfers []Transfer           // players who are under way between areas: an element for each pair of areas with any, by From and To
	Changes   []LeadChange         // changes of leaders that this node has seen, newest first; at most MaxChanges
	Causes    map[LeadCause]uint64 // number of changes of leaders that this node has seen, by cause
	Paused    string               // why no area can be placed by load now, as a text for people; "" if this node knows no reason

	Dropped uint64 // number of messages of other nodes that were dropped because a queue was full; they are sent again
	Refused uint64 // number of invalid messages of other nodes, which were ignored
	Fenced  uint64 // number of times that the other nodes declared this node dead and it ended its sessions
	Crossed uint64 // number of players that came from other areas into areas that this node led

	LostTicks uint64 // number of ticks that this node counted as stored although no node had their records
}

// NodeStatus describes one node of the cluster as the reporting node sees it, which is the node that made the Status. The described
// node may be the reporting node itself (Self) or another one.
type NodeStatus struct {
	Name        string          // name of the node
	Addr        string          // HOST:PORT for connections from other nodes
	Self        bool            // the described node is the reporting node
	Up          bool            // the reporting node is connected with the described node; true if they are the same
	Since       time.Time       // time of the last change of Up; start time of the node if Self is true
	Draining    bool            // the node hands over its areas, by an order; false if NeverLeads is true
	NeverLeads  bool            // the node leads no areas because of its settings; false if it stops
	Leaving     bool            // the node is stopping
	Incarnation uint64          // incarnation in the last hello of the node; 0 if it was never connected
	Version     string          // version of the node's program by the same hello; "" if it was never connected
	Load        uint64          // load of the areas that the node leads, plus DoorLoad; see loadMeter
	DoorLoad    uint64          // load of the players who are connected through the node, in all areas
	Link        link.PeerStatus // connection to the node; zero value if Self is true
}

// AreaStatus describes an area, its leader and its copies.
type AreaStatus struct {
	ID        sim.AreaID  // id of the area
	Name      string      // name of the area
	Lead      string      // name of the node that leads the area; "" if none is known
	Since     time.Time   // time at which Lead became the leader, by its own account, or was lost
	Term      uint64      // Raft term of the log, which grows with each election; epoch with which records of the area are stored
	Preferred string      // node to which an operator has moved the area; "" if none
	PlacedBy  PlacedBy    // what decides which node should lead the area
	Load      uint64      // intents of players in the area per second, plus the number of players, smoothed over about 16 s
	Tick      sim.Tick    // newest tick of this node's copy
	LastIndex uint64      // index of the newest entry in this node's log
	StepIndex uint64      // index of the newest entry that this node has stepped
	SavedTick sim.Tick    // records up to this tick are stored
	Copies    []Copy      // copies on all nodes, in the order of Status.Nodes
	UnderWay  int         // number of players who have left the area and whose arrival in another one is not confirmed, in this node's copy
	Settled   uint64      // number of players who have left the area and whose arrival in another one is confirmed, since the areas began
	Changes   uint64      // number of changes of the leader that this node has seen
	Last      *LeadChange // newest change of the leader that this node has seen; nil if there was none
}

// PlacedBy says what determines the node that should lead an area: the default order of nodes, their load, or an operator.
type PlacedBy string

const (
	PlacedByDefault  PlacedBy = "default"  // the default order of the nodes for each area; see membersOf
	PlacedByLoad     PlacedBy = "load"     // the loads of the nodes
	PlacedByOperator PlacedBy = "operator" // a move by an operator
)

// placedBy returns what determines the node that should lead an area. The caller holds mu.
func (h *Host) placedBy(a sim.AreaID) PlacedBy {
	switch {
	case h.moved[a].node != 0:
		return PlacedByOperator
	case h.placed[a].node != 0:
		return PlacedByLoad
	}
	return PlacedByDefault
}

// isChosen reports whether a node is the one that an operator, or else the load, has chosen as the leader of an area. The caller
// holds mu.
func (h *Host) isChosen(a sim.AreaID, node uint64) bool {
	if moved := h.moved[a].node; moved != 0 {
		return moved == node
	}
	return h.placed[a].node == node
}

// Copy describes the copy of an area on a node.
type Copy struct {
	Node  string // name of the node
	Known bool   // Lag is known; false while the node is not connected or has sent no news yet
	Lag   uint64 // number of ticks behind the newest known copy; up to a second old
}

// LeadChange is a change of the node that leads an area.
type LeadChange struct {
	At       time.Time // time at which this node saw the change
	Area     string    // name of the area
	From, To string    // names of the previous and the new leader
	Cause    LeadCause // why the leader changed
	Reason   string    // Cause with the names of nodes, as a text for people
}

// LeadCause says why the leader of an area has changed.
type LeadCause string

const (
	CauseNoConnection LeadCause = "no_connection"  // there was no connection to the previous leader
	CauseNoAnswer     LeadCause = "no_answer"      // the previous leader was connected and did not answer
	CauseNoLink       LeadCause = "no_link"        // the previous leader had no connection to a node that other nodes reach
	CauseRegained     LeadCause = "regained"       // the leader lost its connections to the other nodes, and leads again
	CauseStops        LeadCause = "stops"          // the previous leader stopped before it could hand over the area
	CauseDrains       LeadCause = "drains"         // the previous leader drained, which a node also does before it stops
	CauseMoved        LeadCause = "moved"          // an operator has moved the area
	CauseLoad         LeadCause = "load"           // the area was placed by load
	CauseRecords      LeadCause = "missed_records" // the previous leader has missed ticks whose records are not stored
	CauseBehind       LeadCause = "behind"         // the previous leader had not stepped the log yet
	CauseHandedOver   LeadCause = "handed_over"    // the previous leader handed over the area for a reason that this node does not know
	CauseDefault      LeadCause = "default"        // the new leader leads the area by default
)

// LeadCauses are all causes.
var LeadCauses = []LeadCause{CauseNoConnection, CauseNoAnswer, CauseNoLink, CauseRegained, CauseStops, CauseDrains, CauseMoved, CauseLoad, CauseRecords, CauseBehind, CauseHandedOver, CauseDefault}

// why is the cause of a change of leader, with a text that explains it to people.
type why struct {
	cause LeadCause // "" if it is not known
	text  string
}

// MaxChanges is the maximum number of elements of Status.Changes.
const MaxChanges = 100

// leadSeen is what this node has seen of the leaders of an area.
type leadSeen struct {
	lead    uint64      // number of the leader; 0 if none is known
	since   time.Time   // time of the last change of the leader
	term    uint64      // newest Raft term
	before  uint64      // number of the previous leader; used while lead is 0
	lost    why         // why the previous leader was lost; no cause if it is not clear yet
	changes uint64      // number of changes of the leader
	last    *LeadChange // newest change; nil if there was none
}

// noteLead records the current leader of an area. If another node led before, it also records a LeadChange.
func (h *Host) noteLead(g *group, lead, term uint64, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := &h.seen[g.area]
	s.term = term
	if lead == s.lead {
		return
	}
	from, lost := s.lead, why{}
	if from == 0 {
		from, lost = s.before, s.lost
	}
	if lead == 0 {
		s.lead, s.since, s.before, s.lost = 0, now, from, h.whyLost(from)
		return
	}
	s.lead, s.since, s.before, s.lost = lead, now, 0, why{}
	if from == 0 { // the first leader that this node has seen
		return
	}
	if lost.cause == "" {
		lost = h.whyChanged(g.area, from, lead, now)
		if lost.cause == CauseNoAnswer && g.handedOver == term {
			lost = why{CauseHandedOver, h.nodeName(from) + " handed it over"}
		}
	}
	s.changes++
	s.last = &LeadChange{At: now, Area: g.name, From: h.nodeName(from), To: h.nodeName(lead), Cause: lost.cause, Reason: lost.text}
	h.causes[lost.cause]++
	h.told = append(h.told, *s.last)
	if len(h.told) >= 2*MaxChanges {
		h.told = append(h.told[:0], h.told[len(h.told)-MaxChanges:]...)
	}
}

// whyLost returns what is wrong with a node that no longer leads an area, or no cause if nothing is known to be wrong. The caller
// holds mu.
func (h *Host) whyLost(node uint64) why {
	name, p := h.nodeName(node), &h.peers[node]
	switch {
	case node == 0:
		return why{}
	case node == h.opt.Self && h.leaving.Load() || p.left:
		return why{CauseStops, name + " stops"}
	case h.neverLeads(node):
		return why{CauseDrains, name + " leads no areas by its settings"}
	case node == h.opt.Self && h.draining.Load() || p.draining:
		return why{CauseDrains, name + " drains"}
	case node != h.opt.Self && !p.up:
		return why{CauseNoConnection, "no connection to " + name}
	}
	return why{}
}

// whyChanged returns why the leadership of an area went from one node to another. The caller holds mu.
func (h *Host) whyChanged(a sim.AreaID, from, to uint64, now time.Time) why {
	order := h.membersOf(a)
	lost, apart := h.whyLost(from), h.lacksLink(from, now)
	switch {
	case lost.cause != "":
		return lost
	case from == to:
		return why{CauseRegained, h.nodeName(from) + " had lost the other nodes"}
	case h.moved[a].node == to:
		return why{CauseMoved, "moved by an operator"}
	case h.placedBy(a) == PlacedByLoad && h.placed[a].node == to:
		return why{CauseLoad, "placed by load"}
	case h.lacksRecords(from, a) && !h.lacksRecords(to, a):
		return why{CauseRecords, h.nodeName(from) + " has missed ticks whose records are not stored"}
	case apart != 0:
		return why{CauseNoLink, h.nodeName(from) + " has no connection to " + h.nodeName(apart)}
	case h.isBehind(from, a) && !h.isBehind(to, a):
		return why{CauseBehind, h.nodeName(from) + " has not stepped all ticks"}
	case !h.isChosen(a, from) && slices.Index(order, to) < slices.Index(order, from):
		return why{CauseDefault, h.nodeName(to) + " leads it by default"}
	}
	return why{CauseNoAnswer, h.nodeName(from) + " did not answer in time"}
}

// linkStatus is implemented by Links that report the state of their connections.
type linkStatus interface{ Status() []link.PeerStatus }

// Status returns what this node knows about the cluster. It does not wait for the goroutines of areas.
func (h *Host) Status() Status {
	s := Status{
		Node:    h.nodeName(h.opt.Self),
		Dropped: h.metrics.Dropped.Load(), Refused: h.metrics.Refused.Load(), Fenced: h.metrics.Fenced.Load(), Crossed: h.metrics.Crossed.Load(), LostTicks: h.metrics.LostTicks.Load(),
	}
	var links []link.PeerStatus
	if l, ok := h.opt.Links.(linkStatus); ok {
		links = l.Status()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s.Paused, s.Causes = h.whyPaused(time.Now()), maps.Clone(h.causes)
	loads := h.nodeLoads()
	for i, n := range h.opt.Nodes {
		id := uint64(i + 1)
		p := &h.peers[id]
		node := NodeStatus{Name: n.Name, Addr: n.Addr, Up: p.up, Since: p.since, Draining: p.draining && !p.left && !p.neverLeads, NeverLeads: p.neverLeads, Leaving: p.left, Incarnation: p.incarnation, Version: p.version, Load: uint64(loads[id])}
		for _, g := range h.groups {
			node.DoorLoad += uint64(g.load.loadOf(id))
		}
		if id == h.opt.Self {
			node.Self, node.Up, node.Since, node.Incarnation = true, true, h.began, h.Incarnation()
			node.Version, node.Leaving = h.opt.Version, h.leaving.Load()
			node.NeverLeads = h.opt.NeverLeads && !node.Leaving
			node.Draining = h.draining.Load() && !node.Leaving && !node.NeverLeads
		} else if at := slices.IndexFunc(links, func(l link.PeerStatus) bool { return l.Node.ID == id }); at >= 0 {
			node.Link = links[at]
		}
		s.Nodes = append(s.Nodes, node)
	}
	for i, g := range h.groups {
		s.Areas = append(s.Areas, h.areaStatus(i, g))
	}
	s.Transfers = h.transfers(s.Areas)
	newest := h.told[max(0, len(h.told)-MaxChanges):]
	s.Changes = slices.Clone(newest)
	slices.Reverse(s.Changes)
	return s
}

// LacksLeader reports whether an area has had no leader that this node knows for longer than the given time.
func (h *Host) LacksLeader(longer time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.seen, func(s leadSeen) bool { return s.lead == 0 && time.Since(s.since) > longer })
}

// areaStatus returns the status of an area. The caller holds mu.
func (h *Host) areaStatus(i int, g *group) AreaStatus {
	seen := &h.seen[i]
	a := AreaStatus{
		ID: g.area, Name: g.name, Lead: h.nodeName(seen.lead), Since: seen.since, Term: seen.term, Preferred: h.nodeName(h.moved[i].node), PlacedBy: h.placedBy(g.area), Load: uint64(g.load.load()),
		Tick: sim.Tick(g.tick.Load()), LastIndex: g.lastIndex.Load(), StepIndex: g.stepIndex.Load(), SavedTick: sim.Tick(g.savedTick.Load()),
		UnderWay: g.crossed.underWay(), Settled: g.crossed.settled(), Changes: seen.changes, Last: seen.last,
	}
	if p := &h.peers[seen.lead]; seen.lead != h.opt.Self && p.up && p.ledMS != nil && p.ledMS[i] != 0 { // this node may have been down or cut off then
		a.Since = h.began.Add(time.Duration(p.ledMS[i]-h.baseMS) * time.Millisecond)
	}
	ahead := int64(0) // number of ticks by which the newest copy is ahead of this node's
	for id := range h.peers {
		if p := &h.peers[id]; p.up && p.behind != nil {
			ahead = max(ahead, -p.behind[i])
		}
	}
	for id, n := range h.opt.Nodes {
		c := Copy{Node: n.Name}
		switch p := &h.peers[id+1]; {
		case n.ID == h.opt.Self:
			c.Known, c.Lag = true, uint64(ahead)
		case p.up && p.behind != nil:
			c.Known, c.Lag = true, uint64(max(0, p.behind[i]+ahead))
		}
		a.Copies = append(a.Copies, c)
	}
	return a
}
