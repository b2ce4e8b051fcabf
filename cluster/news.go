package cluster

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/sim"
)

// news is what a node tells the others once a second: whether it drains or stops, how far its copy of each area is, and to which node operators
// have moved each area, and which nodes it is connected with.
type news struct {
	state byte   // nodeRuns, nodeDrains or nodeLeaves
	links uint64 // nodes that it is connected with: bit n for node n
	areas []areaNews
}

type areaNews struct {
	tick  sim.Tick // newest stepped tick
	moved placement
}

// placement says that an operator moved an area to a node. Of two moves of one area the later one counts, and at the same time that with the greater node,
// so that all nodes agree when they have heard of both.
type placement struct {
	node uint64 // 0: the area has no preferred node
	atMS int64  // time of the move by the clock of the node that made it
}

func (m placement) after(other placement) bool {
	return m.atMS > other.atMS || m.atMS == other.atMS && m.node > other.node
}

// maxMoveAhead is how far a move may be in the future: clocks of nodes differ little, and a wrong clock must not make a move that none can replace.
const maxMoveAhead = 10 * time.Second

// append appends the encoding: the state, the links, the number of areas, and for each the tick and the node and time of the move. Numbers are
// uvarint.
func (n *news) append(b []byte) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(append(b, n.state), n.links), uint64(len(n.areas)))
	for _, a := range n.areas {
		b = binary.AppendUvarint(b, uint64(a.tick))
		b = binary.AppendUvarint(binary.AppendUvarint(b, a.moved.node), uint64(a.moved.atMS))
	}
	return b
}

// parseNews decodes news of a cluster with these numbers of nodes and areas.
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

// news returns what this node tells the others.
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

// receiveNews takes what another node tells.
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
