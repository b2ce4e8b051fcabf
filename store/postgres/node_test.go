package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/store"
)

func TestSecondProcessOfNodeGetsOneLineErrorThatNamesFirstProcess(t *testing.T) {
	url := pgtest.Database(t)
	for _, name := range []string{"a", "b"} { // two nodes with other names share the database
		defer closeStore(t, open(t, url, WithLog(quiet), Node(name)))
	}
	_, err := Open(t.Context(), url, WithLog(quiet), Node("a"))
	if !errors.Is(err, ErrNodeRuns) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), `node "a"`) || !strings.Contains(err.Error(), "truestep, process ") {
		t.Errorf("a second process of a node: %v", err)
	}
}

// nodeSession opens a database session that holds the lock of a node and, unlike a process that runs, never uses its connection.
func nodeSession(t *testing.T, url, node string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	var held bool
	if err := conn.QueryRow(t.Context(), tryLockNode, node).Scan(&held); err != nil || !held {
		t.Fatalf("lock of node %s: held %v, %v", node, held, err)
	}
	return conn
}

func TestNodeStartWaitsUntilSessionOfSilentProcessEnds(t *testing.T) {
	url := pgtest.Database(t)
	dead := nodeSession(t, url, "a")
	var log logbuf.Buffer
	opened := make(chan error, 1)
	go func() {
		s, err := Open(t.Context(), url, WithLog(slog.New(slog.NewTextHandler(&log, nil))), Node("a"))
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()
	eventually(t, "the start says for whom it waits", func() bool { return log.Count("does not answer", "node=a") == 1 })
	if err := dead.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

func TestNodeReacquiresItsNameAfterConnectionLossUnlessOtherProcessHasIt(t *testing.T) {
	url := pgtest.Database(t)
	var log logbuf.Buffer
	s := open(t, url, WithLog(slog.New(slog.NewTextHandler(&log, nil))), Node("a"))
	defer closeStore(t, s)
	admin, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(t.Context())
	// end ends the session of the node and returns the process ID of its backend, 0 if the node has no session with the lock of its name.
	end := func() (pid uint32) {
		t.Helper()
		if err := admin.QueryRow(t.Context(), `SELECT pid, pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = 1414681422 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&pid, new(bool)); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			t.Fatal(err)
		}
		return pid
	}
	first := end()
	if first == 0 {
		t.Fatal("the process does not have its name")
	}
	eventually(t, "another session of the process has the name", func() bool {
		var n int
		err := admin.QueryRow(t.Context(), `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = 1414681422 AND pid <> $1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`, int32(first)).Scan(&n)
		return err == nil && n == 1
	})
	select {
	case <-s.Lost():
		t.Fatal("the process has lost its own name")
	default:
	}
	for done := false; !done; { // repeats, because the node may reconnect before this test takes the lock
		end()
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		for began := time.Now(); !done && time.Since(began) < watchEvery/2; {
			if err := conn.QueryRow(t.Context(), tryLockNode, "a").Scan(&done); err != nil {
				t.Fatal(err)
			}
		}
	}
	select {
	case <-s.Lost():
		if err := s.LostError(); !errors.Is(err, ErrNodeRuns) || strings.Contains(err.Error(), "\n") {
			t.Error(err)
		}
		if log.Count("another process has taken over the name of this node") != 1 || log.Count("stores nothing more") != 0 {
			t.Error(log.String())
		}
	case <-time.After(patience):
		t.Error("the process does not notice that another one has its name")
	}
}

// beginTest has a database in which the areas of a cluster have run.
type beginTest struct {
	t   *testing.T
	url string
	ada store.AccountID
}

// noReconnect makes Open not wait for nodes that connect again, in tests in which no node does.
func noReconnect(s *Store) { s.awaitReconnect = func(context.Context) error { return nil } }

// soonJoins makes Open join running areas soon, in tests in which the other processes have not been killed.
func soonJoins(s *Store) { s.joinPatience = 4 * lockRetry }

// node opens the database as the process of a node.
func (b *beginTest) node(name string, begin bool, more ...Option) *Store {
	b.t.Helper()
	s := open(b.t, b.url, append(more, WithLog(quiet), Node(name), BeginAreas(begin), noReconnect)...)
	b.t.Cleanup(func() { closeStore(b.t, s) })
	return s
}

// use claims the account and stores a record of an area in an epoch.
func (b *beginTest) use(s *Store, epoch uint64) {
	b.t.Helper()
	if err := s.ClaimSession(b.t.Context(), b.ada, holder(s.node, 1), never); err != nil {
		b.t.Fatal(err)
	}
	if err := s.SaveCharacters(b.t.Context(), store.Fence{{Area: 1, Epoch: epoch, Tick: 100}}, nil); err != nil {
		b.t.Fatal(err)
	}
}

// check checks which node holds the account, "" for none, and which epoch the area has.
func (b *beginTest) check(s *Store, node string, epoch uint64) {
	b.t.Helper()
	list, err := s.HeldSessions(b.t.Context())
	if err != nil || (len(list) == 0) != (node == "") || len(list) == 1 && list[0].Holder.Node != node {
		b.t.Errorf("held are %+v, %v, want %q", list, err, node)
	}
	var have uint64
	if err := s.pool.QueryRow(b.t.Context(), `SELECT coalesce(max(epoch), 0) FROM areas`).Scan(&have); err != nil || have != epoch {
		b.t.Errorf("the epoch is %d, %v, want %d", have, err, epoch)
	}
}

func newBeginTest(t *testing.T) *beginTest {
	b := &beginTest{t: t, url: pgtest.Database(t)}
	s := open(t, b.url, WithLog(quiet), Node("a"))
	var err error
	if b.ada, err = s.CreateAccount(t.Context(), store.Account{Name: "Ada"}); err != nil {
		t.Fatal(err)
	}
	b.use(s, 9)
	b.check(s, "a", 9)
	closeStore(t, s)
	return b
}

// Two nodes begin the areas, a player enters, and then a third node starts with the flag.
func TestNodeThatStartsLateDoesNotBeginRunningAreasAnew(t *testing.T) {
	b := newBeginTest(t)
	first, second := b.node("a", true), b.node("b", true)
	if b.check(first, "", 0); !first.Begun() || !second.Begun() {
		t.Errorf("the areas begin anew: %v and %v", first.Begun(), second.Begun())
	}
	b.use(first, 1)
	late := b.node("c", true, soonJoins)
	if b.check(late, "a", 1); late.Begun() {
		t.Error("the areas begin anew although they run")
	}
}

// Clients log in to the first node before another one has started. The areas have no leader yet.
func TestLoginBeforeOtherNodesStartDoesNotPreventThemFromBeginning(t *testing.T) {
	b := newBeginTest(t)
	first := b.node("a", true)
	if err := first.ClaimSession(t.Context(), b.ada, holder("a", 2), never); err != nil {
		t.Fatal(err)
	}
	late := b.node("b", true)
	if b.check(late, "a", 0); !late.Begun() {
		t.Error("the areas do not begin anew on the second node, although they have no records")
	}
}

// All nodes were killed and are started at once. The database server has not ended the session of a killed process yet.
func TestAreasBeginAnewOnceSessionsOfKilledNodesHaveEnded(t *testing.T) {
	b := newBeginTest(t)
	killed, err := pgx.Connect(t.Context(), b.url)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := killed.Exec(t.Context(), lockAreasShared); err != nil {
		t.Fatal(err)
	}
	begun := make(chan bool)
	for _, name := range []string{"a", "b"} {
		go func() {
			s, err := Open(t.Context(), b.url, WithLog(quiet), Node(name), BeginAreas(true), func(s *Store) { s.joinPatience = patience })
			if err != nil {
				t.Error(err)
				begun <- false
				return
			}
			begun <- s.Begun()
			closeStore(t, s)
		}()
	}
	waiting := map[int32]bool{} // process IDs of the sessions that have released the lock to try again
	eventually(t, "both nodes wait for the session of the killed process", func() bool {
		rows, err := killed.Query(t.Context(), `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = $1`, unlockAreasShared)
		if err != nil {
			return false
		}
		pids, err := pgx.CollectRows(rows, pgx.RowTo[int32])
		for _, pid := range pids {
			waiting[pid] = true
		}
		return err == nil && len(waiting) == 2
	})
	if err := killed.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if one, two := <-begun, <-begun; !one || !two {
		t.Errorf("the areas begin anew: %v and %v", one, two)
	}
}

func TestNodeWithoutFlagDoesNotBeginAreasAnew(t *testing.T) {
	b := newBeginTest(t)
	s := b.node("a", false)
	if b.check(s, "a", 9); s.Begun() {
		t.Error("the areas begin anew")
	}
	if late := b.node("b", true, soonJoins); late.Begun() { // the operator has forgotten the flag at the first node
		t.Error("the areas begin anew although a node runs that has not begun them")
	}
	b.check(s, "a", 9)
}

// Of nodes that start at the same time, one deletes what is stored, and the others wait for that.
func TestNodesThatStartTogetherAllBeginAreasAnew(t *testing.T) {
	b := newBeginTest(t)
	var wg sync.WaitGroup
	var stores [5]*Store
	for i := range stores {
		wg.Go(func() {
			s, err := Open(t.Context(), b.url, WithLog(quiet), Node(fmt.Sprint("n", i)), BeginAreas(true), func(s *Store) { s.joinPatience = patience })
			if err != nil {
				t.Error(err)
				return
			}
			if stores[i] = s; !s.Begun() {
				t.Errorf("for node %d the areas do not begin anew", i)
			}
		})
	}
	wg.Wait()
	for _, s := range stores {
		if s != nil {
			b.check(s, "", 0)
			closeStore(t, s)
		}
	}
}

// The database server is restarted, and a node whose start has the flag is connected first. The other nodes, which run, connect while
// it waits.
func TestAreasDoNotBeginAnewWhileRunningNodeReconnects(t *testing.T) {
	b := newBeginTest(t)
	var running *Store
	late := open(t, b.url, WithLog(quiet), Node("b"), BeginAreas(true), func(s *Store) {
		wait := s.awaitReconnect
		s.awaitReconnect = func(ctx context.Context) error {
			began := time.Now()
			err := wait(ctx)
			if waited := time.Since(began); waited < 2*watchEvery {
				t.Errorf("a node has %v to connect again, want time for two attempts", waited)
			}
			if running == nil {
				running = b.node("a", false)
			}
			return err
		}
	})
	defer closeStore(t, late)
	if running == nil {
		t.Fatal("the node with the flag does not wait for nodes that connect again")
	}
	if b.check(running, "a", 9); late.Begun() {
		t.Error("the areas begin anew although a node runs")
	}
}

// The database server is restarted: the nodes are connected again within a second, and count as running.
func TestAreasDoNotBeginAnewAfterRunningNodeHasReconnected(t *testing.T) {
	b := newBeginTest(t)
	s := b.node("a", false)
	admin, err := pgx.Connect(t.Context(), b.url)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(t.Context())
	const holders = `FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = 1414681409 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
	var former int32
	if err := admin.QueryRow(t.Context(), `SELECT pid, pg_terminate_backend(pid) `+holders).Scan(&former, new(bool)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the node has the lock of the areas again", func() bool {
		var n int
		err := admin.QueryRow(t.Context(), `SELECT count(*) `+holders+` AND pid <> $1`, former).Scan(&n)
		return err == nil && n == 1
	})
	if late := b.node("b", true, soonJoins); late.Begun() {
		t.Error("the areas begin anew although a node runs")
	}
	b.check(s, "a", 9)
}

func TestNodeWithLogsIsRefusedWhereAreasWouldBeginAnew(t *testing.T) {
	b := newBeginTest(t)
	refused := func(when string) {
		t.Helper()
		s, err := Open(t.Context(), b.url, WithLog(quiet), Node("a"), BeginAreas(true), HasLogs(true))
		if err == nil {
			closeStore(t, s)
		}
		if !errors.Is(err, ErrHasLogs) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", when, err)
		}
	}
	refused("no node runs")
	s := open(t, b.url, WithLog(quiet), Node("b"))
	b.check(s, "a", 9)
	late := open(t, b.url, WithLog(quiet), Node("a"), BeginAreas(true), HasLogs(true), soonJoins)
	if b.check(late, "a", 9); late.Begun() {
		t.Error("the areas begin anew on a node that has logs")
	}
	closeStore(t, late)
	closeStore(t, s)
	b.check(b.node("b", true), "", 0)
	refused("another node has begun the areas")
}

// Until a node reserves a number, its logs are of before the areas began anew.
func TestBeginningMarksNodesThatHaveNotStartedSince(t *testing.T) {
	url := pgtest.Database(t)
	reserve := func(s *Store, want uint64) {
		t.Helper()
		last, err := s.ReserveSerials(t.Context(), s.node, 1)
		if err == nil {
			err = s.MarkLinked(t.Context(), s.node, last)
		}
		if last != want || err != nil {
			t.Errorf("node %s has reserved %d, %v; want %d", s.node, last, err, want)
		}
	}
	linked := func(s *Store, node string, want uint64) {
		t.Helper()
		if serial, err := s.LinkedSerial(t.Context(), node); serial != want || err != nil {
			t.Errorf("the linked number of node %s is %d, %v; want %d", node, serial, err, want)
		}
	}
	first, other := open(t, url, WithLog(quiet), Node("a"), BeginAreas(true)), open(t, url, WithLog(quiet), Node("b"), BeginAreas(true))
	reserve(first, 1)
	reserve(other, 1)
	linked(first, "a", 1)
	closeStore(t, first)
	closeStore(t, other)
	begins := open(t, url, WithLog(quiet), Node("b"), BeginAreas(true), noReconnect) // no record is stored, but the nodes have logs
	defer closeStore(t, begins)
	linked(begins, "a", 2)
	linked(begins, "b", 2)
	linked(begins, "d", 0)
	reserve(begins, 2)
	second := open(t, url, WithLog(quiet), Node("a"), BeginAreas(true))
	defer closeStore(t, second)
	linked(second, "a", 2)
	reserve(second, 2)
	linked(second, "a", 2)
	linked(second, "b", 2)
}
