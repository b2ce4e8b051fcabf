package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/truestep-io/truestep/telemetry"
)

// The advisory lock of a store has two keys: "TRST" in ASCII, and a hash of the schema, because each schema of a database
// can have a store. A process that does not share the store holds the lock exclusively; processes that opened the store with
// Shared hold it together.
const (
	tryLock       = `SELECT pg_try_advisory_lock(1414681428, hashtext(current_schema()))`
	tryLockShared = `SELECT pg_try_advisory_lock_shared(1414681428, hashtext(current_schema()))`

	// selectHolder selects the database session that holds the lock.
	selectHolder = `SELECT l.pid, coalesce(nullif(a.application_name, ''), 'an unnamed program'), coalesce(host(a.client_addr), 'a local socket')
		FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
		WHERE l.locktype = 'advisory' AND l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
		  AND l.classid::bigint = 1414681428 AND l.objid::bigint = (hashtext(current_schema())::bigint & 4294967295) AND l.objsubid = 2
		ORDER BY l.pid LIMIT 1`
)

// endFormer ends the given database sessions that hold an advisory lock. It compares the name of the program, to spare sessions of
// other programs that have got the same process IDs since.
const endFormer = `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
	WHERE l.locktype = 'advisory' AND l.pid = ANY($1) AND l.pid <> pg_backend_pid() AND a.application_name = current_setting('application_name')`

// Timeouts and intervals of the advisory lock.
const (
	lockPatience = 3 * time.Second        // how long a start waits for the lock; a killed process loses it within milliseconds
	lockRetry    = 50 * time.Millisecond  // pause between attempts to acquire the lock
	watchEvery   = 500 * time.Millisecond // interval at which the connection that holds the lock is checked
	watchTimeout = 3 * time.Second        // maximum duration of a check or of opening a connection
)

// owner holds the advisory lock of a store on a separate connection.
type owner struct {
	store  *Store
	config *pgx.ConnConfig
	lost   chan struct{} // see Store.Lost
	stop   context.CancelFunc
	done   chan struct{} // closed when watch has ended; nil before it is started

	conn *pgx.Conn // connection that holds the lock; used by Open, later only by watch
	pids []int32   // process IDs of the PostgreSQL backends that may hold the lock for this process; the last one serves or served conn

	mu      sync.Mutex         // guards the fields below
	run     int64              // run number in table store since this process opened the database; 0 if it has replaced the content
	id      string             // ID of the database in table store
	nextID  string             // ID that a running call of Replace gives the database; "" if there is none
	failure *telemetry.Failure // nil while the database can be reached
	gone    bool               // the channel lost is closed

	reason error // why the channel lost is closed: wraps ErrInUse, ErrNodeRuns or ErrNewer
}

// takeOwnership connects to a database and acquires its lock. Errors: ErrInUse.
func takeOwnership(ctx context.Context, s *Store, config *pgx.ConnConfig) (*owner, error) {
	o := &owner{store: s, config: config, lost: make(chan struct{})}
	if err := o.connect(ctx); err != nil {
		return nil, err
	}
	if err := s.checkServer(ctx, o.conn); err != nil {
		return nil, errors.Join(err, o.conn.Close(ctx))
	}
	err := o.lockStore(ctx)
	if err == nil && s.node != "" {
		err = o.lockNode(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, o.conn.Close(ctx))
	}
	return o, nil
}

// lockStore acquires the lock of the store. Errors: ErrInUse.
func (o *owner) lockStore(ctx context.Context) error {
	for began := time.Now(); ; {
		held, err := o.lock(ctx)
		if held || err != nil {
			return err
		}
		if time.Since(began) > lockPatience {
			return fmt.Errorf("%s: %w%s: stop that server, or choose another database", o.store.where, ErrInUse, o.holder(ctx))
		}
		if err := sleep(ctx, lockRetry); err != nil {
			return err
		}
	}
}

// connect opens the connection that holds the lock. If this machine crashes, the database server detects that by TCP
// keep-alive and ends the session within about 20 s.
func (o *owner) connect(ctx context.Context) error {
	c := o.config.Copy()
	setMissing(c, keepalives)
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return err
	}
	if err := syncCommits(ctx, conn); err != nil {
		return errors.Join(err, conn.Close(ctx))
	}
	o.conn = conn
	if o.pids = append(o.pids, int32(conn.PgConn().PID())); len(o.pids) > maxPIDs {
		o.pids = o.pids[1:]
	}
	return nil
}

// maxPIDs is the maximum number of PostgreSQL backend process IDs that an owner remembers, one for each of its connections. The
// backend of a lost connection may still hold the lock of the database.
const maxPIDs = 16

// lock tries once to acquire the lock.
func (o *owner) lock(ctx context.Context) (held bool, err error) {
	query := tryLock
	if o.store.shared {
		query = tryLockShared
	}
	err = o.conn.QueryRow(ctx, query).Scan(&held)
	return held, err
}

// holder describes the database session that holds the lock, for error messages. It returns "" if the session cannot be
// found.
func (o *owner) holder(ctx context.Context) string {
	var pid uint32
	var name, addr string
	if err := o.conn.QueryRow(ctx, selectHolder).Scan(&pid, &name, &addr); err != nil {
		return ""
	}
	return fmt.Sprintf(" (program %s, address %s, PostgreSQL backend %d)", name, addr, pid)
}

// begin increments the run number in table store, which counts the processes that have owned the database alone. From then on the
// database rejects writes of processes with a lower run number. A process that shares the database only reads the number. If the tape of
// the data folder does not fit, and this process does not handle it, the tape does not fit for the next process either.
func (o *owner) begin(ctx context.Context) error {
	s := o.store
	query, args := `UPDATE store SET run = run + 1, joined = CASE WHEN $1 THEN run + 1 ELSE joined END RETURNING run, id`, []any{s.dir != "" && !s.fitsTape && !s.continuesTape}
	if s.shared {
		query, args = `SELECT run, id FROM store`, nil
	}
	var run int64
	var id string
	err := o.conn.QueryRow(ctx, query, args...).Scan(&run, &id)
	o.setIdentity(id, run)
	return err
}

// start starts the goroutine that watches the connection. From then on only that goroutine uses conn.
func (o *owner) start() {
	watching, cancel := context.WithCancel(context.Background())
	o.stop, o.done = cancel, make(chan struct{})
	go func() {
		defer close(o.done)
		o.watch(watching)
	}()
}

// watch checks the connection until ctx ends. If the connection was lost, watch reconnects and acquires the lock again.
func (o *owner) watch(ctx context.Context) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.lost:
			return
		case <-ticker.C:
		}
		err := o.check(ctx)
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, ErrInUse) || errors.Is(err, ErrNodeRuns) || errors.Is(err, ErrNewer) {
			o.lose(err)
			return
		}
		o.report(err, time.Now())
	}
}

// check verifies that the connection that holds the lock of the database still works. If it is broken, check connects again and
// takes the lock again. Errors: ErrInUse if another program has used the database since this run began; ErrNodeRuns if another process
// has the lock of this node; ErrNewer if a newer program has migrated the tables, as it does only while no node has the lock of the areas.
func (o *owner) check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, watchTimeout)
	defer cancel()
	if o.conn != nil {
		err := o.conn.Ping(ctx)
		if err == nil {
			return nil
		}
		_ = o.conn.Close(ctx) // it is broken
		o.conn = nil
	}
	if err := o.connect(ctx); err != nil {
		return err
	}
	held, err := o.lock(ctx)
	if err == nil {
		err = o.checkRun(ctx)
	}
	if err == nil && held && o.store.node != "" {
		held, err = o.recoverNode(ctx)
	}
	if err == nil && held && o.store.node != "" {
		held, err = o.tryJoinAreas(ctx)
	}
	if err == nil && held && o.store.node != "" {
		_, err = o.store.checkSchema(ctx, o.conn)
	}
	if err == nil && held && o.store.node != "" {
		err = o.checkCluster(ctx)
	}
	if err == nil && !held {
		// End the old database sessions. The database server may not have noticed yet that the connection of such a session was
		// lost, so the session may still hold the lock.
		_, err = o.conn.Exec(ctx, endFormer, o.pids)
		if err == nil {
			err = fmt.Errorf("another database session still holds the lock of this database%s", o.holder(ctx))
		}
	}
	if err != nil {
		_ = o.conn.Close(ctx) // the connection is useless; the next check makes a new one
		o.conn = nil
		return err
	}
	o.pids = o.pids[len(o.pids)-1:] // the session of conn has the lock now, so no former session can
	return nil
}

// checkRun returns ErrInUse if another program has opened the database for itself alone, or replaced its content, since this process
// opened it.
func (o *owner) checkRun(ctx context.Context) error {
	var run int64
	var id string
	wantID, wantRun := o.identity()
	if err := o.conn.QueryRow(ctx, `SELECT run, id FROM store`).Scan(&run, &id); err != nil {
		return err
	}
	if nowID, _ := o.identity(); nowID != wantID { // the ID differs because this process has replaced the content meanwhile
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.nextID != "" && id == o.nextID { // this process has replaced the content, but does not know yet that the commit was made
		return nil
	}
	if run != wantRun || id != wantID {
		return ErrInUse
	}
	return nil
}

// identity returns the database ID and the run number that table store must contain while this process owns the
// database.
func (o *owner) identity() (id string, run int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.id, o.run
}

func (o *owner) setIdentity(id string, run int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.id, o.run = id, run
}

func (o *owner) setNextID(id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.nextID = id
}

// lose closes the channel lost, and logs that another program has taken over the database, or another process the name of the node.
// The parameter reason wraps ErrInUse, ErrNodeRuns or ErrNewer. Later calls do nothing.
func (o *owner) lose(reason error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.gone {
		o.gone, o.reason = true, reason
		close(o.lost)
		text := "another server has taken over the database; this server stores nothing more"
		switch {
		case errors.Is(reason, ErrNodeRuns):
			text = "another process has taken over the name of this node; this process stops"
		case errors.Is(reason, ErrNewer):
			text = "a newer program has migrated the database; this process stops"
		}
		o.store.log.Error(text, "database", o.store.label, telemetry.FieldErr, o.store.lostError(reason))
	}
}

// report records the result of a check for Failures and the metrics. It logs when checks begin to fail or succeed
// again.
func (o *owner) report(err error, now time.Time) {
	o.mu.Lock()
	before := o.failure
	o.failure = before.Next("DATABASE LOST", oneLine(err), now)
	o.mu.Unlock()
	switch {
	case err != nil && before == nil:
		o.store.log.Error("the connection to the database is lost; players go on playing, and no player can log in", "database", o.store.label, telemetry.FieldErr, oneLine(err))
	case err == nil && before != nil:
		o.store.log.Info("the database can be reached again", "database", o.store.label, telemetry.FieldDuration, now.Sub(before.Since))
	}
	if m := o.store.metrics; m != nil {
		m.StoreUnreachable.Set(map[bool]int{true: 1}[err != nil])
	}
}

func (o *owner) currentFailure() *telemetry.Failure {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.failure
}

// close stops watch and closes the connection, which releases the lock.
func (o *owner) close() {
	if o.stop != nil {
		o.stop()
		<-o.done
	}
	if o.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), watchTimeout)
		defer cancel()
		_ = o.conn.Close(ctx) // the server ends the session in any case
	}
}

// sleep waits for the duration d. It returns the error of ctx if ctx ends first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
