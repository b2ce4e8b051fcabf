package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// BeginAreas makes Open begin the areas of a cluster anew if the parameter begin is true: it deletes all epochs and ticks of areas and all
// holders of accounts. Open does so only while no other process of a node (see Node) has the database open, because such a process may
// run areas and have players. Of nodes that all start with BeginAreas, the first one deletes, and the others join it. The method Begun
// reports the result.
func BeginAreas(begin bool) Option { return func(s *Store) { s.begin = begin } }

// Begun reports whether the areas of the cluster begin anew: Open was called with BeginAreas, and no record of an area is stored since the
// deletion. A record is stored after most nodes have begun, so a node that starts later can get the state of the areas from them. Accounts
// may have holders before that, because a node lets clients log in before it has a connection to another node. If Begun is false in spite
// of BeginAreas, another process runs, and the areas have begun before.
func (s *Store) Begun() bool { return s.begun }

// The advisory lock of the areas has two keys: "TRSA" in ASCII, and a hash of the schema. The connection that holds the lock of the store
// also holds this lock, together with other nodes. A process that deletes the owners of areas holds it exclusively until the commit.
const (
	tryLockAreas       = `SELECT pg_try_advisory_xact_lock(1414681409, hashtext(current_schema()))`
	lockAreasShared    = `SELECT pg_advisory_lock_shared(1414681409, hashtext(current_schema()))`
	tryLockAreasShared = `SELECT pg_try_advisory_lock_shared(1414681409, hashtext(current_schema()))`
	unlockAreasShared  = `SELECT pg_advisory_unlock_shared(1414681409, hashtext(current_schema()))`
)

// selectOwned selects whether an area has an owner or an account a holder.
const selectOwned = `SELECT EXISTS (SELECT FROM areas) OR EXISTS (SELECT FROM sessions)`

// reconnectTime is the time for which no other process may have the lock of the areas before their owners are deleted. Nodes that have lost
// their connections because the database server was restarted acquire the lock again within that time (see owner.watch).
const reconnectTime = 4 * watchEvery

// joinAreas acquires the lock of the areas for the process of a node. If Open was called with BeginAreas, it first deletes the owners of
// areas and the holders of accounts, unless another process has the lock. If something is stored and another process has the lock,
// joinAreas tries again for a short time, because that process may have been killed just before.
func (o *owner) joinAreas(ctx context.Context) error {
	for began := time.Now(); ; {
		if o.store.begin {
			if err := o.forgetOwners(ctx); err != nil {
				return err
			}
		}
		_, err := o.conn.Exec(ctx, lockAreasShared) // waits while another process deletes owners
		if err != nil || !o.store.begin {
			return err
		}
		err = o.conn.QueryRow(ctx, `SELECT NOT EXISTS (SELECT FROM areas)`).Scan(&o.store.begun)
		if err != nil || o.store.begun || time.Since(began) > lockPatience {
			return err
		}
		if _, err := o.conn.Exec(ctx, unlockAreasShared); err != nil {
			return err
		}
		if err := sleep(ctx, lockRetry); err != nil {
			return err
		}
	}
}

// forgetOwners deletes all epochs and ticks of areas and all holders of accounts. It does nothing if another process has the lock of the
// areas now or after reconnectTime.
func (o *owner) forgetOwners(ctx context.Context) error {
	var stored, alone bool
	err := o.conn.QueryRow(ctx, selectOwned).Scan(&stored)
	if err != nil || !stored {
		return err
	}
	if err := o.conn.QueryRow(ctx, tryLockAreas).Scan(&alone); err != nil || !alone { // the lock ends with the statement
		return err
	}
	if err := sleep(ctx, reconnectTime); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, o.conn, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, tryLockAreas).Scan(&alone); err != nil || !alone {
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM areas`)
		if err == nil {
			_, err = tx.Exec(ctx, `DELETE FROM sessions`)
		}
		return err
	})
}

// tryJoinAreas acquires the lock of the areas on a new connection, after the former one was lost. The result is false while another process
// deletes the owners of areas.
func (o *owner) tryJoinAreas(ctx context.Context) (held bool, err error) {
	err = o.conn.QueryRow(ctx, tryLockAreasShared).Scan(&held)
	return held, err
}
