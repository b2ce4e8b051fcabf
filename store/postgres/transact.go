package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/ledger"
)

// Timeouts of the calls of a store, and numbers and pauses of their retries.
const (
	callTimeout = 10 * time.Second // maximum duration of a call
	saveTimeout = 30 * time.Second // maximum duration of a call with many rows

	attempts     = 4                     // maximum number of attempts after a lost connection or a conflict with another transaction
	retryPause   = 50 * time.Millisecond // pause before the second attempt; it doubles with each further attempt
	confirmLimit = 2 * time.Second       // how long the status of a commit whose reply was lost is queried
)

// change is what a transaction changes in the only row of table store: the numbers of records, and the ID of the database.
type change struct {
	accounts, characters int64  // changes of the numbers of accounts and characters
	newID                string // new ID of the database if its content was replaced, else ""
}

// transact runs fn in a transaction and commits it, unless fn fails. When transact returns nil, the commit is synced to
// disk and recorded in the ledger if there is one. transact calls fn again if the transaction must be repeated. The database may then
// contain the changes of the previous call: its commit was made, but neither the answer to it nor its status arrived. fn must return
// the same result in that case. Errors: store.ErrUnavailable, store.ErrNotFound if fn returns pgx.ErrNoRows, ErrInUse, and the error
// of ctx.
func (s *Store) transact(ctx context.Context, limit time.Duration, fn func(ctx context.Context, tx pgx.Tx) (change, error)) error {
	var now *ledger.Commit
	err := s.try(ctx, limit, func(ctx context.Context, conn *pgxpool.Conn) (err error) {
		now, err = s.commit(ctx, conn, fn)
		return err
	})
	if errors.Is(err, ErrInUse) {
		s.owner.lose(err)
		return s.LostError()
	}
	if err == nil && now != nil {
		s.owner.setIdentity(now.ID, now.Run)
		s.enter(now)
	}
	return err
}

// commit runs one transaction and returns a description of the commit for the ledger. The description is nil for a shared
// store, which does not count commits.
func (s *Store) commit(ctx context.Context, conn *pgxpool.Conn, fn func(ctx context.Context, tx pgx.Tx) (change, error)) (now *ledger.Commit, err error) {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer s.end(ctx, tx.Rollback) // does nothing after Commit
	by, err := fn(ctx, tx)
	if err != nil {
		return nil, err
	}
	var id string // ID of the transaction; "" if it changed nothing
	if s.shared {
		id, err = s.checkOwner(ctx, tx)
	} else {
		now, id, err = s.countCommit(ctx, tx, by)
	}
	if err != nil {
		return nil, err
	}
	if err = s.end(ctx, tx.Commit); err != nil && isLost(err) && id != "" {
		err = s.confirm(context.WithoutCancel(ctx), id, err)
	}
	return now, err
}

// end calls the method Commit or Rollback of a transaction. The end of ctx does not interrupt a commit, because it would be unknown
// whether the commit was made. The time limit begins now, so a transaction may have taken longer than that.
func (s *Store) end(ctx context.Context, method func(context.Context) error) error {
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.endLimit)
	defer cancel()
	return method(ending)
}

// checkOwner returns the ID of a transaction of a shared store, "" if it changed nothing. Its statement must be the last one of the
// transaction. If Replace runs at the same time, the transaction either has locked the tables that it changes before Replace empties
// them, or has waited for the commit of Replace, which this statement then sees. It locks no row, so transactions of other processes do
// not wait. Errors: ErrInUse if another program has opened the database for itself alone, replaced its content, or made it that of another
// cluster. A standby that has taken over may lack the cluster, until owner.check stores it again.
func (s *Store) checkOwner(ctx context.Context, tx pgx.Tx) (xact string, err error) {
	id, run := s.owner.identity()
	err = tx.QueryRow(ctx, `SELECT coalesce(pg_current_xact_id_if_assigned()::text, '') FROM store
		WHERE id = $1 AND run = $2 AND ($3 = '' OR cluster = '' OR cluster = $3 AND nodes = $4)`, id, run, escape(s.cluster), escape(s.nodes)).Scan(&xact)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrInUse
	}
	return xact, err
}

// hasRow reports whether a query has a row.
func hasRow(ctx context.Context, tx pgx.Tx, query string, args ...any) (has bool, err error) {
	err = tx.QueryRow(ctx, `SELECT EXISTS (`+query+`)`, args...).Scan(&has)
	return has, err
}

// countCommit counts a transaction in table store. It locks the only row of that table until the commit, so that the transactions
// of this process commit one after the other. Its statement must be the last one of the transaction, so that other transactions
// wait only briefly. Errors: ErrInUse if another program has taken over the database.
func (s *Store) countCommit(ctx context.Context, tx pgx.Tx, by change) (*ledger.Commit, string, error) {
	now := &ledger.Commit{}
	now.ID, now.Run = s.owner.identity()
	if by.newID != "" {
		now.ID, now.Run = by.newID, 0
	}
	var id string
	var at time.Time
	err := tx.QueryRow(ctx, `UPDATE store SET commits = commits + 1, committed = clock_timestamp(), accounts = accounts + $2, characters = characters + $3
		WHERE run = $1 AND id = $4 RETURNING commits, committed, accounts, characters, pg_current_xact_id()::text`,
		now.Run, by.accounts, by.characters, now.ID).Scan(&now.Generation, &at, &now.Accounts, &now.Characters, &id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, "", ErrInUse
	}
	now.CommittedMS = at.UnixMilli()
	return now, id, err
}

// confirm finds out whether a commit was made, after the connection was lost during that commit. It asks the server for the
// status of the transaction with the given id. Because the server may be restarting, it retries for at most s.confirmLimit. It
// returns nil if the transaction was committed. Otherwise it returns the error of the commit, which is the parameter lost.
func (s *Store) confirm(ctx context.Context, id string, lost error) error {
	ctx, cancel := context.WithTimeout(ctx, s.confirmLimit)
	defer cancel()
	for {
		var status string
		err := s.pool.QueryRow(ctx, `SELECT coalesce(pg_xact_status($1::text::xid8), '')`, id).Scan(&status)
		switch {
		case err == nil && status == "committed":
			return nil
		case err == nil && status != "in progress":
			return lost
		case sqlState(err) == invalidParameter: // the server knows no such transaction: it stopped before it had recorded the beginning
			return lost
		case sleep(ctx, retryPause) != nil:
			return lost
		}
	}
}

// read calls the function fn with a connection. fn only reads. If the connection was lost, read calls fn again. Errors:
// store.ErrUnavailable, store.ErrNotFound if fn returns pgx.ErrNoRows, and the error of ctx.
func (s *Store) read(ctx context.Context, fn func(ctx context.Context, conn *pgxpool.Conn) error) error {
	return s.try(ctx, callTimeout, fn)
}

// try calls the function fn with a connection. After a lost connection or a conflict with another transaction it calls fn
// again. Errors: store.ErrUnavailable, the error of ctx, and those of fn.
func (s *Store) try(ctx context.Context, limit time.Duration, fn func(ctx context.Context, conn *pgxpool.Conn) error) error {
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for attempt, pause := 1, retryPause; ; attempt, pause = attempt+1, pause*2 {
		err := s.once(within, fn)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil: // err may only say that the driver closed the connection when ctx ended
			return fmt.Errorf("%w: %w", ctx.Err(), oneLine(err))
		case !isLost(err) && !isConflict(err):
			return oneLine(err)
		case attempt == attempts || within.Err() != nil || sleep(within, pause) != nil:
			if isConflict(err) {
				return oneLine(err)
			}
			return fmt.Errorf("%w: %w", store.ErrUnavailable, oneLine(err))
		}
	}
}

// once calls fn with a connection. It converts pgx.ErrNoRows, for a row that does not exist, to store.ErrNotFound.
func (s *Store) once(ctx context.Context, fn func(ctx context.Context, conn *pgxpool.Conn) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if err = fn(ctx, conn); errors.Is(err, pgx.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}
