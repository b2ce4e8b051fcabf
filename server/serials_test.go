package server

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/postgres"
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
	eventually(t, "the database knows that this run has had a link", func() bool {
		serial, err := c.store.(nodeStore).LinkedSerial(t.Context(), c.cluster.name)
		return err == nil && serial >= c.cluster.host.Incarnation()
	})
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
	mu   sync.Mutex // guards the fields below: a timer does not order what its goroutine does after what the test did
	last uint64
	err  error

	linked []uint64 // numbers that were passed to MarkLinked
}

func (s *failingSerials) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

func (s *failingSerials) ReserveSerials(_ context.Context, _ string, n uint64) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last += n
	return s.last, s.err
}

func TestLogsCountAsOlderOnlyIfSerialFileIsOlderOrDamaged(t *testing.T) {
	n := &clusterNode{server: &Server{log: slog.New(slog.DiscardHandler)}}
	n.server.cfg.DataDir = t.TempDir()
	db := new(failingSerials)
	serials := serialStore{Sessions: db, n: n}
	check := func(when string, linked uint64, want, unknown bool) {
		t.Helper()
		if older, un, err := n.hasOlderLogs(linked); older != want || un != unknown || err != nil {
			t.Errorf("%s: older %v, unknown %v, %v", when, older, un, err)
		}
	}
	check("there is no folder", 0, false, true)
	if _, err := serials.ReserveSerials(t.Context(), "a", 1); err != nil {
		t.Error(err)
	}
	check("the file cannot be written", 1, false, true)
	if err := os.MkdirAll(filepath.Dir(n.serialPath()), 0o755); err != nil {
		t.Fatal(err)
	}
	if last, err := serials.ReserveSerials(t.Context(), "a", 6); last != 7 || err != nil {
		t.Error(last, err)
	}
	check("after a reservation", 7, false, false)
	if last, err := serials.ReserveSerials(t.Context(), "a", 0); last != 7 || err != nil {
		t.Error(last, err)
	}
	check("after a question", 7, false, false)
	check("after a link of a run with another folder", 8, true, false)
	db.err = errors.New("no answer")
	if _, err := serials.ReserveSerials(t.Context(), "a", 1); err == nil {
		t.Error("a reservation without an answer succeeds")
	}
	check("after a reservation without an answer", serials.last.Load(), false, false)
	for _, text := range []string{"", "x", "-1", "7 8"} {
		if err := os.WriteFile(n.serialPath(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		check("a file with "+strconv.Quote(text), 7, true, false)
	}
	db.err = nil
	if err := os.Mkdir(n.serialPath()+".part", 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := serials.ReserveSerials(t.Context(), "a", 1); err != nil {
		t.Error(err)
	}
	check("the next number cannot be written", serials.last.Load(), false, true)
}

// A process has the name of a stopped node and an empty folder, and the other nodes refuse it because of its world. Then the node starts
// while another one is down: its vote is needed.
func TestRefusedProcessDoesNotMakeLogsOfItsNodeOlder(t *testing.T) {
	nodes := startCluster(t, nil)
	stop := func(s *Server) {
		t.Helper()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range nodes {
		eventually(t, "the area has ticks", func() bool { return s.cluster.host.Status().Areas[0].Tick > 10 })
	}
	stop(nodes[2])
	cfg, theirs := likeNode(t, nodes[2])
	world, rules := *nodes[2].cfg.World, *nodes[2].cfg.World.World
	rules.ContentHash++
	world.World, cfg.World = &rules, &world
	other := start(t, cfg)
	eventually(t, "the process is refused", func() bool { return theirs.Count("has the world of digest") > 0 })
	stop(other)
	stop(nodes[1])
	log := new(logbuf.Buffer)
	own := nodes[2].cfg
	own.Log = slog.New(slog.NewTextHandler(log, nil))
	c := start(t, own)
	eventually(t, "the areas have a leader", func() bool { return c.cluster.host.Status().Areas[0].Lead != "" })
	requireTicks(t, nodes[0], c)
	if n := log.Count("are older than the last run of this node"); n != 0 {
		t.Errorf("%d lines, want none:\n%s", n, log)
	}
}

// The folder of a process has the keys of another node or cluster.
func TestProcessWithOtherKeysStoresNothing(t *testing.T) {
	cfg := loneNode(t, freeAddr(t))
	for what, c := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"keys of another node":    {func(c *Config) { c.ClusterKeys = filepath.Join(filepath.Dir(c.ClusterKeys), "b") }, `the keys are those of node "b", but this is node "a": `},
		"keys of another cluster": {func(c *Config) { c.ClusterName = "other" }, `the keys are of cluster "truestep", not "other": `},
	} {
		other := cfg
		other.Store, other.DataDir = StoreURL(pgtest.Database(t)), t.TempDir()
		c.change(&other)
		if _, err := Start(t.Context(), other); err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
		db, err := postgres.Open(t.Context(), string(other.Store), postgres.Node("b"), postgres.Cluster("later", []string{"b"}))
		if err != nil { // such as that the refused process has made the database that of its cluster
			t.Errorf("%s: %v", what, err)
			continue
		}
		if last, err := db.ReserveSerials(t.Context(), "a", 0); last != 0 || err != nil {
			t.Errorf("%s: %d is reserved, %v", what, last, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// MarkLinked implements nodeStore.
func (s *failingSerials) MarkLinked(_ context.Context, _ string, serial uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.linked = append(s.linked, serial)
	}
	return s.err
}

// LinkedSerial implements nodeStore.
func (s *failingSerials) LinkedSerial(context.Context, string) (uint64, error) { return 0, s.err }

// noEvents ignores the events of links.
type noEvents struct{ link.Handler }

func (noEvents) Up(uint64, link.Hello) {}

func TestSerialNumberIsMarkedOnlyOnceRunHasLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(logbuf.Buffer)
		n := &clusterNode{server: &Server{log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))}, name: "a"}
		n.server.cfg.DataDir = t.TempDir()
		db := new(failingSerials)
		m := &linkMarks{Handler: noEvents{}, db: db, serials: &serialStore{Sessions: db, n: n}, wake: make(chan struct{}, 1)}
		open, stop := context.WithCancel(t.Context())
		m.start(open)
		step := func(what string, wait time.Duration, want ...uint64) {
			t.Helper()
			time.Sleep(wait)
			synctest.Wait()
			db.mu.Lock()
			defer db.mu.Unlock()
			if !slices.Equal(db.linked, want) {
				t.Errorf("%s: marked are %v, want %v", what, db.linked, want)
			}
		}
		reserve := func(count uint64) {
			t.Helper()
			if _, err := m.serials.ReserveSerials(t.Context(), "a", count); err != nil {
				t.Fatal(err)
			}
		}
		reserve(1)
		step("without a link", time.Minute)
		db.fail(errors.New("no answer"))
		m.Up(2, link.Hello{})
		step("while the database does not answer", 0)
		if n := log.Count("level=DEBUG", "cannot store that this run has a link"); n != 1 {
			t.Errorf("%d lines about the failure:\n%s", n, log)
		}
		db.fail(nil)
		step("when it answers again", markEvery, 1)
		m.Up(3, link.Hello{})
		step("after another link", 2*markEvery, 1)
		reserve(6)
		step("after another reservation", markEvery, 1, 7)
		stop()
		m.done.Wait()
	})
}
