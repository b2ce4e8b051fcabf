package postgres

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/store"
)

var (
	world    = Cluster("world", []string{"a", "b", "c"})
	stranger = Cluster("stranger", []string{"d", "e", "f"})
)

// refuseOther fails the test unless the process of a node is refused because the database is that of the cluster "world".
func refuseOther(t *testing.T, url, text string, opts ...Option) {
	t.Helper()
	s, err := Open(t.Context(), url, append(opts, WithLog(quiet))...)
	if err == nil {
		closeStore(t, s)
	}
	if !errors.Is(err, ErrOtherCluster) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), `the cluster "world" of the nodes a,b,c, and this node is of the cluster `+text) {
		t.Errorf("%v\nwant %s", err, text)
	}
}

func TestNodeOfOtherClusterIsRefusedUnlessItBeginsAreasWhileNoNodeRuns(t *testing.T) {
	b := newBeginTest(t) // a database whose nodes did not store their cluster
	first := open(t, b.url, WithLog(quiet), Node("a"), world)
	const fix = "start all nodes once with --cluster-begin"
	refuseOther(t, b.url, `"stranger" of the nodes d,e,f: correct --cluster or --cluster-name of this node if`, Node("d"), stranger)
	refuseOther(t, b.url, `"other" of the nodes a,b,c: `, Node("b"), Cluster("other", []string{"a", "b", "c"}))
	refuseOther(t, b.url, `"world" of the nodes a,b,c,d: `, Node("d"), Cluster("world", []string{"a", "b", "c", "d"}))
	refuseOther(t, b.url, `"world" of the nodes c,b,a: `, Node("b"), Cluster("world", []string{"c", "b", "a"}))
	refuseOther(t, b.url, `"stranger" of the nodes d,e,f: correct --cluster or --cluster-name of this node if it is to be a node of that cluster, name the database of this cluster with --store if it has another, or, if this cluster is to use that one, stop all nodes that use it, because`,
		Node("d"), stranger, BeginAreas(true))
	b.check(first, "a", 9)
	closeStore(t, open(t, b.url, WithLog(quiet), Node("b"), world))
	closeStore(t, first)
	refuseOther(t, b.url, `"stranger" of the nodes d,e,f: `, Node("d"), stranger)

	next := open(t, b.url, WithLog(quiet), Node("d"), stranger, BeginAreas(true))
	if b.check(next, "", 0); !next.Begun() {
		t.Error("the areas do not begin anew")
	}
	closeStore(t, open(t, b.url, WithLog(quiet), Node("e"), stranger, BeginAreas(true)))
	closeStore(t, next)
	if s, err := Open(t.Context(), b.url, WithLog(quiet), Node("a"), world); !errors.Is(err, ErrOtherCluster) || !strings.HasSuffix(err.Error(), fix) {
		t.Errorf("a node of the former cluster: %v", err)
		if err == nil {
			closeStore(t, s)
		}
	}
}

// A cluster whose areas have stored nothing, such as one that was just started, is stopped, and another one begins with its database.
func TestNodeOfOtherClusterBeginsInDatabaseWithoutAreas(t *testing.T) {
	url := pgtest.Database(t)
	first := open(t, url, WithLog(quiet), Node("a"), world, BeginAreas(true))
	refuseOther(t, url, `"stranger" of the nodes d,e,f: `, Node("d"), stranger, BeginAreas(true))
	closeStore(t, first)
	closeStore(t, open(t, url, WithLog(quiet), Node("d"), stranger, BeginAreas(true)))
	closeStore(t, open(t, url, WithLog(quiet), Node("e"), stranger))
}

func TestReplacedContentBelongsToNoCluster(t *testing.T) {
	url := pgtest.Database(t)
	closeStore(t, open(t, url, WithLog(quiet), Node("a"), world))
	alone := open(t, url, WithLog(quiet)) // a single server may use the database of a cluster whose nodes are stopped
	closeStore(t, alone)
	refuseOther(t, url, `"stranger" of the nodes d,e,f: `, Node("d"), stranger)
	alone = open(t, url, WithLog(quiet))
	nothing := func(func(*store.Row) error) error { return nil }
	if err := alone.Replace(t.Context(), true, nothing, func(store.Reader) error { return nil }); err != nil {
		t.Fatal(err)
	}
	closeStore(t, alone)
	closeStore(t, open(t, url, WithLog(quiet), Node("d"), stranger))
}

// cutOffNodes ends the sessions that hold the locks of nodes. A change that the nodes are to find when they connect again must be committed
// before: the nodes may connect again before a transaction that ends their sessions is committed.
const cutOffNodes = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = 1414681422 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"

// A standby takes over that has not received that a node has opened the database.
func TestNodeStoresItsClusterAgainInDatabaseThatLacksIt(t *testing.T) {
	url := pgtest.Database(t)
	s := open(t, url, WithLog(quiet), Node("a"), world)
	defer closeStore(t, s)
	const forget = "UPDATE store SET cluster = '', nodes = ''"
	pgtest.Shared(t).Exec(t, dbName(t, url), forget)
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "Ada"}); err != nil {
		t.Errorf("an account before the node has connected again: %v", err)
	}
	pgtest.Shared(t).Exec(t, dbName(t, url), forget)
	pgtest.Shared(t).Exec(t, dbName(t, url), cutOffNodes)
	eventually(t, "the cluster is stored again", func() (stored bool) {
		err := s.pool.QueryRow(t.Context(), "SELECT cluster = 'world' AND nodes = 'a,b,c' FROM store").Scan(&stored)
		return err == nil && stored
	})
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "Bea"}); err != nil {
		t.Errorf("an account after that: %v", err)
	}
}

func TestNodeStoresNothingOnceDatabaseIsThatOfOtherCluster(t *testing.T) {
	for what, then := range map[string]string{
		"its connections work":           "",
		"its connections were just lost": cutOffNodes,
	} {
		url := pgtest.Database(t)
		s := open(t, url, WithLog(quiet), Node("a"), world)
		if _, err := s.CreateAccount(t.Context(), store.Account{Name: "Ada"}); err != nil {
			t.Fatal(err)
		}
		pgtest.Shared(t).Exec(t, dbName(t, url), "UPDATE store SET cluster = 'stranger', nodes = 'd,e,f'")
		if then != "" {
			pgtest.Shared(t).Exec(t, dbName(t, url), then)
		} else if _, err := s.CreateAccount(t.Context(), store.Account{Name: "Bea"}); !errors.Is(err, ErrInUse) {
			t.Errorf("%s: a node of the former cluster creates an account: %v", what, err)
		}
		select {
		case <-s.Lost():
		case <-time.After(patience):
			t.Errorf("%s: the node does not notice it", what)
		}
		closeStore(t, s)
	}
}
