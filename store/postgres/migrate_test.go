package postgres

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"

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
