package postgres

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// shortEnd shortens the time limit of COMMIT and ROLLBACK. The store then asks for the status of the commit for as long as a busy machine
// may need to finish it.
func shortEnd(s *Store) { s.endLimit, s.confirmLimit = 300*time.Millisecond, patience }

// An import, a copy and a save that waits for a lock may take longer than a COMMIT may.
func TestTransactionLongerThanLimitOfCommitIsCommittedOnce(t *testing.T) {
	s := open(t, pgtest.Database(t), WithLog(quiet), shortEnd)
	defer closeStore(t, s)
	calls := 0
	err := s.transact(t.Context(), importTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
		calls++
		if _, err := tx.Exec(ctx, `SELECT pg_sleep($1)`, 2*s.endLimit.Seconds()); err != nil {
			return change{}, err
		}
		_, err := insertAccount(ctx, tx, &store.Account{Name: "Ada"})
		return change{accounts: 1}, err
	})
	if err != nil || calls != 1 {
		t.Errorf("the transaction was run %d times: %v", calls, err)
	}
	if _, err := s.Account(t.Context(), "Ada"); err != nil {
		t.Error(err)
	}
}

// slowCommit makes each transaction that inserts an account take one second to commit, whether or not the client cancels it.
const slowCommit = `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
	$$ BEGIN PERFORM pg_sleep(1); RETURN NEW; EXCEPTION WHEN query_canceled THEN RETURN NEW; END $$;
	CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow()`

func TestCommitThatExceedsItsLimitIsNotRepeated(t *testing.T) {
	s := open(t, pgtest.Database(t), WithLog(quiet), shortEnd)
	defer closeStore(t, s)
	if _, err := s.pool.Exec(t.Context(), slowCommit); err != nil {
		t.Fatal(err)
	}
	calls := 0
	err := s.transact(t.Context(), callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
		calls++
		_, err := insertAccount(ctx, tx, &store.Account{Name: "Ada"})
		return change{accounts: 1}, err
	})
	if err != nil || calls != 1 {
		t.Errorf("the transaction was run %d times: %v", calls, err)
	}
}

// The process that has stored a newer epoch pauses before its commit. Another process that saves records of the same area must not wait
// until it continues, which may be never.
func TestPausedTransactionReleasesItsLocksAfterIdleLimit(t *testing.T) {
	url := pgtest.Database(t)
	short := func(s *Store) { s.idleLimit = 500 * time.Millisecond }
	other := open(t, url, WithLog(quiet), Shared()) // creates the tables under the normal limit
	defer closeStore(t, other)
	paused := open(t, url, WithLog(quiet), Shared(), short)
	defer closeStore(t, paused)
	_, ada := character(t, other, "Ada")
	locked, saved := make(chan struct{}), make(chan struct{})
	ended := make(chan error, 1)
	calls := 0
	go func() {
		ended <- paused.transact(context.Background(), saveTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
			calls++
			_, err := raise(ctx, tx, store.Fence{{Area: 3, Epoch: 1}})
			if calls == 1 {
				close(locked)
				<-saved
			}
			return change{}, err
		})
	}()
	<-locked
	ada.Gold = 7
	ctx, cancel := context.WithTimeout(t.Context(), idleLimit) // the locks are released before the normal limit
	defer cancel()
	if err := other.SaveCharacters(ctx, store.Fence{{Area: 3, Epoch: 2}}, []*sim.Character{ada}); err != nil {
		t.Errorf("the save: %v", err)
	}
	close(saved)
	if err := <-ended; !errors.Is(err, store.ErrFenced) || calls < 2 { // a repetition in which this process is slow exceeds the limit too
		t.Errorf("the paused transaction was run %d times, and its error is %v", calls, err)
	}
}

func TestConnectionsOfStoreHaveKeepalivesAndIdleLimit(t *testing.T) {
	url := pgtest.Database(t)
	for _, c := range []struct{ url, want string }{
		{url, "10 3 3 10s"},
		{url + "&idle_in_transaction_session_timeout=7s&tcp_keepalives_idle=60", "60 3 3 7s"},
	} {
		s := open(t, c.url, WithLog(quiet))
		var got string
		err := s.pool.QueryRow(t.Context(), `SELECT concat_ws(' ', current_setting('tcp_keepalives_idle'), current_setting('tcp_keepalives_interval'),
			current_setting('tcp_keepalives_count'), current_setting('idle_in_transaction_session_timeout'))`).Scan(&got)
		if err != nil || got != c.want {
			t.Errorf("%q, %v, want %q", got, err, c.want)
		}
		closeStore(t, s)
	}
}
