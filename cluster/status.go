package cluster

import (
	"slices"
	"time"

	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/sim"
)

// Status is what a node knows of its cluster.
type Status struct {
	Node    string // this node
	Nodes   []NodeStatus
	Areas   []AreaStatus
	Changes []LeadChange // the newest changes of leads that this node has seen, newest first; at most MaxChanges

	Dropped uint64 // messages of other nodes that found no place here; they are sent again
	Refused uint64 // messages of other nodes that could not be used
	Fenced  uint64 // times that this node was marked as gone and its sessions ended
	Crossed uint64 // players that have come from other areas into areas that this node led
}

// NodeStatus is a node of the cluster.
type NodeStatus struct {
	Name        string
	Addr        string
	Self        bool // this node
	Up          bool // this node, or connected with it
	Since       time.Time
	Draining    bool // it hands over its areas
	Leaving     bool // it stops
	Incarnation uint64
	Link        link.PeerStatus // zero for this node
}

// AreaStatus is an area and the copies of it.
type AreaStatus struct {
	ID        sim.AreaID
	Name      string
	Lead      string    // node that leads it, "" if none is known
	Since     time.Time // since when
	Term      uint64    // grows with each election; the epoch of the records of the area
	Preferred string    // node to which an operator has moved it, "" if none
	Tick      sim.Tick  // newest tick of the copy of this node
	LastIndex uint64    // newest entry of the log here
	StepIndex uint64    // newest entry that is stepped here
	SavedTick sim.Tick  // records up to this tick are stored
	Copies    []Copy    // of all nodes, in their order
	Changes   uint64    // number of changes of the lead that this node has seen
	Last      *LeadChange
}

// Copy is the copy of an area on a node.
type Copy struct {
	Node  string
	Known bool   // the node is up and has told of it
	Lag   uint64 // ticks behind the newest copy that is known; nodes tell once a second, so up to as much may be missing or too much
}

// LeadChange is a change of the node that leads an area.
type LeadChange struct {
	At       time.Time
	Area     string
	From, To string // nodes
	Reason   string
}

// MaxChanges bounds Status.Changes.
const MaxChanges = 100

// leadSeen is what this node has seen of the leads of an area.
type leadSeen struct {
	lead    uint64    // 0 if none is known
	since   time.Time // of lead
	term    uint64
	before  uint64 // lead before, if lead is 0
	lost    string // why before was lost; "" if it is not clear yet
	changes uint64
	last    *LeadChange
}

// noteLead notes who leads an area.
func (h *Host) noteLead(g *group, lead, term uint64, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := &h.seen[g.area]
	s.term = term
	if lead == s.lead {
		return
	}
	from, lost := s.lead, ""
	if from == 0 {
		from, lost = s.before, s.lost
	}
	if lead == 0 {
		s.lead, s.since, s.before, s.lost = 0, now, from, h.whyLost(from)
		return
	}
	s.lead, s.since, s.before, s.lost = lead, now, 0, ""
	if from == 0 { // the first one since this node runs
		return
	}
	if lost == "" {
		lost = h.whyChanged(g.area, from, lead)
	}
	s.changes++
	s.last = &LeadChange{At: now, Area: g.name, From: h.nodeName(from), To: h.nodeName(lead), Reason: lost}
	h.told = append(h.told, *s.last)
	if len(h.told) >= 2*MaxChanges {
		h.told = append(h.told[:0], h.told[len(h.told)-MaxChanges:]...)
	}
}

// whyLost returns why a node does not lead any more, "" if nothing is wrong with it. The caller holds mu.
func (h *Host) whyLost(node uint64) string {
	name, p := h.nodeName(node), &h.peers[node]
	switch {
	case node == 0:
		return ""
	case node == h.opt.Self && h.leaving.Load() || p.left:
		return name + " stops"
	case node == h.opt.Self && h.draining.Load() || p.draining:
		return name + " drains"
	case node != h.opt.Self && !p.up:
		return "no connection to " + name
	}
	return ""
}

// whyChanged returns why a node leads an area after another one. The caller holds mu.
func (h *Host) whyChanged(a sim.AreaID, from, to uint64) string {
	order := h.membersOf(a)
	why := h.whyLost(from)
	switch {
	case why != "":
		return why
	case from == to:
		return h.nodeName(from) + " had lost the other nodes"
	case h.moved[a].node == to:
		return "moved by an operator"
	case slices.Index(order, to) < slices.Index(order, from):
		return h.nodeName(to) + " leads it by default"
	}
	return h.nodeName(from) + " did not answer in time"
}

// linkStatus is implemented by Links that can tell about their links.
type linkStatus interface{ Status() []link.PeerStatus }

// Status returns what this node knows of the cluster. It does not wait for areas.
func (h *Host) Status() Status {
	s := Status{
		Node:    h.nodeName(h.opt.Self),
		Dropped: h.metrics.Dropped.Load(), Refused: h.metrics.Refused.Load(), Fenced: h.metrics.Fenced.Load(), Crossed: h.metrics.Crossed.Load(),
	}
	var links []link.PeerStatus
	if l, ok := h.opt.Links.(linkStatus); ok {
		links = l.Status()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, n := range h.opt.Nodes {
		id := uint64(i + 1)
		p := &h.peers[id]
		node := NodeStatus{Name: n.Name, Addr: n.Addr, Up: p.up, Since: p.since, Draining: p.draining && !p.left, Leaving: p.left, Incarnation: p.incarnation}
		if id == h.opt.Self {
			node.Self, node.Up, node.Since, node.Incarnation = true, true, h.began, h.Incarnation()
			node.Leaving = h.leaving.Load()
			node.Draining = h.draining.Load() && !node.Leaving
		} else if at := slices.IndexFunc(links, func(l link.PeerStatus) bool { return l.Node.ID == id }); at >= 0 {
			node.Link = links[at]
		}
		s.Nodes = append(s.Nodes, node)
	}
	for i, g := range h.groups {
		s.Areas = append(s.Areas, h.areaStatus(i, g))
	}
	newest := h.told[max(0, len(h.told)-MaxChanges):]
	s.Changes = slices.Clone(newest)
	slices.Reverse(s.Changes)
	return s
}

// areaStatus returns the status of an area. The caller holds mu.
func (h *Host) areaStatus(i int, g *group) AreaStatus {
	seen := &h.seen[i]
	a := AreaStatus{
		ID: g.area, Name: g.name, Lead: h.nodeName(seen.lead), Since: seen.since, Term: seen.term, Preferred: h.nodeName(h.moved[i].node),
		Tick: sim.Tick(g.tick.Load()), LastIndex: g.lastIndex.Load(), StepIndex: g.stepIndex.Load(), SavedTick: sim.Tick(g.savedTick.Load()),
		Changes: seen.changes, Last: seen.last,
	}
	ahead := int64(0) // ticks by which the newest copy is before that of this node
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
