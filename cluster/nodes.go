package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/sim"
)

// peer is what this node knows about another node.
type peer struct {
	up          bool      // this node is connected with the described node
	since       time.Time // time of the last change of up
	apart       time.Time // time since when others have a connection with the described node and this node has none; zero if that is not so
	incarnation uint64    // incarnation in the node's last hello
	version     string    // version of the node's program in its last hello
	draining    bool      // the node hands over its areas
	stopping    bool      // the node is about to stop
	neverLeads  bool      // it does so because of its settings; see Options.NeverLeads
	left        bool      // it is stopping
	fixed       bool      // the node places no area by load; see Options.FixedLeads
	links       uint64    // bit n is set if the node is connected with node n, by its last news
	behind      []int64   // for each area: how many ticks the node's copy was behind this node's at its last news; nil before the first news

	ledMS  []int64    // for each area: time at which the node became the leader, in ms since 1970 by this node's clock; 0 if it does not lead
	missed []sim.Tick // for each area: newest tick whose frame the node's hub has missed, by its last news; nil before the first news
}

// nodeNumber returns the number of the named node, 0 if there is none.
func (h *Host) nodeNumber(name string) uint64 {
	for _, n := range h.opt.Nodes {
		if n.Name == name {
			return n.ID
		}
	}
	return 0
}

// nodeName returns the name of a node, "" for a number that no node has.
func (h *Host) nodeName(id uint64) string {
	if id == 0 || id > uint64(len(h.opt.Nodes)) {
		return ""
	}
	return h.opt.Nodes[id-1].Name
}

// Up implements link.Handler. It records that the node is connected, notifies this node's copies of all areas, and calls Tell.
func (h *Host) Up(node uint64, hello link.Hello) {
	h.mu.Lock()
	h.peers[node] = peer{up: true, since: time.Now(), incarnation: hello.Incarnation, version: hello.Program}
	h.noteApart(time.Now())
	h.mu.Unlock()
	for _, g := range h.groups {
		g.linkChanged(node, true)
	}
	h.Tell()
}

// Down implements link.Handler. It records that the node is not connected any more, tells the copies of all areas, fails
// the questions (see Ask) that still wait for an answer of the node, and calls Tell.
func (h *Host) Down(node uint64, _ error) {
	h.mu.Lock()
	p := &h.peers[node]
	p.up, p.since = false, time.Now()
	h.noteApart(p.since)
	h.mu.Unlock()
	for _, g := range h.groups {
		g.linkChanged(node, false)
	}
	h.loseAnswers(node)
	h.Tell()
}

// Leave tells the other nodes that this node is stopping. The leaders of the areas then mark this node as gone at once, without waiting
// for a timeout, so that its players count as disconnected. The connections on this node stay open until the server closes them.
func (h *Host) Leave() {
	h.stopping.Store(true)
	h.leaving.Store(true)
	h.Tell()
}

// States of a node, as the node reports them to the other nodes once a second.
const (
	nodeRuns   = 0 // in normal operation
	nodeDrains = 1 // the node hands over its areas and leads none
	nodeLeaves = 2 // is stopping
	nodeSpares = 3 // like nodeDrains, because of its settings; see Options.NeverLeads
	nodeStops  = 4 // like nodeDrains, because it is about to stop: it leads no area even if no other node can; see Retire
)

// Tell sends this node's news, the message of type news, to all other nodes. The server calls it once a second. On node 1, Tell first
// places an area by load if that is due. Concurrent calls send one after the other, so the news that a node receives last are the
// newest.
func (h *Host) Tell() {
	h.telling.Lock()
	defer h.telling.Unlock()
	h.placeByLoad(time.Now())
	h.sendToOthers(kindNode, h.news())
}

// sendToOthers sends a message to all other nodes.
func (h *Host) sendToOthers(kind byte, body []byte) {
	for i := range h.opt.Nodes {
		if node := uint64(i + 1); node != h.opt.Self {
			h.opt.Links.Send(node, kind, body)
		}
	}
}

// isGone reports whether an incarnation (a run) of a node no longer has sessions, for one of three reasons: (1) the node has begun a
// newer incarnation; (2) the node is stopping; (3) this node has had no connection with it for Options.SuspectAfter, and no node that
// is connected with this one reports a connection with it.
func (h *Host) isGone(node, incarnation uint64, now time.Time) bool {
	if node == h.opt.Self {
		return incarnation < h.Incarnation()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	p := &h.peers[node]
	if p.up {
		return p.left || p.incarnation > incarnation
	}
	return p.left || now.Sub(p.since) >= h.opt.SuspectAfter && !h.isSeenElsewhere(node)
}

// isSeenElsewhere reports whether a node that is connected with this one is also connected with the given node. The
// caller holds mu.
func (h *Host) isSeenElsewhere(node uint64) bool {
	for other := range h.peers {
		if p := &h.peers[other]; p.up && uint64(other) != node && p.links>>node&1 != 0 {
			return true
		}
	}
	return false
}

// noteApart updates since when other nodes have connections that this node lacks. The caller holds mu and has changed a connection.
func (h *Host) noteApart(now time.Time) {
	for i := range h.opt.Nodes {
		switch p := &h.peers[i+1]; {
		case p.up || !h.isSeenElsewhere(uint64(i+1)):
			p.apart = time.Time{}
		case p.apart.IsZero():
			p.apart = now
		}
	}
}

// lacksLink returns the number of a node to which the given node has no connection, although that other node can still be reached;
// else 0. In that case a node that has all its links should lead the areas instead. The caller holds mu.
func (h *Host) lacksLink(node uint64, now time.Time) uint64 {
	for i := range h.opt.Nodes {
		other := uint64(i + 1)
		p := &h.peers[other]
		switch {
		case other == node || other == h.opt.Self:
		case node == h.opt.Self:
			patience := relinkTime
			if p.apart.Sub(p.since) > relinkTime { // it was away, and others have found it first
				patience = returnTime
			}
			if !p.apart.IsZero() && now.Sub(p.apart) >= patience {
				return other
			}
		case (p.up || h.isSeenElsewhere(other)) && h.peers[node].links>>other&1 == 0:
			return other
		}
	}
	return 0
}

// relinkTime is how long the connection of two nodes must be lost before areas are handed over to a node that has all its links. Most
// broken links are restored within some milliseconds.
const relinkTime = 150 * time.Millisecond

// returnTime is used in place of relinkTime for a node that has come back after it had no connection to any node: the nodes try to connect
// to it once a second, each at another time (see link.Mesh).
const returnTime = 1500 * time.Millisecond

// membersOf returns the numbers of all nodes, in the order in which they are preferred as leader of area a. Consecutive areas
// begin with different nodes, so that all nodes lead about the same number of areas.
func (h *Host) membersOf(a sim.AreaID) []uint64 {
	n := len(h.opt.Nodes)
	list := make([]uint64, n)
	for i := range list {
		list[i] = uint64((int(a)+i)%n) + 1
	}
	return list
}

// preferred returns the node that should lead an area now: the first one that can lead and does not lack records of the area or, if
// all of them lack records, the first one that can lead. The order is: (1) the node to which an operator has moved the area; (2) the
// node at which the area is placed by load; (3) all nodes in the order of membersOf; (4) the node that wayAround returns; (5) if this node
// is about to stop, a node that lacks a link. The result is 0 if no node can lead, and then the leader does not change. The caller holds mu.
func (h *Host) preferred(a sim.AreaID, now time.Time) (first uint64) {
	last := uint64(0)
	for _, node := range append([]uint64{h.moved[a].node, h.placed[a].node}, h.membersOf(a)...) {
		switch {
		case node == 0 || !h.canLead(node, now):
		case h.lacksLink(node, now) != 0:
			last = cmp.Or(last, node)
		case !h.lacksRecords(node, a):
			return node
		case first == 0:
			first = node
		}
	}
	return cmp.Or(first, h.wayAround(now), last)
}

// wayAround returns the node that leads all areas while no node can lead because two nodes have lost the link to each other: the first one
// that drains or never leads, is not about to stop, and has all its links. Without it the players of one of the two would see nothing. The
// result is 0 if no link is lost, or there is no such node. The caller holds mu.
func (h *Host) wayAround(now time.Time) (around uint64) {
	lost := false
	for i := range h.opt.Nodes {
		node := uint64(i + 1)
		p := &h.peers[node]
		self := node == h.opt.Self
		switch drains := self && h.draining.Load() || p.draining; {
		case !self && (!p.up || p.left || p.stopping || p.behind == nil), self && h.stopping.Load(): // or it has not told its links yet
		case h.lacksLink(node, now) != 0:
			lost = true
		case drains:
			around = cmp.Or(around, node)
		}
	}
	if !lost {
		return 0
	}
	return around
}

// canLead reports whether a node can be made the leader of areas: (1) this node, if it does not drain and has all its links; (2)
// another node, if it does not drain, has been connected for settleTime, and has all its links; (3) while this node drains, any
// other node that is connected, does not drain, and has all its links, or any if this node is about to stop. The caller holds mu.
func (h *Host) canLead(node uint64, now time.Time) bool {
	switch p := &h.peers[node]; {
	case node == h.opt.Self:
		return !h.draining.Load() && h.lacksLink(node, now) == 0
	case !p.up || p.draining:
		return false
	case h.draining.Load():
		return h.stopping.Load() || h.lacksLink(node, now) == 0
	default:
		return now.Sub(p.since) >= settleTime && h.lacksLink(node, now) == 0
	}
}

// settleTime is how long a node must be connected before the other nodes hand over areas to it.
const settleTime = 5 * time.Second

// Drain hands over all areas that this node leads, and returns when other nodes lead them. Until Undrain this node
// leads no area that another node can lead. Areas that operators have moved to this node lose that preference.
func (h *Host) Drain(ctx context.Context) error {
	h.draining.Store(true)
	h.forgetMoves()
	h.Tell()
	for {
		leads := h.leads()
		if leads == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d areas have found no other node to lead them", leads)
		case <-time.After(tickEvery):
		}
	}
}

// Retire is Drain of a node that is about to stop. The other nodes give it no area, even if no other node can lead, unless it alone has
// records that are not stored.
func (h *Host) Retire(ctx context.Context) error {
	h.stopping.Store(true)
	return h.Drain(ctx)
}

// leads returns the number of areas that this node leads.
func (h *Host) leads() (n int) {
	for _, g := range h.groups {
		if g.term.Load() != 0 {
			n++
		}
	}
	return n
}

// ErrNeverLeads is the error of Undrain on a node with Options.NeverLeads.
var ErrNeverLeads = errors.New("the node leads no areas because of its setting cluster-lead = false: to change that, remove the setting and restart the node")

// Undrain ends Drain, so that this node leads areas again. Errors: ErrNeverLeads.
func (h *Host) Undrain() error {
	if h.opt.NeverLeads {
		return ErrNeverLeads
	}
	h.draining.Store(false)
	h.Tell()
	return nil
}

// neverLeads reports whether a node leads no areas because of its settings. The caller holds mu.
func (h *Host) neverLeads(node uint64) bool {
	if node == h.opt.Self {
		return h.opt.NeverLeads
	}
	return h.peers[node].neverLeads
}
