package server

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
	kept := cluster.Kept{State: have.State, Snapshot: have.Snapshot, Entries: have.Entries, File: log}
	switch {
	case n.begins:
	case n.olderLogs:
		kept.Incomplete = true
		return kept, log.MarkIncomplete()
	case have.New && n.known && hasEntries(&have):
		n.partLogs++
		kept.Incomplete = true
	case have.New:
		n.newLogs++
		kept.Incomplete = n.known
	case have.Rebooted && n.server.cfg.AcceptLoss:
		n.accepted++
	case have.Rebooted: // possibly without an entry, because none of them had reached the disk
		n.lossy++
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

// hasLogs reports whether the Raft log of an area in the data folder has a snapshot or an entry. The logs of areas that begin anew have
// others with the same numbers, and a replica cannot replace those that it knows as committed. A log that has votes at most does not count.
// Each log is opened and closed again, so one that this node cannot use is an error. The caller must have locked the folder.
func (c *Config) hasLogs() (has bool, err error) {
	nodes, err := c.nodes()
	if err != nil {
		return false, err
	}
	game, err := c.gameVersion()
	if err != nil {
		return false, err
	}
	for i := range c.World.World.Areas {
		a := sim.AreaID(i)
		if _, err := os.Stat(c.logFolder(a)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		log, have, err := c.openRaftLog(a, nodes, game)
		if err == nil {
			has = hasEntries(&have)
			err = log.Close()
		}
		if has || err != nil {
			return has, err
		}
	}
	return false, nil
}

// explainHasLogs adds to the error postgres.ErrHasLogs what the operator can do.
func (c *Config) explainHasLogs(err error) error {
	return fmt.Errorf("%w, and nothing was changed: start this node without --cluster-begin if the areas are to continue from the logs, for which most nodes must have theirs, with --accept-loss if most machines have lost power; or, if they are to begin anew from the stored records of players, which loses what has happened since, stop all nodes, move the folder %s of this node and that of each other one away, and start all once with --cluster-begin",
		err, filepath.Join(c.DataDir, clusterFolder))
}

// errFormerLogs means that the logs of this node are of the time before the areas began anew on other nodes.
var errFormerLogs = errors.New("the areas have begun anew on other nodes since the last run of this one, and its logs are of before")

// checkFormerLogs returns errFormerLogs if the data folder has logs, after the areas have begun anew on other nodes since the last run of
// this one. Its host would try to continue from entries that the others replace. An operator who wants that writes the number linked, which
// the node will reserve next, into its file.
func (c *Config) checkFormerLogs(linked uint64) error {
	has, err := c.hasLogs()
	if err != nil || !has {
		return err
	}
	folder := filepath.Join(c.DataDir, clusterFolder)
	return fmt.Errorf("%w: move the folder %s away and start this node without --cluster-begin, and it gets the areas from the others; or, if the areas are to continue from the logs of this node and of others that have not begun anew, stop all nodes, move that folder of those that have begun away, write the number %d into the file %s, and the one in this line of each of the others into its file, and start all without --cluster-begin",
		errFormerLogs, folder, linked, filepath.Join(folder, serialFile))
}
