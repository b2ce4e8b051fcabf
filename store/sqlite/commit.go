package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/telemetry"
)

// checkpointBytes is the size of the log above which it is written back into the file. It is SQLite's own default of 1000 pages.
// The store does it itself, to know which commit the file contains without its log.
const checkpointBytes = 4 << 20

// transact runs fn in a transaction and commits unless it fails. The commit is in the log and in the ledger, both synced, when it
// returns nil.
func (s *Store) transact(ctx context.Context, fn func(*sql.Tx) error) error {
	v, err := s.commit(ctx, fn)
	if err != nil {
		return wrapCorrupt(err)
	}
	s.enter(ctx, &v.state)
	return nil
}

// commit runs fn in a transaction that also counts the commit.
func (s *Store) commit(ctx context.Context, fn func(*sql.Tx) error) (*view, error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // does nothing after Commit
	if err := fn(tx); err != nil {
		return nil, err
	}
	// checkpointed is read in the transaction: it changes only while this goroutine does not have the one connection.
	v, err := scanState(tx.QueryRowContext(ctx, `UPDATE store SET generation = generation + 1, committed_ms = ?, checkpointed = ?
		RETURNING `+stateColumns, time.Now().UnixMilli(), s.checkpointed.Load()))
	if err != nil {
		return nil, err
	}
	return v, tx.Commit()
}

// enter writes a commit into the ledger unless a later one is there, and checkpoints a long log. Neither can undo the commit, so an
// error is logged, the first of consecutive ones.
func (s *Store) enter(ctx context.Context, now *state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.generation <= s.entered {
		return
	}
	err := s.ledger.append(now)
	if err == nil {
		s.entered = now.generation
	}
	if size, statErr := sizeOf(s.path + logSuffix); statErr == nil && size >= s.nextCheckpoint {
		s.nextCheckpoint = size + checkpointBytes // a reader may have prevented the log from being truncated
		done, checkpointErr := s.checkpoint(context.WithoutCancel(ctx))
		if done {
			s.nextCheckpoint = checkpointBytes
		}
		if err == nil {
			err = checkpointErr
		}
	}
	if err != nil && s.failure == nil {
		s.log.Error("the ledger of the database cannot be written; a loss of stored data might not be noticed", telemetry.FieldFile, s.path+ledgerSuffix, telemetry.FieldErr, err)
	} else if err == nil && s.failure != nil {
		s.log.Info("the ledger of the database is written again", telemetry.FieldFile, s.path+ledgerSuffix)
	}
	s.failure = s.failure.Next("LEDGER NOT WRITTEN", err, time.Now())
	if s.metrics != nil {
		s.metrics.LedgerFailing.Set(map[bool]int{true: 1}[err != nil])
	}
}

// Failure returns since when commits cannot be written to the ledger, nil while they can. The commits themselves are stored.
func (s *Store) Failure() *telemetry.Failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failure
}

// checkpoint writes the log back into the file and truncates it. It does not wait for readers; done is false if there is one.
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
		return false, fmt.Errorf("checkpoint: %w", wrapCorrupt(err))
	}
	if busy != 0 {
		return false, nil
	}
	s.checkpointed.Store(v.generation)
	return true, nil
}

// begin writes the ledger and marks the database as in use. The mark is in the file itself, not in its log, so that a copy of the
// file alone is recognized.
func (s *Store) begin(ctx context.Context) error {
	v, err := readState(ctx, s.db)
	if err != nil {
		return err
	}
	if s.ledger, err = createLedger(s.path, &v.state); err != nil {
		return err
	}
	s.entered, s.nextCheckpoint = v.generation, checkpointBytes
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

// endWithin bounds how long end waits for another program that has the file locked.
const endWithin = time.Second

// end marks the file as complete without its log. If it cannot, the log and the ledger still tell the next start that all is there.
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
