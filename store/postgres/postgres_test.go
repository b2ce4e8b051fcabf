package postgres

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/truestep-io/truestep/internal/leaktest"
	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/storetest"
)

func open(t testing.TB, url string, opts ...Option) *Store {
	t.Helper()
	s, err := Open(t.Context(), url, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeStore(t testing.TB, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestPostgreSQLStorePassesTestsOfStoreInterface(t *testing.T) {
	urls := map[string]string{} // database URL of each folder of a test
	storetest.Run(t, func(t *testing.T, dir string) store.Store {
		if urls[dir] == "" {
			urls[dir] = pgtest.Schema(t)
		}
		return open(t, urls[dir], WithLedger(dir))
	})
}

func TestPostgreSQLStoreSharedByNodesPassesTestsOfStoreInterface(t *testing.T) {
	urls := map[string]string{}
	storetest.Run(t, func(t *testing.T, dir string) store.Store {
		if urls[dir] == "" {
			urls[dir] = pgtest.Schema(t)
		}
		return open(t, urls[dir], Shared())
	})
}

func TestClosedStoreLeavesNoGoroutine(t *testing.T) {
	url := pgtest.Database(t)
	before := goleak.IgnoreCurrent()
	s := open(t, url)
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "a"}); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	leaktest.VerifyNone(t, before)
}
