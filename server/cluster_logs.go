package server

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/truestep-io/truestep/cluster"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/cluster/raftlog"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// logFolder returns the folder of the Raft log of an area.
func (c *Config) logFolder(a sim.AreaID) string {
	return filepath.Join(c.DataDir, clusterFolder, fmt.Sprintf("%03d", a))
}

// openRaftLog opens the Raft log of an area in the data folder, and creates it if it does not exist. The parameter game is the result of
// gameVersion.
func (c *Config) openRaftLog(a sim.AreaID, nodes []link.Node, game string) (*raftlog.Log, raftlog.Recovered, error) {
	h := raftlog.Header{Cluster: c.ClusterName, Area: uint32(a), World: logDigest(c.World.World.Digest(), cmp.Or(c.formats, clusterFormats), game), Node: c.self(nodes)}
	for _, node := range nodes {
		h.Nodes = append(h.Nodes, node.Name)
	}
	log, have, err := raftlog.Open(c.logFolder(a), h)
	if err == nil && have.Report != "" {
		c.Log.Warn(have.Report, telemetry.FieldArea, c.World.World.Areas[a].Name)
	}
	return log, have, err
}

// openLog opens the Raft log of an area for the host of this node.
func (n *clusterNode) openLog(a sim.AreaID, nodes []link.Node) (cluster.Kept, error) {
	log, have, err := n.server.cfg.openRaftLog(a, nodes, n.game)
	if err != nil {
		return cluster.Kept{}, err
	}
	n.logs = append(n.logs, log)
	lossy := have.New && n.known || have.Rebooted || n.olderLogs
	kept := cluster.Kept{State: have.State, Snapshot: have.Snapshot, Entries: have.Entries, File: log}
	switch {
	case n.begins:
	case lossy && n.server.cfg.AcceptLoss && hasEntries(&have):
		n.accepted++
	case n.olderLogs:
		kept.Incomplete = true
		return kept, log.MarkIncomplete()
	case lossy && hasEntries(&have):
		n.lossy++
		kept.Incomplete = true
	case have.New:
		n.newLogs++
		kept.Incomplete = n.known
	case have.Rebooted:
		kept.Incomplete = true
	}
	if !kept.Incomplete && (have.New || have.Rebooted) {
		err = log.MarkComplete()
	}
	return kept, err
}

// hasEntries reports whether a log has an entry, or a snapshot in place of earlier ones.
func hasEntries(have *raftlog.Recovered) bool {
	return have.Snapshot.Index > 0 || len(have.Entries) > 0
}
