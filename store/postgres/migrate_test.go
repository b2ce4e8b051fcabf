package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3"

	"github.com/truestep-io/truestep/internal/pgtest"
)

// olderDatabase returns a database with the tables of the version before the newest one.
func olderDatabase(t *testing.T, opts ...Option) (url string, version int64) {
	t.Helper()
	url = pgtest.Database(t)
	closeStore(t, open(t, url, append(opts, WithLog(quiet))...))
	newest, err := newestMigration()
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, dir, goose.WithDisableGlobalRegistry(true), goose.WithTableName(versionTable))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.DownTo(t.Context(), newest-1); err != nil {
		t.Fatal(err)
	}
	return url, newest - 1
}

func TestNodeDoesNotMigrateTablesThatAnotherNodeUses(t *testing.T) {
	url, older := olderDatabase(t)
	running, err := pgx.Connect(t.Context(), url) // as the process of an older version
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close(t.Context())
	if _, err := running.Exec(t.Context(), lockAreasShared); err != nil {
		t.Fatal(err)
	}
	version := func(want int64) {
		t.Helper()
		var have int64
		if err := running.QueryRow(t.Context(), `SELECT max(version_id) FROM `+versionTable).Scan(&have); err != nil || have != want {
			t.Errorf("the tables have version %d, %v, want %d", have, err, want)
		}
	}
	s, err := Open(t.Context(), url, WithLog(quiet), Node("b"))
	if err == nil {
		closeStore(t, s)
	}
	if !errors.Is(err, ErrNodesRun) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "stop all nodes before one starts with this program, see docs/upgrades.md") {
		t.Errorf("a node of a newer version beside one that runs: %v", err)
	}
	version(older)
	if _, err := running.Exec(t.Context(), unlockAreasShared); err != nil {
		t.Fatal(err)
	}
	closeStore(t, open(t, url, WithLog(quiet), Node("b")))
	version(older + 1)
}

// Nodes of the older version have not stored that they used the database.
func TestTapeIsOutdatedIfNodesMayHaveUsedOlderTables(t *testing.T) {
	for _, used := range []bool{false, true} {
		dir := t.TempDir()
		url, _ := olderDatabase(t, WithLedger(dir))
		if used {
			pgtest.Shared(t).Exec(t, dbName(t, url), "INSERT INTO entity_serials (node, serial) VALUES ('b', 1)")
		}
		s := open(t, url, WithLog(quiet), WithLedger(dir))
		if s.FitsTape() == used {
			t.Errorf("nodes have reserved numbers: %v; the tape fits: %v", used, s.FitsTape())
		}
		closeStore(t, s)
	}
}

// migrateFurther changes the tables as a newer program does.
const migrateFurther = `INSERT INTO ` + versionTable + ` (version_id, is_applied) VALUES (9999, true)`

func TestNodeIsRefusedIfNewerProgramMigratesTablesBeforeItHasJoined(t *testing.T) {
	for what, opts := range map[string][]Option{"a node": nil, "a node that begins areas": {BeginAreas(true)}} {
		url := pgtest.Database(t)
		closeStore(t, open(t, url, WithLog(quiet)))
		newer, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer newer.Close(t.Context())
		if _, err := newer.Exec(t.Context(), holdAreas); err != nil {
			t.Fatal(err)
		}
		result := make(chan error)
		go func() {
			s, err := Open(t.Context(), url, append(opts, WithLog(quiet), Node("b"))...)
			if err == nil {
				err = s.Close()
			}
			result <- err
		}()
		eventually(t, what+" waits for the lock of the areas", func() (waits bool) {
			err := newer.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
				AND classid::bigint = 1414681409 AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`).Scan(&waits)
			return err == nil && waits
		})
		for _, query := range []string{migrateFurther, releaseAreas} {
			if _, err := newer.Exec(t.Context(), query); err != nil {
				t.Fatal(err)
			}
		}
		if err := <-result; !errors.Is(err, ErrNewer) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want ErrNewer", what, err)
		}
	}
}

// A newer program has migrated the tables after an older one that begins the areas anew has seen that no node runs.
func TestAreasOfNewerProgramAreNotForgotten(t *testing.T) {
	b := newBeginTest(t)
	newer, err := pgx.Connect(t.Context(), b.url)
	if err != nil {
		t.Fatal(err)
	}
	defer newer.Close(t.Context())
	s, err := Open(t.Context(), b.url, WithLog(quiet), Node("b"), BeginAreas(true), func(s *Store) {
		s.awaitReconnect = func(ctx context.Context) error { // called after the node has seen that no node runs
			_, err := newer.Exec(ctx, migrateFurther)
			return err
		}
	})
	if err == nil {
		closeStore(t, s)
	}
	if !errors.Is(err, ErrNewer) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v, want ErrNewer", err)
	}
	var epoch uint64
	if err := newer.QueryRow(t.Context(), `SELECT max(epoch) FROM areas`).Scan(&epoch); err != nil || epoch != 9 {
		t.Errorf("the epoch is %d, %v, want 9", epoch, err)
	}
}

func TestNodeStopsIfNewerProgramHasMigratedTablesWhileItWasCutOff(t *testing.T) {
	url := pgtest.Database(t)
	s := open(t, url, WithLog(quiet), Node("a"))
	defer closeStore(t, s)
	pgtest.Shared(t).Exec(t, dbName(t, url), migrateFurther)
	pgtest.Shared(t).Exec(t, dbName(t, url), cutOffNodes)
	select {
	case <-s.Lost():
	case <-time.After(patience):
		t.Fatal("the node does not notice it")
	}
	if err := s.LostError(); !errors.Is(err, ErrNewer) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v, want ErrNewer", err)
	}
}

func TestNodesThatStartTogetherMigrateTablesOnce(t *testing.T) {
	url, _ := olderDatabase(t)
	var starting sync.WaitGroup
	var stores [3]*Store
	for i := range stores {
		starting.Go(func() {
			var err error
			if stores[i], err = Open(t.Context(), url, WithLog(quiet), Node(fmt.Sprint("n", i))); err != nil {
				t.Error(err)
			}
		})
	}
	starting.Wait()
	for _, s := range stores {
		if s != nil {
			closeStore(t, s)
		}
	}
}
