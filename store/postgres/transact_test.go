package postgres

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/store"
)

// shortEnd shortens the time limit of COMMIT and ROLLBACK.
func shortEnd(s *Store) { s.endLimit = 300 * time.Millisecond }

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
