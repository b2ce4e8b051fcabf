package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/store/ledger"
	"github.com/truestep-io/truestep/telemetry"
)

// checkpointBytes is the size of the write-ahead log in bytes above which it is written back into the database file (a
// checkpoint). It equals SQLite's default of 1000 pages. The store runs checkpoints itself so that it knows which
// commit the file contains without the log.
const checkpointBytes = 4 << 20

// transact runs fn in a transaction and commits it, unless fn fails. When transact returns nil, the commit is in the
// write-ahead log and in the ledger, and both are synced. If ctx has ended, the error wraps the error of ctx.
func (s *Store) transact(ctx context.Context, fn func(*sql.Tx) error) error {
	v, err := s.commit(ctx, fn)
	// database/sql rolls back when ctx ends, so err may be another error, such as sql.ErrTxDone.
	if ended := ctx.Err(); err != nil && ended != nil && !errors.Is(err, ended) {
		err = fmt.Errorf("%w: %w", ended, err)
	}
	if err != nil {
		return wrapCorrupt(err)
	}
	s.enter(ctx, &v.state)
	return nil
}

// commit runs fn in a transaction that also increments the number of commits in table store.
func (s *Store) commit(ctx context.Context, fn func(*sql.Tx) error) (*view, error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // does nothing after Commit
	if err := fn(tx); err != nil {
		return nil, err
	}
	// Read s.checkpointed here, while this goroutine holds the store's only connection: the value changes only in a
	// goroutine that holds the connection.
	v, err := scanState(tx.QueryRowContext(ctx, `UPDATE store SET generation = generation + 1, committed_ms = ?, checkpointed = ?
		RETURNING `+stateColumns, time.Now().UnixMilli(), s.checkpointed.Load()))
	if err != nil {
		return nil, err
	}
	return v, tx.Commit()
}

// enter writes a commit to the ledger, unless the ledger already has a later one. It also checkpoints a write-ahead log
// that has become long. A failure of either does not undo the commit, so enter only logs the first of consecutive
// errors.
func (s *Store) enter(ctx context.Context, now *state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Generation <= s.entered {
		return
	}
	err := s.ledger.Append(now)
	if err == nil {
		s.entered = now.Generation
	}
	if size, statErr := sizeOf(s.path + logSuffix); statErr == nil && size >= s.nextCheckpoint {
		s.nextCheckpoint = size + checkpointBytes // log size for the next try, in case a reader prevents this checkpoint
		done, checkpointErr := s.checkpoint(context.WithoutCancel(ctx))
		if done {
			s.nextCheckpoint = checkpointBytes
		}
		if err == nil {
			err = checkpointErr
		}
	}
	if err != nil && s.failure == nil {
		s.log.Error("cannot write the commit ledger of the database; a loss of stored data might not be detected", telemetry.FieldFile, s.path+ledgerSuffix, telemetry.FieldErr, err)
	} else if err == nil && s.failure != nil {
		s.log.Info("the commit ledger of the database is written again", telemetry.FieldFile, s.path+ledgerSuffix)
	}
	s.failure = s.failure.Next("LEDGER NOT WRITTEN", err, time.Now())
	if s.metrics != nil {
		s.metrics.LedgerFailing.Set(map[bool]int{true: 1}[err != nil])
	}
}

// Failure returns the current failure to write commits to the ledger and when it began, or nil. During such a failure
// commits are still stored in the database.
func (s *Store) Failure() *telemetry.Failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failure
}

// checkpoint writes the write-ahead log back into the database file and truncates the log. It does not wait for readers
// of the file. The result done is false if a reader prevented the checkpoint.
func (s *Store) checkpoint(ctx context.Context) (done bool, err error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	v, err := readState(ctx, conn)
	if err != nil {
		return false, err
	}
	if _, err := conn.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil {
		return false, err
	}
	defer conn.ExecContext(ctx, "PRAGMA "+busyTimeout)
	var busy, pages, written int
	if err := conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &written); err != nil {
		return false, fmt.Errorf("copy the write-ahead log into the database file: %w", wrapCorrupt(err))
	}
	if busy != 0 {
		return false, nil
	}
	s.checkpointed.Store(v.Generation)
	return true, nil
}

// begin creates the ledger and marks the database as in use. It writes the mark into the database file itself, not only
// into SQLite's write-ahead log, so that a copy of the file without its write-ahead log can be detected.
func (s *Store) begin(ctx context.Context) error {
	v, err := readState(ctx, s.db)
	if err != nil {
		return err
	}
	if s.ledger, err = ledger.Create(s.path+ledgerSuffix, &v.state); err != nil {
		return err
	}
	s.entered, s.nextCheckpoint = v.Generation, checkpointBytes
	s.checkpointed.Store(v.checkpointed)
	if err := s.setInUse(ctx, true); err != nil {
		return err
	}
	_, err = s.checkpoint(ctx)
	return err
}

func (s *Store) setInUse(ctx context.Context, inUse bool) error {
	return s.transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE store SET in_use = ?`, inUse)
		return err
	})
}

// endWithin is the maximum time for which the method end waits for another program that has locked the database.
const endWithin = time.Second

// end marks the database file as complete without its write-ahead log. If end fails, the next start can still verify the
// data with the log and the ledger.
func (s *Store) end() {
	if s.ledger == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), endWithin)
	defer cancel()
	if err := s.setInUse(ctx, false); err != nil {
		s.log.Warn("the database could not be marked as closed; do not copy it without its log", telemetry.FieldFile, s.path, telemetry.FieldErr, err)
	}
}
