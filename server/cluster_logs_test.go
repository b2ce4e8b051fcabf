package server

import (
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store/postgres"
)

// writeLog writes a state, entries and a snapshot to the log of an area in the data folder of a node that does not run.
func writeLog(t *testing.T, cfg *Config, a sim.AreaID, state *replica.State, entries []replica.Entry, snapshot bool) {
	t.Helper()
	nodes, err := cfg.nodes()
	if err != nil {
		t.Fatal(err)
	}
	log, _, err := cfg.openRaftLog(a, nodes, "")
	if err != nil {
		t.Fatal(err)
	}
	err = log.Write(state, entries)
	if snapshot {
		err = errors.Join(err, log.Rotate(replica.Snapshot{Index: 1, Term: 3, Members: []uint64{1, 2, 3}, Data: []byte{1}}, replica.State{Term: 3}, nil))
	}
	if err := errors.Join(err, log.Close()); err != nil {
		t.Fatal(err)
	}
}

// failingNode is a node whose port is in use: each start that gets that far opens the database and the logs, and then fails.
type failingNode struct {
	t   *testing.T
	cfg Config
}

func newFailingNode(t *testing.T) *failingNode {
	addr := freeAddr(t)
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	cfg := loneNode(t, addr)
	cfg.World = content.DefaultWorld() // so that one area can have a log with entries, and others none
	return &failingNode{t, cfg}
}

// newNodeThatHasRun returns a failingNode that has reserved the number 1, has had a link with it, and has an entry in the log of area 0.
func newNodeThatHasRun(t *testing.T) *failingNode {
	node := newFailingNode(t)
	node.start(false, nil, errPort)
	b := node.other(false)
	if err := errors.Join(b.MarkLinked(t.Context(), "a", 1), b.Close()); err != nil {
		t.Fatal(err)
	}
	writeLog(t, &node.cfg, 0, nil, []replica.Entry{{Index: 1, Term: 1}}, false)
	return node
}

// errPort is the end of the error of a node that has opened its logs.
const errPort = "choose another address with --cluster-listen HOST:PORT"

// start starts the node, with --cluster-begin or without it. Its error must be one line with that end. If want is not nil, the error must
// be of that kind, too. The result is what the node has logged.
func (f *failingNode) start(begin bool, want error, end string) *logbuf.Buffer {
	f.t.Helper()
	lines, cfg := new(logbuf.Buffer), f.cfg
	cfg.Log, cfg.ClusterBegin = slog.New(slog.NewTextHandler(lines, nil)), begin
	s, err := Start(f.t.Context(), cfg)
	switch {
	case err == nil:
		_ = s.Close()
		f.t.Fatal("the node has started")
	case want != nil && !errors.Is(err, want), !strings.HasSuffix(err.Error(), end), strings.Contains(err.Error(), "\n"):
		f.t.Errorf("--cluster-begin=%v: %v\nwant the error %v, and the end %q", begin, err, want, end)
	}
	return lines
}

func (f *failingNode) logs() string { return filepath.Join(f.cfg.DataDir, clusterFolder) }

// other opens the database as the process of another node.
func (f *failingNode) other(begin bool) *postgres.Store {
	f.t.Helper()
	s, err := postgres.Open(f.t.Context(), string(f.cfg.Store), postgres.Node("b"), postgres.BeginAreas(begin))
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = s.Close() })
	return s
}
