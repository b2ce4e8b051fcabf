package server

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/store"
)

// The machine of node c gets back an older copy of its disk. The leaders of the areas believe that the node has entries which it has
// acknowledged and no longer has, so they do not send them.
func TestNodeWithOlderCopyOfDataFolderGetsWhatItLacks(t *testing.T) {
	nodes := startCluster(t, nil)
	cfg := nodes[2].cfg
	logs := filepath.Join(cfg.DataDir, clusterFolder)
	tick := func(s *Server) (lowest uint64) {
		for i, a := range s.cluster.host.Status().Areas {
			if i == 0 || uint64(a.Tick) < lowest {
				lowest = uint64(a.Tick)
			}
		}
		return lowest
	}
	stop := func(s *Server) {
		t.Helper()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	copied := filepath.Join(t.TempDir(), "copy")
	eventually(t, "the node has the first ticks", func() bool { return tick(nodes[2]) > 10 })
	stop(nodes[2])
	if err := os.CopyFS(copied, os.DirFS(logs)); err != nil {
		t.Fatal(err)
	}
	c := start(t, cfg)
	before := tick(nodes[0])
	eventually(t, "the node has further ticks", func() bool { return tick(c) > before+20 })
	stop(c)
	if err := os.RemoveAll(logs); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(logs, os.DirFS(copied)); err != nil {
		t.Fatal(err)
	}
	for _, lines := range []int{1, 0} { // the second start finds the folder of the last run
		log := new(logbuf.Buffer)
		cfg.Log = slog.New(slog.NewTextHandler(log, nil))
		c = start(t, cfg)
		before = tick(nodes[0])
		eventually(t, "the node has what it lacked", func() bool { return tick(c) > before })
		if n := log.Count("are older than the last run of this node"); n != lines {
			t.Errorf("%d lines, want %d:\n%s", n, lines, log)
		}
		stop(c)
	}
}

// failingSerials is a store that fails to reserve numbers if err is set.
type failingSerials struct {
	store.Sessions
	last uint64
	err  error
}

func (s *failingSerials) ReserveSerials(_ context.Context, _ string, n uint64) (uint64, error) {
	s.last += n
	return s.last, s.err
}

func TestLogsCountAsOlderOnlyIfSerialFileIsOlderOrDamaged(t *testing.T) {
	n := &clusterNode{server: &Server{log: slog.New(slog.DiscardHandler)}}
	n.server.cfg.DataDir = t.TempDir()
	db := new(failingSerials)
	serials := serialStore{Sessions: db, n: n}
	check := func(when string, want bool) {
		t.Helper()
		if older, err := n.hasOlderLogs(db.last); older != want || err != nil {
			t.Errorf("%s: older %v, %v", when, older, err)
		}
	}
	check("there is no folder", false)
	if _, err := serials.ReserveSerials(t.Context(), "a", 1); err != nil {
		t.Error(err)
	}
	check("the file cannot be written", false)
	if err := os.MkdirAll(filepath.Dir(n.serialPath()), 0o755); err != nil {
		t.Fatal(err)
	}
	if last, err := serials.ReserveSerials(t.Context(), "a", 6); last != 7 || err != nil {
		t.Error(last, err)
	}
	check("after a reservation", false)
	if last, err := serials.ReserveSerials(t.Context(), "a", 0); last != 7 || err != nil {
		t.Error(last, err)
	}
	check("after a question", false)
	db.last++
	check("after a reservation of a run with another folder", true)
	db.err = errors.New("no answer")
	if _, err := serials.ReserveSerials(t.Context(), "a", 1); err == nil {
		t.Error("a reservation without an answer succeeds")
	}
	check("after a reservation without an answer", false)
	for _, text := range []string{"", "x", "-1", "7 8"} {
		if err := os.WriteFile(n.serialPath(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		check("a file with "+strconv.Quote(text), true)
	}
}
