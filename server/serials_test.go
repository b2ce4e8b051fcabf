package server

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/truestep-io/truestep/internal/logbuf"
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

func TestNodeRefusesSerialFileWithoutNumber(t *testing.T) {
	n := &clusterNode{server: &Server{}}
	n.server.cfg.DataDir = t.TempDir()
	if err := os.MkdirAll(filepath.Dir(n.serialPath()), 0o755); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"7\n": false, "6\n": true, "8\n": false} {
		if err := os.WriteFile(n.serialPath(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if older, err := n.hasOlderLogs(7); older != want || err != nil {
			t.Errorf("%q: %v, %v", text, older, err)
		}
	}
	for _, text := range []string{"", "x", "-1", "7 8"} {
		if err := os.WriteFile(n.serialPath(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := n.hasOlderLogs(7); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
