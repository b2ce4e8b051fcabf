package cluster

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/sim"
)

// news is the message that a node sends to all others once a second: whether it drains or stops, which nodes it is
// connected with, how far its copy of each area is, and to which node operators have moved each area.
type news struct {
	state byte       // nodeRuns, nodeDrains or nodeLeaves
	links uint64     // bit n is set if the node is connected with node n
	areas []areaNews // by area id
}

// areaNews is what a node reports about one area: the newest tick of the node's copy, and the newest move of the area by an
// operator.
type areaNews struct {
	tick  sim.Tick  // newest stepped tick of the node's copy
	moved placement // newest placement that the node knows
}

// placement records that an operator moved an area to a node. If there are several placements of an area, the latest one counts,
// or at equal times the one with the greatest node number. So all nodes agree once they know the same placements.
type placement struct {
	node uint64 // number of the node; 0: the area has no preferred node
	atMS int64  // time of the move in ms since 1970, by the clock of the node that made it
}

// after reports whether move m replaces the move other of the same area.
func (m placement) after(other placement) bool {
	return m.atMS > other.atMS || m.atMS == other.atMS && m.node > other.node
}

// maxMoveAhead is how far in the future a reported move may be. Without the limit, a node with a wrong clock could make
// a move that no later move replaces.
const maxMoveAhead = 10 * time.Second

// append appends the encoded news to b: (1) the state, 1 byte; (2) the nodes with which the node is connected; (3) the number
// of areas; (4) for each area the tick of the node's copy, and the node and time of the area's last move. All but the state are
// uvarint.
func (n *news) append(b []byte) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(append(b, n.state), n.links), uint64(len(n.areas)))
	for _, a := range n.areas {
		b = binary.AppendUvarint(b, uint64(a.tick))
		b = binary.AppendUvarint(binary.AppendUvarint(b, a.moved.node), uint64(a.moved.atMS))
	}
	return b
}

// parseNews decodes the news of a node. The parameters nodes and areas are the numbers of nodes and areas of this cluster.
func parseNews(b []byte, nodes, areas int) (n news, err error) {
	r := wire.NewReader(b)
	n.state, n.links = r.U8(), r.VarU64()
	r.CheckRange(n.state <= nodeLeaves && n.links < 1<<(nodes+1), "state or links")
	r.CheckRange(r.VarCount(markSize, areas) == areas, "number of areas")
	for range areas {
		a := areaNews{sim.Tick(r.VarU64()), placement{r.VarU64(), int64(r.VarU64())}}
		r.CheckRange(a.moved.node <= uint64(nodes) && a.moved.atMS >= 0, "placement")
		n.areas = append(n.areas, a)
	}
	if err := r.Done("news"); err != nil {
		return news{}, err
	}
	return n, nil
}

// news returns the encoded message (type news) with which this node tells the other nodes about itself.
func (h *Host) news() []byte {
	n := news{state: nodeRuns}
	switch {
	case h.leaving.Load():
		n.state = nodeLeaves
	case h.draining.Load():
		n.state = nodeDrains
	}
	h.mu.Lock()
	moved := slices.Clone(h.moved)
	for node := range h.peers {
		if h.peers[node].up {
			n.links |= 1 << node
		}
	}
	h.mu.Unlock()
	for i, g := range h.groups {
		n.areas = append(n.areas, areaNews{sim.Tick(g.tick.Load()), moved[i]})
	}
	return n.append(nil)
}

// receiveNews handles the message that another node sends once a second about itself: whether it drains or stops, its
// connections, and how far its copies are behind. If the other node knows a newer move of an area by an operator, receiveNews
// stores that move.
func (h *Host) receiveNews(node uint64, body []byte) error {
	n, err := parseNews(body, len(h.opt.Nodes), len(h.groups))
	if err != nil {
		return err
	}
	latest := h.NowMS() + maxMoveAhead.Milliseconds()
	h.mu.Lock()
	defer h.mu.Unlock()
	p := &h.peers[node]
	p.draining, p.left, p.links = n.state != nodeRuns, n.state == nodeLeaves, n.links
	if p.behind == nil {
		p.behind = make([]int64, len(n.areas))
	}
	for i, a := range n.areas {
		p.behind[i] = int64(h.groups[i].tick.Load()) - int64(a.tick)
		if a.moved.after(h.moved[i]) && a.moved.atMS <= latest {
			h.moved[i] = a.moved
		}
	}
	return nil
}
