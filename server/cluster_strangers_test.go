package server

import (
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/cluster"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store/postgres"
)

// requireTicks fails the test unless the ticks of all areas of the servers advance.
func requireTicks(t *testing.T, servers ...*Server) {
	t.Helper()
	for _, s := range servers {
		before := s.cluster.host.Status().Areas
		eventually(t, "all areas of node "+s.cluster.name+" advance", func() bool {
			for i, a := range s.cluster.host.Status().Areas {
				if a.Tick < before[i].Tick+3 {
					return false
				}
			}
			return true
		})
	}
}

// likeNode returns the configuration of a second process for the node s, with another data folder, and the log of that process.
func likeNode(t *testing.T, s *Server) (Config, *logbuf.Buffer) {
	cfg := quietConfig(t)
	cfg.Store, cfg.ClusterConfig, cfg.World, cfg.GameVersion = s.cfg.Store, s.cfg.ClusterConfig, s.cfg.World, s.cfg.GameVersion
	log := new(logbuf.Buffer)
	cfg.Log = slog.New(slog.NewTextHandler(log, nil))
	return cfg, log
}

// idleGame is a game whose rules do nothing.
type idleGame struct{}

func (idleGame) Command(*sim.Hand, sim.EntityID, *sim.Command) {}
func (idleGame) Tick(*sim.Hand)                                {}

// playIdleGame makes the server run a world with a game, whose rules have the given version.
func playIdleGame(t *testing.T, cfg *Config, version string) {
	t.Helper()
	cfg.World, cfg.GameVersion = smallWorld(t), version
	cfg.World.World.Game = idleGame{}
}

func TestIncompatibleNodeIsRefusedAndBothNodesLogOneLine(t *testing.T) {
	t.Parallel() // the test mostly waits for log lines, which are limited to one in 5 s
	clock := func(ahead time.Duration) func(cfg *Config) {
		return func(cfg *Config) { cfg.clock = func() time.Time { return time.Now().Add(ahead) } }
	}
	var log logbuf.Buffer
	nodes := startCluster(t, func(name string, cfg *Config) {
		playIdleGame(t, cfg, "rules 1")
		if cfg.Version = "v1.2.0"; name == "a" {
			cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
		}
	})
	eventually(t, "node a sees the version of node b", func() bool { return strings.HasPrefix(nodes[0].cluster.host.Status().Nodes[1].Version, "v1.2.0 ") })
	if err := nodes[2].Close(); err != nil {
		t.Fatal(err)
	}
	ann := join(t, nodes[0])
	for name, c := range map[string]struct {
		change      func(cfg *Config)
		there, here string // texts that the logs of the stranger and of node a must contain; quotes are escaped
	}{
		"formats": {func(cfg *Config) { cfg.formats, cfg.Version = "truestep cluster 0", "v1.3.0" },
			`node a has the formats \"` + clusterFormats + `\" (version v1.2.0 `, `node c has the formats \"truestep cluster 0\" (version v1.3.0 `},
		"world": {func(cfg *Config) {
			world, rules := *nodes[2].cfg.World, *nodes[2].cfg.World.World
			rules.ContentHash++ // as if the world file had another content
			world.World = &rules
			cfg.World = &world
		}, "node a has the world of digest ", "node c has the world of digest "},
		"game rules": {func(cfg *Config) { cfg.GameVersion, cfg.Version = "rules 2", "v1.3.0" },
			`node a has the game rules \"rules 1\" (version v1.2.0 `, `node c has the game rules \"rules 2\" (version v1.3.0 `},
		"game rules without a version": {func(cfg *Config) { cfg.GameVersion = "" }, // each build counts as another version
			`node a has the game rules \"rules 1\" (version v1.2.0 `, `node c has the game rules \"build `},
		"database": {func(cfg *Config) { cfg.Store = StoreURL(pgtest.Database(t)) }, "node a has the database with the ID ", "node c has the database with the ID "},
		// Half a minute more than an hour, because the measured difference is wrong by the time of a message. Node a dials node c and
		// finds it first.
		"clock an hour ahead":  {clock(time.Hour + 30*time.Second), "link refused by the peer: clock of node a is -1h0m", "clock of node c is 1h0m"},
		"clock an hour behind": {clock(-time.Hour - 30*time.Second), "link refused by the peer: clock of node a is 1h0m", "clock of node c is -1h0m"},
	} {
		cfg, theirs := likeNode(t, nodes[2])
		c.change(&cfg)
		began := time.Now()
		s := start(t, cfg)
		eventually(t, name+": both sides say why they refuse each other", func() bool { return theirs.Count(c.there) > 0 && log.Count(c.here) > 0 })
		requireTicks(t, nodes[:2]...)
		n, m := theirs.Count(c.there), log.Count(c.here)
		if limit := 1 + int(time.Since(began)/(5*time.Second)); n > limit || m > limit {
			t.Errorf("%s: %d lines of the stranger and %d of node a, want at most %d each:\n%s", name, n, m, limit, theirs.String())
		}
		eventually(t, name+": the status of node a says why", func() bool {
			return strings.Contains(nodes[0].cluster.host.Status().Nodes[2].Link.Problem, strings.ReplaceAll(c.here, `\"`, `"`))
		})
		eventually(t, name+": the node that is refused is not ready", func() bool {
			h := s.Health()
			return !h.Ready && slices.ContainsFunc(h.Problems, func(p string) bool { return strings.Contains(p, "has no leader since") })
		})
		if _, ok := nodes[0].hub.Player(ann.Entity); !ok {
			t.Errorf("%s: a player of node a is no longer in the world", name)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNodeDoesNotContinueLogsOfOtherGameRules(t *testing.T) {
	cfg := loneNode(t, freeAddr(t))
	for i, c := range []struct {
		version string
		refused bool
	}{{"1", false}, {"2", true}, {"", true}, {"1", false}} {
		playIdleGame(t, &cfg, c.version)
		s, err := Start(t.Context(), cfg)
		switch {
		case c.refused && (err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "start all nodes with the world, program and game rules that wrote it")):
			t.Errorf("start %d: a node with logs of game rules 1 and with the rules %q: %v", i+1, c.version, err)
		case !c.refused && err != nil:
			t.Fatalf("start %d: %v", i+1, err)
		}
		if s == nil {
			continue
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A world without a game has no rules but those of this program, whatever GameVersion says.
func TestGameVersionCountsOnlyInWorldWithGame(t *testing.T) {
	cfg := Default()
	cfg.World, cfg.GameVersion = smallWorld(t), "7"
	if v, err := cfg.gameVersion(); v != "" || err != nil {
		t.Errorf("without a game: %q, %v", v, err)
	}
	playIdleGame(t, &cfg, "7")
	if v, err := cfg.gameVersion(); v != "7" || err != nil {
		t.Errorf("with a game: %q, %v", v, err)
	}
	cfg.GameVersion = ""
	build, err := buildID()
	if v, err2 := cfg.gameVersion(); v != "build "+build || build == "" || err != nil || err2 != nil {
		t.Errorf("without a version: %q, %v, %v; the build is %q", v, err, err2, build)
	}
}

func TestInvalidGameVersionIsRefused(t *testing.T) {
	for _, version := range []string{strings.Repeat("x", maxGameVersion+1), "v1\n", "vé"} {
		cfg := Default()
		cfg.GameVersion = version
		if err := cfg.Check(); err == nil || !strings.Contains(err.Error(), "must be at most 64 characters of printable ASCII") {
			t.Errorf("%q: %v", version, err)
		}
	}
	cfg := Default()
	if cfg.GameVersion = strings.Repeat("x", maxGameVersion); cfg.Check() != nil {
		t.Error(cfg.Check())
	}
}

func TestSecondProcessOfRunningNodeIsRefused(t *testing.T) {
	t.Parallel()
	nodes := startCluster(t, nil)
	connected := func() bool {
		return !slices.ContainsFunc(nodes[0].cluster.host.Status().Nodes, func(n cluster.NodeStatus) bool { return !n.Up })
	}
	eventually(t, "all nodes are connected", connected)
	before := make([]uint64, len(nodes))
	for i, s := range nodes {
		before[i] = s.cluster.host.Incarnation()
	}
	cfg, _ := likeNode(t, nodes[1])
	cfg.ClusterListen = freeAddr(t)
	if _, err := Start(t.Context(), cfg); !errors.Is(err, postgres.ErrNodeRuns) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), `node "b"`) {
		t.Errorf("a second process of node b: %v", err)
	}
	requireTicks(t, nodes...)
	eventually(t, "all nodes are still connected", connected)
	for i, n := range nodes[0].cluster.host.Status().Nodes {
		if own := nodes[i].cluster.host.Incarnation(); n.Incarnation != before[i] || own != before[i] {
			t.Errorf("node %d had incarnation %d, and has %d by its own account: %+v", i, before[i], own, n)
		}
	}
}

// The nodes of two clusters have no links, so only the database can tell them that they are not one.
func TestNodeOfOtherClusterOrListOfNodesIsRefusedByDatabase(t *testing.T) {
	cfg := loneNode(t, freeAddr(t))
	s := start(t, cfg)
	for what, change := range map[string]func(*Config){
		"another cluster": func(c *Config) {
			c.ClusterName, c.ClusterKeys, c.Node = "other", filepath.Join(t.TempDir(), "d"), "d"
			c.Cluster = "d=127.0.0.1:3,e=127.0.0.1:4,f=127.0.0.1:5"
			if _, err := link.CreateKeys(filepath.Dir(c.ClusterKeys), c.ClusterName, []string{"d", "e", "f"}); err != nil {
				t.Fatal(err)
			}
		},
		"another list of nodes": func(c *Config) {
			c.Node, c.Cluster, c.ClusterKeys = "b", c.Cluster+",d=127.0.0.1:3", filepath.Join(filepath.Dir(c.ClusterKeys), "b")
		},
	} {
		other, _ := likeNode(t, s)
		other.ClusterListen = freeAddr(t)
		change(&other)
		got, err := Start(t.Context(), other)
		if !errors.Is(err, postgres.ErrOtherCluster) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), `the cluster "truestep" of the nodes a,b,c`) {
			t.Errorf("%s: %v", what, err)
		}
		if err == nil {
			if err := got.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
