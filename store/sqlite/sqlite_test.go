package sqlite

import (
	"testing"

	"go.uber.org/goleak"

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

func TestSQLitePassesStoreTests(t *testing.T) {
	storetest.Run(t, func(t *testing.T, dir string) store.Store { return open(t, dir) })
}

func TestClosedStoreLeavesNoGoroutine(t *testing.T) {
	before := goleak.IgnoreCurrent()
	s := open(t, t.TempDir())
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "a"}); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	goleak.VerifyNone(t, before)
}
