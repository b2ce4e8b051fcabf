package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// BeginAreas makes Open begin the areas of a cluster anew if the parameter begin is true: it deletes all epochs and ticks of areas and all
// holders of accounts. Open does so only while no other process of a node (see Node) has the database open, because such a process may
// run areas and have players. Of nodes that all start with BeginAreas, the first one deletes, and the others join it. The method Begun
// reports the result.
func BeginAreas(begin bool) Option { return func(s *Store) { s.begin = begin } }

// Begun reports whether the areas of the cluster begin anew: Open was called with BeginAreas, and afterwards no record of an area and no
// claim of an account was stored. If it is false in spite of BeginAreas, another process runs, and the areas have begun before.
func (s *Store) Begun() bool { return s.begun }

// The advisory lock of the areas has two keys: "TRSA" in ASCII, and a hash of the schema. The connection that holds the lock of the store
// also holds this lock: a process that deletes the owners of areas holds it exclusively, and then, as every process of a node, with others.
const (
	tryLockAreas       = `SELECT pg_try_advisory_lock(1414681409, hashtext(current_schema()))`
	unlockAreas        = `SELECT pg_advisory_unlock(1414681409, hashtext(current_schema()))`
	lockAreasShared    = `SELECT pg_advisory_lock_shared(1414681409, hashtext(current_schema()))`
	tryLockAreasShared = `SELECT pg_try_advisory_lock_shared(1414681409, hashtext(current_schema()))`
)

// joinAreas acquires the lock of the areas for the process of a node. Before that it deletes the owners of areas and the holders of
// accounts, if Open was called with BeginAreas and no other process has the lock.
func (o *owner) joinAreas(ctx context.Context) error {
	alone := false
	if o.store.begin {
		if err := o.conn.QueryRow(ctx, tryLockAreas).Scan(&alone); err != nil {
			return err
		}
	}
	if alone {
		err := pgx.BeginFunc(ctx, o.conn, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `DELETE FROM areas`)
			if err == nil {
				_, err = tx.Exec(ctx, `DELETE FROM sessions`)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if _, err := o.conn.Exec(ctx, lockAreasShared); err != nil { // waits while another process deletes owners
		return err
	}
	if alone {
		if _, err := o.conn.Exec(ctx, unlockAreas); err != nil {
			return err
		}
	}
	if !o.store.begin {
		return nil
	}
	return o.conn.QueryRow(ctx, `SELECT NOT EXISTS (SELECT FROM areas) AND NOT EXISTS (SELECT FROM sessions)`).Scan(&o.store.begun)
}

// tryJoinAreas acquires the lock of the areas on a new connection, after the former one was lost. The result is false while another process
// deletes the owners of areas.
func (o *owner) tryJoinAreas(ctx context.Context) (held bool, err error) {
	err = o.conn.QueryRow(ctx, tryLockAreasShared).Scan(&held)
	return held, err
}
