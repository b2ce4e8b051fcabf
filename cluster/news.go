package cluster

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/sim"
)

// news is the message that a node sends to all others once a second: whether it drains or stops, whether it places areas by load, which
// nodes it is connected with, and how far its copy of each area is. For each area it also has the newest tick whose frame the hub of the
// node has missed, since when the node leads it, and the node at which operators and the decider have placed the area.
type news struct {
	state byte       // nodeRuns, nodeDrains, nodeLeaves, nodeSpares or nodeStops
	fixed bool       // Options.FixedLeads of the node: if it is the decider, no area is placed by load
	links uint64     // bit n is set if the node is connected with node n
	areas []areaNews // by area id
}

// areaNews is what a node reports about one area: the newest tick of the node's copy, the newest tick that its hub has missed, since when
// it leads the area, and the newest placements that it knows.
type areaNews struct {
	tick   sim.Tick  // newest stepped tick of the node's copy
	missed sim.Tick  // newest tick whose frame the hub of the node has missed; 0 for none
	ledMS  int64     // time at which the node became the leader, in ms since 1970 by its clock; 0 if it does not lead
	moved  placement // newest move by an operator
	placed placement // newest placement by load
}

// placement records that an operator, or the node that places areas by load, has chosen a node as the leader of an area. If there
// are several placements of an area, the latest one counts, or at equal times the one with the greatest node number. So all nodes
// agree once they know the same placements.
type placement struct {
	node uint64 // number of the node; 0: the area has no preferred node
	atMS int64  // 0: there is no placement; otherwise its time in ms since 1970, by the clock of the node that made it
}

// after reports whether placement m replaces the placement other of the same area.
func (m placement) after(other placement) bool {
	return m.atMS > other.atMS || m.atMS == other.atMS && m.node > other.node
}

// maxMoveAhead is how far in the future a reported placement may be. Without the limit, a node with a wrong clock could make
// a placement that no later one replaces.
const maxMoveAhead = 10 * time.Second

// append appends the encoded news to b: (1) the state, 1 byte; (2) a byte, 1 if the node places no area by load, else 0; (3) the nodes with
// which the node is connected; (4) the number of areas; (5) for each area the tick of the node's copy, the newest tick that its hub has
// missed, and the time at which the node became the leader; (6) the moves by operators; (7) the placements by load. Both (6) and (7) are a
// list in the order of areas: its length, and for each placement the area, the node and the time. Areas without a placement are left out.
// All but the two bytes are uvarint.
func (n *news) append(b []byte) []byte {
	b = append(b, n.state, 0)
	if n.fixed {
		b[len(b)-1] = 1
	}
	b = binary.AppendUvarint(binary.AppendUvarint(b, n.links), uint64(len(n.areas)))
	for i := range n.areas {
		a := &n.areas[i]
		b = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(b, uint64(a.tick)), uint64(a.missed)), uint64(a.ledMS))
	}
	b = n.appendPlacements(b, func(a *areaNews) *placement { return &a.moved })
	return n.appendPlacements(b, func(a *areaNews) *placement { return &a.placed })
}

// appendPlacements appends the placements of one kind to b. The function of returns the placement of an area; if the area has none,
// the time of the placement is 0.
func (n *news) appendPlacements(b []byte, of func(*areaNews) *placement) []byte {
	count := uint64(0)
	for i := range n.areas {
		if of(&n.areas[i]).atMS != 0 {
			count++
		}
	}
	b = binary.AppendUvarint(b, count)
	for i := range n.areas {
		if p := of(&n.areas[i]); p.atMS != 0 {
			b = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(b, uint64(i)), p.node), uint64(p.atMS))
		}
	}
	return b
}

// readPlacements reads what appendPlacements has appended. The parameter nodes is the number of nodes.
func (n *news) readPlacements(r *wire.Reader, nodes int, of func(*areaNews) *placement) {
	after := -1 // area of the previous placement, because areas are in ascending order
	for range r.VarCount(placementSize, len(n.areas)) {
		area := r.VarU64()
		p := placement{r.VarU64(), int64(r.VarU64())}
		r.CheckRange(area < uint64(len(n.areas)) && int(area) > after && p.node <= uint64(nodes) && p.atMS > 0, "placement")
		if r.Err() != nil {
			return
		}
		after = int(area)
		*of(&n.areas[area]) = p
	}
}

const placementSize = 3 // minimum size of an encoded placement in bytes

// parseNews decodes the news of a node. The parameters nodes and areas are the numbers of nodes and areas of this cluster.
func parseNews(b []byte, nodes, areas int) (n news, err error) {
	r := wire.NewReader(b)
	var fixed byte
	n.state, fixed, n.links = r.U8(), r.U8(), r.VarU64()
	r.CheckRange(n.state <= nodeStops && fixed <= 1 && n.links < 1<<(nodes+1), "state, placement or links")
	n.fixed = fixed == 1
	r.CheckRange(r.VarCount(3, areas) == areas, "number of areas")
	if r.Err() == nil {
		n.areas = make([]areaNews, areas)
	}
	for i := range n.areas {
		a := &n.areas[i]
		a.tick, a.missed, a.ledMS = sim.Tick(r.VarU64()), sim.Tick(r.VarU64()), int64(r.VarU64())
		r.CheckRange(a.ledMS >= 0, "time of a lead")
	}
	n.readPlacements(&r, nodes, func(a *areaNews) *placement { return &a.moved })
	n.readPlacements(&r, nodes, func(a *areaNews) *placement { return &a.placed })
	if err := r.Done("news"); err != nil {
		return news{}, err
	}
	return n, nil
}

// news returns the encoded message (type news) with which this node tells the other nodes about itself.
func (h *Host) news() []byte {
	n := news{state: nodeRuns, fixed: h.opt.FixedLeads}
	switch {
	case h.leaving.Load():
		n.state = nodeLeaves
	case h.stopping.Load():
		n.state = nodeStops
	case h.opt.NeverLeads:
		n.state = nodeSpares
	case h.draining.Load():
		n.state = nodeDrains
	}
	h.mu.Lock()
	moved, placed, led := slices.Clone(h.moved), slices.Clone(h.placed), make([]int64, len(h.seen))
	for i := range h.seen {
		if s := &h.seen[i]; s.lead == h.opt.Self {
			led[i] = h.baseMS + s.since.Sub(h.began).Milliseconds()
		}
	}
	for node := range h.peers {
		if h.peers[node].up {
			n.links |= 1 << node
		}
	}
	h.mu.Unlock()
	for i, g := range h.groups {
		n.areas = append(n.areas, areaNews{sim.Tick(g.tick.Load()), sim.Tick(g.missed.Load()), led[i], moved[i], placed[i]})
	}
	return n.append(nil)
}

// receiveNews handles the message that another node sends once a second about itself: whether it drains or stops, whether it places areas
// by load, its connections, how far its copies are behind, and which frames its hub has missed. If the other node knows a newer placement
// of an area, receiveNews stores it.
func (h *Host) receiveNews(node uint64, body []byte) error {
	n, err := parseNews(body, len(h.opt.Nodes), len(h.groups))
	if err != nil {
		return err
	}
	offset, latest := h.opt.Links.OffsetMS(node), h.NowMS()+maxMoveAhead.Milliseconds()
	h.mu.Lock()
	defer h.mu.Unlock()
	p := &h.peers[node]
	p.draining, p.neverLeads, p.left, p.stopping = n.state != nodeRuns, n.state == nodeSpares, n.state == nodeLeaves, n.state == nodeStops
	p.fixed, p.links = n.fixed, n.links
	h.noteApart(time.Now())
	if p.behind == nil {
		p.behind, p.missed, p.ledMS = make([]int64, len(n.areas)), make([]sim.Tick, len(n.areas)), make([]int64, len(n.areas))
	}
	for i, a := range n.areas {
		p.behind[i], p.missed[i] = int64(h.groups[i].tick.Load())-int64(a.tick), a.missed
		if p.ledMS[i] = 0; a.ledMS != 0 {
			p.ledMS[i] = min(a.ledMS-offset, h.NowMS())
		}
		if a.moved.after(h.moved[i]) && a.moved.atMS <= latest {
			h.moved[i] = a.moved
		}
		if a.placed.after(h.placed[i]) && a.placed.atMS <= latest {
			h.placed[i] = a.placed
		}
	}
	return nil
}
