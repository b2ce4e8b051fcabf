package server

import (
	"fmt"
	"time"

	"github.com/truestep-io/truestep/cluster"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Status returns the states of the connections to the other nodes, for cluster.Host.Status.
func (n *clusterNode) Status() []link.PeerStatus { return n.mesh.Status() }

// leadGrace is how long an area may have no leader before GET /readyz reports that the server is not ready. The election of a
// leader normally takes less. A node that has just started is not ready before it knows the leader of each area.
const leadGrace = time.Second

// problems returns the reasons why the node is not ready for players, one for each area that has no leader for longer than
// leadGrace, or has had none since the start of the node. It returns nil for a single server.
func (n *clusterNode) problems(now time.Time) (list []string) {
	if n == nil {
		return nil
	}
	s := n.host.Status()
	for i := range s.Areas {
		if a := &s.Areas[i]; a.Lead == "" && (a.Since.Equal(n.began) || now.Sub(a.Since) > leadGrace) {
			list = append(list, fmt.Sprintf("area %q has no leader since %s: none is elected, or most nodes cannot be reached; see the log of this node", a.Name, a.Since.UTC().Format(time.RFC3339)))
		}
	}
	return list
}

// loginGrace is how long an area may have no leader before clients are told to log in through another node. A login waits for 12 s, which
// is longer than a player without a connection lingers by default.
const loginGrace = 3 * time.Second

// reports returns true if this node sends events about the player of a journal entry. The journal of every node of a cluster has the
// decisions about all players, but the accounts only of players who are in the world through this node. A single server, whose
// clusterNode is nil, sends the events about every player.
func (n *clusterNode) reports(e *journal.Entry) bool { return n == nil || e.Account != "" }

// registerMetrics creates the metrics of the node.
func (n *clusterNode) registerMetrics() {
	var others, areas []string
	s := n.host.Status()
	for i := range s.Nodes {
		if !s.Nodes[i].Self {
			others = append(others, s.Nodes[i].Name)
		}
	}
	for i := range s.Areas {
		areas = append(areas, s.Areas[i].Name)
	}
	n.metrics = n.server.metrics.Cluster(others, areas)
	for _, cause := range cluster.LeadCauses {
		n.metrics.Changes.With(string(cause))
	}
	setClusterMetrics(n.metrics, &s)
}

// setClusterMetrics sets the metrics of the cluster to the values of a status.
func setClusterMetrics(m *telemetry.Cluster, s *cluster.Status) {
	raise(m.Fenced, s.Fenced)
	raise(m.Dropped, s.Dropped)
	raise(m.Refused, s.Refused)
	raise(m.Crossings, s.Crossed)
	raise(m.LostTicks, s.LostTicks)
	self, other := 0, 0
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Self {
			self = i
			m.Load.Set(int(n.Load))
			m.Draining.Set(flag(n.Draining || n.Leaving))
			continue
		}
		to := &m.Nodes[other]
		other++
		to.Up.Set(flag(n.Up))
		to.RoundTripUS.Set(int(n.Link.RoundTrip.Microseconds()))
		to.ClockOffsetMS.Set(int(n.Link.OffsetMS))
		to.QueueBytes.Set(n.Link.Queued)
	}
	for i := range s.Areas {
		a, to := &s.Areas[i], &m.Areas[i]
		to.HasLead.Set(flag(a.Lead != ""))
		to.Leads.Set(flag(a.Lead == s.Node))
		to.Load.Set(int(a.Load))
		to.Lag.Set(int(a.Copies[self].Lag))
		to.Unsaved.Set(int(a.Tick - min(a.SavedTick, a.Tick)))
		to.Unstepped.Set(int(a.LastIndex - min(a.StepIndex, a.LastIndex)))
		to.UnderWay.Set(a.UnderWay)
		to.OldestMS.Set(int(oldestUnderWay(s, a.ID).Milliseconds()))
		raise(to.LeadMoves, a.Changes)
	}
	for cause, n := range s.Causes {
		raise(m.Changes.With(string(cause)), n)
	}
}

// oldestUnderWay returns the time since the departure of the player that has been under way from an area for longest. It
// returns 0 if no player is under way.
func oldestUnderWay(s *cluster.Status, from sim.AreaID) (oldest time.Duration) {
	for i := range s.Transfers {
		if t := &s.Transfers[i]; t.From == from {
			oldest = max(oldest, t.Oldest)
		}
	}
	return oldest
}

// raise sets a counter to value. A counter that is already higher is not changed, because a counter must not fall.
func raise(c *telemetry.Counter, value uint64) { c.Add(int(value - min(value, c.Load()))) }

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
