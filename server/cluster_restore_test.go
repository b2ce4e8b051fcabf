package server

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/cluster"
	"github.com/truestep-io/truestep/session"
)

// A backup is brought back, and the logs of the nodes are left where they are. The areas in them are newer than the records. After the
// folders with the logs were moved away, as the error says, the cluster begins anew with the records of the backup.
func TestNodesRefuseToStartWithLogsThatAreNewerThanRestoredDatabase(t *testing.T) {
	nodes := startCluster(t, nil)
	if err := nodes[0].hub.CreateAccount(t.Context(), session.Peer{Door: "test"}, "ann", "secret", ""); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "all.backup")
	backup := Backup{File: file, DataDir: nodes[0].cfg.DataDir, StoreConfig: nodes[0].cfg.StoreConfig}
	if err := backup.Write(t.Context(), io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, s := range nodes {
		awaitServing(t, s) // the logs then have the number of the run, which the node compares with the database
	}
	for _, s := range nodes {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	restore := Restore{File: file, DataDir: t.TempDir(), StoreConfig: nodes[0].cfg.StoreConfig, Replace: true}
	if err := restore.Bring(t.Context(), io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, s := range nodes {
		logs := filepath.Join(s.cfg.DataDir, clusterFolder)
		for start := range s.cluster.host.Incarnation() + 2 { // systemd starts it again and again
			_, err := Start(t.Context(), s.cfg)
			if !errors.Is(err, cluster.ErrDatabaseOlder) || !strings.HasSuffix(err.Error(), ": --store may name another database than before; or, if a backup was brought back: move the folder "+logs+" away, on the other nodes too, and start all nodes once with --cluster-begin") {
				t.Errorf("node %s, start %d: %v", s.cluster.name, start+1, err)
			}
		}
		if err := os.Rename(logs, logs+".old"); err != nil {
			t.Fatal(err)
		}
	}
	for i, s := range nodes {
		cfg := s.cfg
		cfg.ClusterBegin = true
		nodes[i] = start(t, cfg)
	}
	for _, s := range nodes {
		eventually(t, "the area has a leader", func() bool { return s.cluster.host.Status().Areas[0].Lead != "" })
		eventually(t, "ticks are stepped", func() bool { return s.cluster.host.Status().Areas[0].Tick > 0 })
	}
	if _, err := nodes[1].hub.Login(t.Context(), session.Peer{Door: "test"}, "ann", "secret"); err != nil {
		t.Errorf("the account of the backup: %v", err)
	}
}
