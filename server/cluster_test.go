package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/internal/testport"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/postgres"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/tape"
)

func TestInvalidClusterSettingsAreRefused(t *testing.T) {
	three := "a=127.0.0.1:1,b=127.0.0.1:2,c=127.0.0.1:3"
	for want, change := range map[string]func(c *Config){
		`node "a" is for a cluster`:                          func(c *Config) { c.Node = "a" },
		`"b" does not describe a node: write NAME=HOST:PORT`: func(c *Config) { c.Cluster, c.Node = "a=127.0.0.1:1,b", "a" },
		"at least 3 are needed":                              func(c *Config) { c.Cluster, c.Node = "a=127.0.0.1:1,b=127.0.0.1:2", "a" },
		`node "d" is not in the list`:                        func(c *Config) { c.Cluster, c.Node = three, "d" },
		"share a database of accounts":                       func(c *Config) { c.Cluster, c.Node = three, "a" },
		"suspect-after 1ms: must be 1s..1m":                  func(c *Config) { c.Cluster, c.Node, c.SuspectAfter = three, "a", time.Millisecond },
		`cluster-name is empty: leave it out for`:            func(c *Config) { c.Cluster, c.Node, c.ClusterName = three, "a", "" },
	} {
		c := Default()
		change(&c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// loneNode returns the configuration of a node with the address addr, and creates its database. The other nodes of its cluster cannot be
// reached.
func loneNode(t *testing.T, addr string) Config {
	keys := t.TempDir()
	if _, err := link.CreateKeys(keys, DefaultClusterName, []string{"a", "b", "c"}); err != nil {
		t.Fatal(err)
	}
	cfg := loneNodeConfig(t, addr)
	cfg.ClusterKeys, cfg.Store = filepath.Join(keys, "a"), StoreURL(pgtest.Database(t))
	return cfg
}

// loneNodeConfig returns the configuration of loneNode, without a database and keys.
func loneNodeConfig(t *testing.T, addr string) Config {
	cfg := quietConfig(t)
	cfg.ClusterConfig = ClusterConfig{Cluster: "a=" + addr + ",b=127.0.0.1:1,c=127.0.0.1:2", Node: "a", ClusterName: DefaultClusterName, ClusterListen: addr, SuspectAfter: time.Second, ClusterLead: true}
	return cfg
}

// A node that cannot open a file, for example on a full disk, ends with an error at each step of its start.
func TestNodeDoesNotStartIfItsChatLogCannotBeOpened(t *testing.T) {
	cfg := loneNode(t, freeAddr(t))
	if err := os.MkdirAll(filepath.Join(cfg.DataDir, chatlog.FileName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), chatlog.FileName) {
		t.Errorf("a node whose chat log is a folder: %v", err)
	}
}

func TestNodeDoesNotStartIfItsPortIsInUse(t *testing.T) {
	addr := freeAddr(t)
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cfg := loneNode(t, addr)
	if _, err := Start(t.Context(), cfg); err == nil || !strings.HasSuffix(err.Error(), "choose another address with --cluster-listen HOST:PORT") {
		t.Errorf("a node whose port is taken: %v", err)
	}
}

func TestRestartedNodeWithoutLogsRecommendsClusterBeginFlag(t *testing.T) {
	addr := freeAddr(t)
	l, err := net.Listen("tcp", addr) // occupies the port, so that each start of the node opens its logs and then fails
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cfg := loneNode(t, addr)
	for run, want := range []int{0, 1} {
		lines := new(logbuf.Buffer)
		cfg.Log = slog.New(slog.NewTextHandler(lines, nil))
		if _, err := Start(t.Context(), cfg); err == nil {
			t.Fatal("a node whose port is taken has started")
		}
		if n := lines.Count("start all nodes once with --cluster-begin"); n != want {
			t.Errorf("start %d: %d lines, want %d:\n%s", run+1, n, want, lines)
		}
		if err := os.RemoveAll(filepath.Join(cfg.DataDir, clusterFolder)); err != nil {
			t.Fatal(err)
		}
	}
}

// A node starts with --cluster-begin after the others, or comes back with the flag still in its unit file.
func TestClusterBeginHasNoEffectWhileAreasRunOnOtherNodes(t *testing.T) {
	t.Parallel() // the test mostly waits until the database gives up to wait for other nodes
	addr := freeAddr(t)
	l, err := net.Listen("tcp", addr) // occupies the port, so that each start of the node opens its logs and then fails
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cfg := loneNode(t, addr)
	other, err := postgres.Open(t.Context(), string(cfg.Store), postgres.Node("b"))
	if err != nil {
		t.Fatal(err)
	}
	if err := other.SaveCharacters(t.Context(), store.Fence{{Area: 0, Epoch: 7}}, nil); err != nil {
		t.Fatal(err)
	}
	run := func(begin bool, text string, want int) {
		t.Helper()
		lines := new(logbuf.Buffer)
		cfg.Log, cfg.ClusterBegin = slog.New(slog.NewTextHandler(lines, nil)), begin
		if _, err := Start(t.Context(), cfg); err == nil {
			t.Fatal("a node whose port is taken has started")
		}
		if n := lines.Count(text); n != want {
			t.Errorf("%d lines with %q, want %d:\n%s", n, text, want, lines)
		}
	}
	const noEffect, incomplete = "--cluster-begin has no effect", "start all nodes once with --cluster-begin"
	run(false, incomplete, 0)
	if err := os.RemoveAll(filepath.Join(cfg.DataDir, clusterFolder)); err != nil { // the disk is replaced
		t.Fatal(err)
	}
	run(true, noEffect, 1)
	run(false, incomplete, 1) // the node does not trust its empty logs
	if err := other.SaveCharacters(t.Context(), store.Fence{{Area: 0, Epoch: 6}}, nil); !errors.Is(err, store.ErrFenced) {
		t.Errorf("the epoch of the running area is forgotten: %v", err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	run(true, noEffect, 0)
	run(false, incomplete, 0)
}

// freeAddr returns a loopback address whose port is free until the test listens at it, and while a node of the test is restarted.
func freeAddr(t *testing.T) string { return testport.Addr(t) }

// startCluster starts three nodes, each with a console, that share a new database and have new keys. The function change, if not nil,
// changes the configuration of each node.
func startCluster(t *testing.T, change func(node string, cfg *Config)) []*Server {
	if testing.Short() {
		t.Skip("three nodes with a database take seconds; unit and race start them")
	}
	keys := t.TempDir()
	createKeys(t, keys)
	var nodes []string
	for _, name := range []string{"a", "b", "c"} {
		nodes = append(nodes, name+"="+freeAddr(t))
	}
	database := pgtest.Database(t)
	var list []*Server
	for _, name := range []string{"a", "b", "c"} {
		cfg := quietConfig(t)
		cfg.Store, cfg.Console = StoreURL(database), "127.0.0.1:0"
		cfg.ClusterConfig = ClusterConfig{Cluster: strings.Join(nodes, ","), Node: name, ClusterName: DefaultClusterName,
			ClusterKeys: filepath.Join(keys, name), SuspectAfter: 15 * time.Second, ClusterLead: true}
		cfg.ClusterListen = strings.TrimPrefix(nodes[len(list)], name+"=")
		if change != nil {
			change(name, &cfg)
		}
		list = append(list, start(t, cfg))
	}
	return list
}

// awaitServing waits until accounts can enter the world through a node of a cluster: a login soon after the node's start is refused if the
// areas do not know of this run of the node within 3 s. It does nothing if s is a single server.
func awaitServing(t *testing.T, s *Server) {
	t.Helper()
	if s.cluster != nil {
		eventually(t, "all areas know of this run of node "+s.cluster.name, func() bool { return s.cluster.host.Serving() != 0 })
	}
}

// enterVia logs an account in at a node and enters the world with the account's character. It tries again while an area has no leader, or
// the node does not have the last records of the account yet.
func enterVia(t *testing.T, s *Server, account string) (p *session.Session, err error) {
	t.Helper()
	awaitServing(t, s)
	peer := session.Peer{Addr: netip.MustParseAddr("127.0.0.1"), Conn: 1, Door: "test"}
	eventually(t, "node "+s.cluster.name+" answers whether the account may enter", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		var l *session.Login
		if l, err = s.hub.Login(ctx, peer, account, "secret"); err != nil {
			t.Fatal(err)
		}
		p, err = s.hub.Enter(ctx, l, 0)
		return !errors.Is(err, session.ErrNoLead) && !errors.Is(err, session.ErrBusy)
	})
	return p, err
}

func TestPlayerOfStoppedNodeCanEnterThroughOtherNode(t *testing.T) {
	nodes := startCluster(t, func(node string, cfg *Config) {
		cfg.Doors = webAndRS()
		if err := os.MkdirAll(filepath.Join(cfg.DataDir, sqlite.TapeFolder, "000-of_a_single_server"), 0o700); err != nil {
			t.Fatal(err)
		}
	})
	checkSharedDoorKeys(t, nodes)
	guest, account := joinAsGuest(t, nodes[0], "")
	peer := session.Peer{Addr: netip.MustParseAddr("127.0.0.1"), Conn: 1, Door: "test"}
	for _, name := range []string{"ann", "bea"} {
		if err := nodes[0].hub.CreateAccount(t.Context(), peer, name, "secret", ""); err != nil {
			t.Fatal(err)
		}
		l, err := nodes[0].hub.Login(t.Context(), peer, name, "secret")
		if err != nil {
			t.Fatal(err)
		}
		if err := nodes[0].hub.CreateCharacter(t.Context(), l, session.NewCharacter{Name: strings.ToUpper(name)}); err != nil {
			t.Fatal(err)
		}
	}
	ann, err := enterVia(t, nodes[0], "ann")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := enterVia(t, nodes[1], "ann"); !errors.Is(err, session.ErrOnline) {
		t.Errorf("an account that is in the world through another node: %v", err)
	}
	if err := nodes[0].Close(); err != nil {
		t.Error(err)
	}
	var again *session.Session
	eventually(t, "the account enters another node, which refuses it until the nodes have marked the closed node as gone", func() bool {
		again, err = enterVia(t, nodes[1], "ann")
		return !errors.Is(err, session.ErrOnline)
	})
	if err != nil {
		t.Fatal(err)
	}
	if again.Entity != ann.Entity || !again.Resumed() {
		t.Errorf("entered as %d, resumed: %v; want the body %d", again.Entity, again.Resumed(), ann.Entity)
	}
	if _, got := joinAsGuest(t, nodes[1], guest.GuestIdentity()); got != account || account == "" {
		t.Errorf("a guest whose node stopped has the account %q through another node, want %q", got, account)
	}
	again.Leave()
	<-again.Ended()
	eventually(t, "the account enters a third node after it has left", func() bool {
		again, err = enterVia(t, nodes[2], "ann")
		return err == nil
	})
	if again.Resumed() {
		t.Error("after it has left, the account resumes a body on a third node")
	}
	if again.Character.Name != "ANN" {
		t.Errorf("the character is %q", again.Character.Name)
	}

	for _, ban := range []store.AccessRule{{Kind: store.AccessBan, Account: "bea"}, {Kind: store.AccessBan, Account: "ann", Reason: "spam"}} {
		if _, err := nodes[1].hub.Restrict(t.Context(), ban); err != nil {
			t.Fatal(err)
		}
	}
	if err := nodes[2].hub.RefreshAccess(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkTapes(t, nodes)
	if _, err := nodes[2].hub.Login(t.Context(), peer, "bea", "secret"); !errors.Is(err, session.ErrBanned) {
		t.Errorf("an account that was banned on another node: %v", err)
	}
	<-again.Ended()
	if text := again.KickMessage(); !strings.Contains(text, "spam") {
		t.Errorf("a player that was banned on another node is told %q", text)
	}
}

// checkTapes starts the first of three nodes again, which has stopped. It checks that the tape of each node then has the
// whole past without a gap, with equal states, and that the same player entered at the same time.
func checkTapes(t *testing.T, nodes []*Server) {
	t.Helper()
	dirs := make([]string, len(nodes))
	for i, s := range nodes {
		dirs[i] = filepath.Join(s.cfg.DataDir, sqlite.TapeFolder)
		if aside, err := filepath.Glob(filepath.Join(s.cfg.DataDir, tapeDiscarded+"*", "000-of_a_single_server")); err != nil || len(aside) != 1 {
			t.Errorf("of node %d the tape of a single server is in %q, %v", i, aside, err)
		}
	}
	if area, err := tape.InPlay(tape.Options{Dir: dirs[0]}); area != "" || err != nil {
		t.Errorf("a server that starts alone would restore area %q: %v", area, err)
	}
	again := start(t, nodes[0].cfg)
	entered := make([]string, len(nodes))
	for i, s := range []*Server{again, nodes[1], nodes[2]} {
		p, err := s.openPast()(0)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		now := time.Now()
		eventually(t, "the tape has the present", func() bool {
			spans, err := p.Spans()
			if err != nil {
				t.Fatal(err)
			}
			return len(spans) == 1 && spans[0].First == 1 && spans[0].To.After(now)
		})
		for err == nil && entered[i] == "" {
			if err = p.Step(); err == nil && len(p.Intents()) > 0 && p.Intents()[0].Kind == sim.IntentJoin {
				entered[i] = fmt.Sprint(p.Tick(), p.Time(), p.Frame().Hash)
			}
		}
		if entered[i] == "" || entered[i] != entered[0] {
			t.Errorf("on the tape of node %d the first player enters at %q, %v; on the first tape at %q", i, entered[i], err, entered[0])
		}
		if v, _, err := VerifyTape(dirs[i], smallWorldConfig()); err != nil || v.Ticks == 0 || len(v.Problems) > 0 {
			t.Errorf("tape of node %d: %d ticks, %q, %v", i, v.Ticks, v.Problems, err)
		}
	}
}
