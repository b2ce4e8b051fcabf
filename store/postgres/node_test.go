package postgres

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/internal/pgtest"
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
	// end ends the session of the node and returns the process ID of its backend.
	end := func() (pid uint32) {
		t.Helper()
		if err := admin.QueryRow(t.Context(), `SELECT pid, pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = 1414681422 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&pid, new(bool)); err != nil {
			t.Fatal(err)
		}
		return pid
	}
	first := end()
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
