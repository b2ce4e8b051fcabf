package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrNodeRuns means that a process of a node of the cluster runs already.
var ErrNodeRuns = errors.New("another process of this node of the cluster runs already")

// Node opens the database as Shared does, for the process of a node of a cluster. Open fails with ErrNodeRuns while another process
// has opened the database for a node of that name, and with ErrNodesRun if it would have to migrate the tables while other nodes use them.
func Node(name string) Option { return func(s *Store) { s.shared, s.node = true, name } }

// The advisory lock of a node has two keys: "TRSN" in ASCII, and a hash of the schema and the name of the node. The connection that
// holds the lock of the store also holds this lock.
const (
	tryLockNode = `SELECT pg_try_advisory_lock(1414681422, hashtext(current_schema() || '/' || $1))`

	// selectNodeHolder selects the database session that holds the lock of a node, and whether its process has used the connection
	// in the last 2 s. A running process uses it every 500 ms (owner.watch). The last column is null if the database server does not
	// report it.
	selectNodeHolder = `SELECT l.pid, coalesce(nullif(a.application_name, ''), 'an unnamed program'), coalesce(host(a.client_addr), 'a local socket'),
			a.state_change > clock_timestamp() - interval '2 seconds'
		FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
		WHERE l.locktype = 'advisory' AND l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
		  AND l.classid::bigint = 1414681422 AND l.objid::bigint = (hashtext(current_schema() || '/' || $1)::bigint & 4294967295) AND l.objsubid = 2`
)

// nodePatience is how long a starting process waits for the lock of its node while the connection of the holder is idle. The holder's
// machine may have crashed: then the database server ends the session within about 20 s; see owner.connect.
const nodePatience = 30 * time.Second

// nodeHolder is the database session that holds the lock of a node.
type nodeHolder struct {
	pid        int32  // process ID of the PostgreSQL backend
	name, addr string // application name and address of the client
	alive      bool   // the client has used the connection in the last 2 s
}

// lockNode acquires the lock of the node. It waits while the process that holds the lock may have ended without the database server
// having noticed. Errors: ErrNodeRuns.
func (o *owner) lockNode(ctx context.Context) error {
	for began, told := time.Now(), false; ; {
		held, err := o.tryLockNode(ctx)
		if held || err != nil {
			return err
		}
		h, err := o.nodeHolder(ctx)
		if err != nil {
			return err
		}
		waited := time.Since(began)
		if h != nil && (h.alive && waited > lockPatience || waited > nodePatience) {
			return fmt.Errorf("node %q: %w (program %s, address %s, PostgreSQL backend %d of %s): stop that process, or give this one the name of its own node",
				o.store.node, ErrNodeRuns, h.name, h.addr, h.pid, o.store.where)
		}
		if h != nil && !told && waited > lockPatience {
			told = true
			o.store.log.Warn("a process with the name of this node is still connected to the database, but does not answer; waiting until the database server ends its session",
				"node", o.store.node, "holder", h.name, "addr", h.addr, "at_most", nodePatience)
		}
		if err := sleep(ctx, lockRetry); err != nil {
			return err
		}
	}
}

func (o *owner) tryLockNode(ctx context.Context) (held bool, err error) {
	err = o.conn.QueryRow(ctx, tryLockNode, o.store.node).Scan(&held)
	return held, err
}

// nodeHolder returns the session that holds the lock of the node, nil if there is none.
func (o *owner) nodeHolder(ctx context.Context) (*nodeHolder, error) {
	rows, err := o.conn.Query(ctx, selectNodeHolder, o.store.node)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	if !rows.Next() {
		return nil, rows.Err()
	}
	var h nodeHolder
	var alive *bool
	err = rows.Scan(&h.pid, &h.name, &h.addr, &alive)
	h.alive = alive != nil && *alive
	return &h, err
}

// recoverNode acquires the lock of the node on a new connection, after the former one was lost. The result held is false if a former
// connection of this process still has the lock. Errors: ErrNodeRuns if another process has the lock.
func (o *owner) recoverNode(ctx context.Context) (held bool, err error) {
	if held, err = o.tryLockNode(ctx); held || err != nil {
		return held, err
	}
	h, err := o.nodeHolder(ctx)
	if err == nil && h != nil && !slices.Contains(o.pids, h.pid) {
		err = fmt.Errorf("%w (program %s, address %s, PostgreSQL backend %d)", ErrNodeRuns, h.name, h.addr, h.pid)
	}
	return false, err
}

// UsedByCluster reports whether the nodes of a cluster use the database, running or stopped: it has an owner of an area, or a process
// through which an account is in the world. It returns false again after Open with BeginAreas.
func (s *Store) UsedByCluster(ctx context.Context) (used bool, err error) {
	err = s.read(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, selectOwned).Scan(&used)
	})
	if err != nil {
		return false, fmt.Errorf("look for the nodes of a cluster that use the database: %w", err)
	}
	return used, nil
}
