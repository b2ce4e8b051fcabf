package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"go.uber.org/goleak"

	"github.com/truestep-io/truestep/internal/leaktest"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/storetest"
)

func open(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeStore(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestSQLiteStorePassesTestsOfStoreInterface(t *testing.T) {
	storetest.Run(t, func(t *testing.T, dir string) store.Store { return open(t, dir) })
}

func TestMissingDataDirectoriesAreCreatedWithMode0700(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "games", "west")
	closeStore(t, open(t, dir))
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if info, err := os.Stat(d); err != nil || !info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", d, info, err)
		}
	}
	closeStore(t, open(t, dir))
}

func TestClosedStoreLeavesNoGoroutine(t *testing.T) {
	before := goleak.IgnoreCurrent()
	dir := t.TempDir()
	s := open(t, dir)
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "a"}); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copied") // a copy of an open store has a write-ahead log, as after a crash
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	closeStore(t, open(t, copied))
	leaktest.VerifyNone(t, before)
}

// When the context of a transaction ends, database/sql rolls the transaction back, and later statements fail with an error of
// database/sql. The store must return the error of the context instead.
func TestTransactionReturnsErrorOfCancelledContext(t *testing.T) {
	s := open(t, t.TempDir())
	defer closeStore(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.transact(ctx, func(tx *sql.Tx) error {
		cancel()
		for {
			if _, err := tx.Exec("SELECT 1"); err != nil {
				return err
			}
		}
	})
	if !errors.Is(err, context.Canceled) || !errors.Is(err, sql.ErrTxDone) {
		t.Errorf("error %v, want context.Canceled and sql.ErrTxDone", err)
	}
}
