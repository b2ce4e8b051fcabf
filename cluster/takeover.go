package cluster

import (
	"time"

	"go.etcd.io/raft/v3/raftpb"

	"github.com/truestep-io/truestep/sim"
)

// A leader proposes no batch before it has stepped all entries of the log. A node that starts again after PostgreSQL was away for long
// has to step thousands of entries, because no snapshot was written. It has received the last entry within milliseconds, long before it
// has stepped all: as the leader it would make the area stand still meanwhile. So an area is handed over only to nodes that have the log
// and have stepped it, and a leader that was elected before it has done so hands the area over to one of them.

// isBehind reports whether a node has not stepped the last half second of an area's ticks, by its last news, or has sent no news yet. The
// caller holds mu.
func (h *Host) isBehind(node uint64, a sim.AreaID) bool {
	g, p := h.groups[a], &h.peers[node]
	lag := int64(g.lastIndex.Load() - g.stepIndex.Load()) // the entries that this node has not stepped
	if node != h.opt.Self {
		if p.behind == nil {
			return true
		}
		lag += p.behind[a]
	}
	return lag > int64(h.opt.World.TicksPerSecond)/2
}

// canTakeOver reports whether another node can propose batches as soon as it leads the area: it has the log and has stepped it. The caller
// holds mu.
func (g *group) canTakeOver(node uint64) bool {
	return g.rep.KeepsUp(node) && !g.host.isBehind(node, g.area)
}

// isReady reports whether another node has stepped the log.
func (g *group) isReady(node uint64) bool {
	g.host.mu.Lock()
	defer g.host.mu.Unlock()
	return !g.host.isBehind(node, g.area)
}

// relief returns the node to which this leader should hand over the area because it has not stepped the log and that node has. The result
// is 0 if there is no reason to, or no such node. The caller holds mu.
func (g *group) relief(now time.Time) uint64 {
	h := g.host
	if !h.isBehind(h.opt.Self, g.area) {
		return 0
	}
	for _, node := range h.membersOf(g.area) {
		if node != h.opt.Self && h.canLead(node, now) && g.canTakeOver(node) {
			return node
		}
	}
	return 0
}

// handOver transfers the leadership of the area to the node that should lead it (see successor), but only if that node can take over at
// once. No batch can be proposed until that node has answered and has stepped the log, so another node would delay the area.
func (g *group) handOver(now time.Time) {
	if now.Before(g.lead.balanceAt) {
		return
	}
	g.lead.balanceAt = now.Add(balanceEvery)
	g.checkMissed(now)
	if to := g.successor(now); to != 0 {
		g.rep.Transfer(to)
	}
}

// handOverExcept transfers the leadership to any node that can take over, except the given one.
func (g *group) handOverExcept(node uint64) {
	h := g.host
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, to := range h.membersOf(g.area) {
		if to != node && to != h.opt.Self && g.canTakeOver(to) {
			g.rep.Transfer(to)
			return
		}
	}
}

// balanceEvery is the interval at which a leader checks whether another node should lead.
const balanceEvery = 100 * time.Millisecond

// noteHandover notes the term of an election that the leader itself has started, by a message to the node that takes over. The votes of
// such an election are asked for with the context campaignTransfer of the Raft library.
func (g *group) noteHandover(m *raftpb.Message) {
	switch {
	case m.GetType() == raftpb.MsgTimeoutNow:
		g.handedOver = m.GetTerm() + 1
	case m.GetType() == raftpb.MsgVote && string(m.GetContext()) == "CampaignTransfer":
		g.handedOver = m.GetTerm()
	}
}
