package postgres

import (
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/store"
)

// Two nodes save logins of the same accounts from the same addresses at the same time.
func TestSavesOfSameKnownAddressesByTwoNodesDoNotDeadlock(t *testing.T) {
	url := pgtest.Database(t)
	stores := []*Store{open(t, url, WithLog(quiet), Shared()), open(t, url, WithLog(quiet), Shared())}
	now := time.Now()
	var saving sync.WaitGroup
	for _, s := range stores {
		saving.Go(func() {
			for save := range 20 {
				var list []store.KnownAddress
				for i := range 500 {
					list = append(list, store.KnownAddress{Account: fmt.Sprint("account", i), Addr: netip.MustParseAddr("192.0.2.1"), At: now.Add(time.Duration(save) * time.Second)})
				}
				if err := s.SaveKnownAddresses(t.Context(), list, now); err != nil {
					t.Error(err)
				}
			}
		})
	}
	saving.Wait()
	for _, s := range stores {
		closeStore(t, s)
	}
	db, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(t.Context())
	eventually(t, "all other sessions have ended and reported what they counted", func() bool {
		var n int
		err := db.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()`).Scan(&n)
		return err == nil && n == 1
	})
	var deadlocks int
	if err := db.QueryRow(t.Context(), `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`).Scan(&deadlocks); err != nil || deadlocks > 0 {
		t.Errorf("%d deadlocks, %v", deadlocks, err)
	}
}
