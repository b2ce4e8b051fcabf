package server

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/postgres"
)

// The logs of a node that never led or followed a leader have no entries, so areas may begin anew with them.
func TestOnlyLogsWithEntryOrSnapshotPreventBeginning(t *testing.T) {
	vote, entry := &replica.State{Term: 3, Vote: 2}, []replica.Entry{{Index: 1, Term: 3}}
	for what, c := range map[string]struct {
		area     sim.AreaID
		state    *replica.State
		entries  []replica.Entry
		snapshot bool
		want     bool
	}{
		"a new log":                      {},
		"a log with a vote":              {state: vote},
		"a log with the first entry":     {state: vote, entries: entry, want: true},
		"a log of another area":          {area: 2, entries: entry, want: true},
		"a log with a snapshot":          {snapshot: true, want: true},
		"a log of an area without votes": {area: 1},
	} {
		cfg := loneNodeConfig(t, "127.0.0.1:1")
		cfg.World = content.DefaultWorld() // which has several areas
		if has, err := cfg.hasLogs(); has || err != nil {
			t.Errorf("no folder: %v, %v", has, err)
		}
		if _, err := os.Stat(filepath.Join(cfg.DataDir, clusterFolder)); err == nil {
			t.Error("the question has created a folder")
		}
		writeLog(t, &cfg, c.area, c.state, c.entries, c.snapshot)
		for range 2 { // the question changes nothing
			if has, err := cfg.hasLogs(); has != c.want || err != nil {
				t.Errorf("%s: %v, %v; want %v", what, has, err, c.want)
			}
		}
		cfg.ClusterName = "other"
		if _, err := cfg.hasLogs(); err == nil || !strings.Contains(err.Error(), `the log is of cluster "truestep"`) {
			t.Errorf("%s, of another cluster: %v", what, err)
		}
	}
}

// save stores a record of an area in an epoch.
func save(t *testing.T, s *postgres.Store, epoch uint64) error {
	t.Helper()
	return s.SaveCharacters(t.Context(), store.Fence{{Area: 0, Epoch: epoch}}, nil)
}

func TestClusterBeginIsRefusedOnNodeThatHasLogs(t *testing.T) {
	t.Parallel() // the test mostly waits until the database gives up to wait for other nodes
	node := newFailingNode(t)
	b := node.other(false)
	if err := errors.Join(save(t, b, 7), b.Close()); err != nil {
		t.Fatal(err)
	}
	node.start(false, nil, errPort)
	writeLog(t, &node.cfg, 0, nil, []replica.Entry{{Index: 1, Term: 1}}, false)
	for range 2 { // systemd starts it again
		node.start(true, postgres.ErrHasLogs, "move the folder "+node.logs()+" of this node and that of each other one away, and start all once with --cluster-begin")
	}
	b = node.other(false)
	if err := save(t, b, 6); !errors.Is(err, store.ErrFenced) {
		t.Errorf("the refused node has deleted the epoch of the area: %v", err)
	}
	if lines := node.start(true, nil, errPort); lines.Count("--cluster-begin has no effect") != 1 {
		t.Errorf("while another node runs:\n%s", lines)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	node.start(false, nil, errPort)
	if err := os.Rename(node.logs(), node.logs()+".old"); err != nil {
		t.Fatal(err)
	}
	node.start(true, nil, errPort)
	if err := save(t, node.other(false), 6); err != nil {
		t.Errorf("the areas have not begun anew without the logs: %v", err)
	}
}

// A node crashes soon after the areas have begun anew, and its start still has the flag. No record is stored yet.
func TestNodeThatHasBegunAreasContinuesWithoutFlag(t *testing.T) {
	node := newFailingNode(t)
	node.other(true)
	node.start(true, nil, errPort)
	writeLog(t, &node.cfg, 0, nil, []replica.Entry{{Index: 1, Term: 1}}, false)
	node.start(true, postgres.ErrHasLogs, "with --cluster-begin")
	if lines := node.start(false, nil, errPort); lines.Count("until another node has sent it") != 0 {
		t.Errorf("the logs are not trusted:\n%s", lines)
	}
}

// Two of three nodes have lost their disks and begin the areas anew. The third one has its logs and is started with the flag again and
// again, also when the areas run.
func TestNodeWithLogsOfBeforeBeginningIsRefused(t *testing.T) {
	t.Parallel() // the test mostly waits until the database gives up to wait for other nodes
	for fix, do := range map[string]func(logs string) error{
		"its logs are moved away": func(logs string) error { return os.Rename(logs, logs+".old") },
		"the areas are to continue from these, after all": func(logs string) error {
			return os.WriteFile(filepath.Join(logs, serialFile), []byte("2\n"), 0o600)
		},
	} {
		node := newNodeThatHasRun(t)
		b := node.other(true)
		if !b.Begun() {
			t.Fatal("the areas do not begin anew")
		}
		node.start(true, postgres.ErrHasLogs, "with --cluster-begin")
		if err := save(t, b, 1); err != nil {
			t.Fatal(err)
		}
		serial := filepath.Join(node.logs(), serialFile)
		for _, begin := range []bool{true, false, false} {
			node.start(begin, errFormerLogs, "write the number 2 into the file "+serial+", and the one in this line of each of the others into its file, and start all without --cluster-begin")
		}
		if err := os.Remove(serial); err != nil { // as if the last run had not been able to write it
			t.Fatal(err)
		}
		for _, begin := range []bool{true, false} {
			node.start(begin, errFormerLogs, "and start all without --cluster-begin")
		}
		if err := do(node.logs()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if lines := node.start(false, nil, errPort); lines.Count("are older than the last run of this node") != 0 {
				t.Errorf("%s:\n%s", fix, lines)
			}
		}
	}
}

// The disks of two of three nodes are lost for good. All nodes are started with --cluster-begin, so that the areas begin anew on the two.
// The third one, whose logs are newer than theirs, must not take part.
func TestSurvivorOfLostDisksDoesNotDisturbAreasThatBeginAnew(t *testing.T) {
	nodes := startCluster(t, nil)
	peer := session.Peer{Door: "test"}
	if err := nodes[0].hub.CreateAccount(t.Context(), peer, "ann", "secret", ""); err != nil {
		t.Fatal(err)
	}
	l, err := nodes[0].hub.Login(t.Context(), peer, "ann", "secret")
	if err != nil {
		t.Fatal(err)
	}
	if err := nodes[0].hub.CreateCharacter(t.Context(), l, session.NewCharacter{Name: "Ann"}); err != nil {
		t.Fatal(err)
	}
	requireTicks(t, nodes...)
	eventually(t, "the database knows that the node has had a link", func() bool {
		serial, err := nodes[0].store.(nodeStore).LinkedSerial(t.Context(), "a")
		return err == nil && serial > 0
	})
	for _, s := range nodes {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range nodes[1:] {
		if err := os.RemoveAll(filepath.Join(s.cfg.DataDir, clusterFolder)); err != nil {
			t.Fatal(err)
		}
	}
	survivor := nodes[0].cfg
	survivor.ClusterBegin = true
	refused := func(want error) bool {
		t.Helper()
		s, err := Start(t.Context(), survivor)
		if err == nil {
			_ = s.Close()
			t.Fatal("the node with logs has started")
		}
		return errors.Is(err, want)
	}
	if !refused(postgres.ErrHasLogs) {
		t.Error("the first start is refused for another reason than the logs")
	}
	for i, s := range nodes[1:] {
		cfg := s.cfg
		cfg.ClusterBegin = true
		nodes[i+1] = start(t, cfg)
	}
	requireTicks(t, nodes[1:]...)
	ann, err := enterVia(t, nodes[1], "ann")
	if err != nil {
		t.Fatal(err)
	}
	ann.Leave()
	<-ann.Ended()
	eventually(t, "records are stored, so that the flag has no effect", func() bool { return refused(errFormerLogs) })
	survivor.ClusterBegin = false
	if !refused(errFormerLogs) {
		t.Error("without the flag the node is refused for another reason than that its logs are of before")
	}
	requireTicks(t, nodes[1:]...)
	logs := filepath.Join(survivor.DataDir, clusterFolder)
	if err := os.Rename(logs, logs+".old"); err != nil {
		t.Fatal(err)
	}
	nodes[0] = start(t, survivor)
	requireTicks(t, nodes...)
}
