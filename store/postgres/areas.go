package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// BeginAreas makes Open begin the areas of a cluster anew if the parameter begin is true: it deletes all epochs and ticks of areas and all
// holders of accounts, and makes the database that of the node's cluster (see Cluster). Open does so only while no other process of a node
// (see Node) has the database open, because such a process may run areas and have players. Of nodes that all start with BeginAreas, the
// first one deletes, and the others join it. The method Begun reports the result.
func BeginAreas(begin bool) Option { return func(s *Store) { s.begin = begin } }

// HasLogs tells Open that the data folder of the node has logs of areas. Open with BeginAreas then deletes nothing, and returns ErrHasLogs
// if the areas would begin anew.
func HasLogs(has bool) Option { return func(s *Store) { s.hasLogs = has } }

// ErrHasLogs means that areas do not begin anew on a node that has logs of them (see HasLogs). The logs of areas that begin anew have other
// entries with the same numbers.
var ErrHasLogs = errors.New("this node has logs of the areas, so they do not begin anew")

// Begun reports whether the areas of the cluster begin anew: Open was called with BeginAreas, and no record of an area is stored since the
// deletion. A record is stored after most nodes have begun, so a node that starts later can get the state of the areas from them. Accounts
// may have holders before that, because a node lets clients log in before it has a connection to another node. If Begun is false in spite
// of BeginAreas, another process runs, and the areas have begun before.
func (s *Store) Begun() bool { return s.begun }

// The advisory lock of the areas has two keys: "TRSA" in ASCII, and a hash of the schema. The connection that holds the lock of the store
// also holds this lock, together with other nodes. A process that deletes the owners of areas holds it exclusively until the commit, and one
// that migrates the tables until they are migrated.
const (
	tryLockAreas       = `SELECT pg_try_advisory_xact_lock(1414681409, hashtext(current_schema()))`
	holdAreas          = `SELECT pg_try_advisory_lock(1414681409, hashtext(current_schema()))`
	releaseAreas       = `SELECT pg_advisory_unlock(1414681409, hashtext(current_schema()))`
	lockAreasShared    = `SELECT pg_advisory_lock_shared(1414681409, hashtext(current_schema()))`
	tryLockAreasShared = `SELECT pg_try_advisory_lock_shared(1414681409, hashtext(current_schema()))`
	unlockAreasShared  = `SELECT pg_advisory_unlock_shared(1414681409, hashtext(current_schema()))`
)

// selectOwned selects whether an area has an owner or an account a holder.
const selectOwned = `SELECT EXISTS (SELECT FROM areas) OR EXISTS (SELECT FROM sessions)`

// selectFormer selects whether the areas leave anything behind when they begin anew: what selectOwned looks for, or a node that has had a
// link since the areas began, so that it may have logs of them.
const selectFormer = selectOwned + ` OR EXISTS (SELECT FROM entity_serials WHERE linked BETWEEN 1 AND serial)`

// markFormer marks each node that has reserved a number, with or without a link, as one whose logs are of before the areas began anew:
// until it reserves the next number, linked is greater than serial. See LinkedSerial.
const markFormer = `UPDATE entity_serials SET linked = serial + 1`

// selectBegun selects whether no record of an area is stored.
const selectBegun = `SELECT NOT EXISTS (SELECT FROM areas)`

// reconnectTime is the time for which no other process may have the lock of the areas before their owners are deleted. Nodes that have lost
// their connections because the database server was restarted acquire the lock again within that time (see owner.watch).
const reconnectTime = 4 * watchEvery

// joinAreas acquires the lock of the areas for the process of a node. If Open was called with BeginAreas, it first deletes the owners of
// areas and the holders of accounts, unless another process has the lock. If something is stored and another process has the lock,
// joinAreas tries again for a short time, because that process may have been killed just before. Errors: ErrOtherCluster, ErrNewer,
// ErrHasLogs.
func (o *owner) joinAreas(ctx context.Context) error {
	for began := time.Now(); ; {
		if o.store.begin {
			if err := o.forgetOwners(ctx); err != nil {
				return err
			}
		}
		if _, err := o.conn.Exec(ctx, lockAreasShared); err != nil { // waits while another process deletes owners
			return err
		}
		if _, err := o.store.checkSchema(ctx, o.conn); err != nil { // a newer program may have migrated the tables before
			return err
		}
		refused, err := o.joinCluster(ctx)
		if err != nil || !o.store.begin {
			return errors.Join(err, refused)
		}
		if refused == nil {
			err = o.conn.QueryRow(ctx, selectBegun).Scan(&o.store.begun)
		}
		if o.store.begun && o.store.hasLogs { // another process has deleted the owners meanwhile
			err = o.hasLogs()
		}
		if err != nil || o.store.begun || time.Since(began) > o.store.joinPatience {
			return errors.Join(err, refused)
		}
		if _, err := o.conn.Exec(ctx, unlockAreasShared); err != nil {
			return err
		}
		if err := sleep(ctx, lockRetry); err != nil {
			return err
		}
	}
}

// forgetOwners deletes all epochs and ticks of areas and all holders of accounts, marks the logs of all nodes as those of before, and makes
// the database that of this node's cluster. It does nothing if another process has the lock of the areas now or after reconnectTime. For a
// node with logs it calls keepLogs instead.
func (o *owner) forgetOwners(ctx context.Context) error {
	if o.store.hasLogs {
		return o.keepLogs(ctx)
	}
	var stored, alone bool
	if err := o.conn.QueryRow(ctx, selectFormer).Scan(&stored); err != nil {
		return err
	}
	owner, err := o.cluster(ctx)
	if err != nil || !stored && (owner == clusterID{} || o.store.isOf(owner)) {
		return err
	}
	if err := o.conn.QueryRow(ctx, tryLockAreas).Scan(&alone); err != nil || !alone { // the lock ends with the statement
		return err
	}
	if err := o.store.awaitReconnect(ctx); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, o.conn, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, tryLockAreas).Scan(&alone); err != nil || !alone {
			return err
		}
		if _, err := o.store.checkSchema(ctx, tx.Conn()); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM areas`)
		if err == nil {
			_, err = tx.Exec(ctx, `DELETE FROM sessions`)
		}
		if err == nil {
			_, err = tx.Exec(ctx, markFormer)
		}
		if err == nil && o.store.cluster != "" {
			_, err = tx.Exec(ctx, `UPDATE store SET cluster = $1, nodes = $2`, escape(o.store.cluster), escape(o.store.nodes))
		}
		return err
	})
}

// keepLogs returns ErrHasLogs if the areas would begin anew on this node, which has logs of them: no record of an area is stored, or no
// other process has the lock of the areas.
func (o *owner) keepLogs(ctx context.Context) error {
	var begins bool
	err := o.conn.QueryRow(ctx, selectBegun).Scan(&begins)
	if err == nil && !begins {
		err = o.conn.QueryRow(ctx, tryLockAreas).Scan(&begins) // the lock ends with the statement
	}
	if err == nil && begins {
		err = o.hasLogs()
	}
	return err
}

func (o *owner) hasLogs() error { return fmt.Errorf("%s: %w", o.store.where, ErrHasLogs) }

// tryJoinAreas acquires the lock of the areas on a new connection, after the former one was lost. The result is false while another process
// deletes the owners of areas.
func (o *owner) tryJoinAreas(ctx context.Context) (held bool, err error) {
	err = o.conn.QueryRow(ctx, tryLockAreasShared).Scan(&held)
	return held, err
}

// ErrNodesRun means that the process of a node would have to migrate the tables while other nodes use them.
var ErrNodesRun = errors.New("other nodes of the cluster use the tables of an older version of truestep")

// lockOutNodes acquires the lock of the areas exclusively if the tables must be migrated, so that no process of a node uses them meanwhile.
// The caller releases it with admitNodes. Processes that start at the same time wait for the one that migrates. The result is the version
// of the tables after that. A database without tables has not been used by a node. Errors: ErrNodesRun.
func (o *owner) lockOutNodes(ctx context.Context, version int64) (_ int64, locked bool, err error) {
	newest, err := newestMigration()
	if err != nil || version == 0 || version == newest {
		return version, false, err
	}
	if err := o.store.awaitReconnect(ctx); err != nil {
		return 0, false, err
	}
	for began := time.Now(); ; {
		if err := o.conn.QueryRow(ctx, holdAreas).Scan(&locked); err != nil {
			return 0, false, err
		}
		version, err = o.store.checkSchema(ctx, o.conn) // another process may have migrated the tables
		if err != nil || locked || version == newest {
			return version, locked, err
		}
		if free, err := o.tryJoinAreas(ctx); err != nil {
			return 0, false, err
		} else if !free { // another process migrates the tables
			began = time.Now()
		} else if _, err := o.conn.Exec(ctx, unlockAreasShared); err != nil {
			return 0, false, err
		}
		if time.Since(began) > lockPatience {
			return 0, false, fmt.Errorf("%s: %w (its tables have version %d, this program has version %d): nothing was changed; stop all nodes before one starts with this program, see docs/upgrades.md",
				o.store.where, ErrNodesRun, version, newest)
		}
		if err := sleep(ctx, lockRetry); err != nil {
			return 0, false, err
		}
	}
}

// admitNodes releases the lock that lockOutNodes has acquired.
func (o *owner) admitNodes(ctx context.Context) error {
	_, err := o.conn.Exec(ctx, releaseAreas)
	return err
}
