// Package postgres stores accounts and characters in a PostgreSQL database.
//
//	s, err := postgres.Open(ctx, "postgres://truestep@db.example/truestep", postgres.WithLedger("truestep-data"))
//
// A call that returned nil is committed and synced to disk: connections whose synchronous_commit is off are set to on.
//
// # One server
//
// A store that is opened without Shared must be the only one that writes to its database. Two mechanisms ensure that. First, a
// separate connection holds an advisory lock for as long as the process lives, so that a second program cannot open the
// database. Second, each start increments a run number in table store, and each transaction checks that the number is
// unchanged. A process that has lost its connection, without noticing yet, therefore writes nothing after another program has
// taken over the database. Then the channel that the method Lost returns is closed. If the connection is lost but no other
// program has acquired the lock, the process reconnects, acquires the lock again and continues.
//
// # The ledger
//
// With WithLedger, each commit is recorded in a file of the data folder (package ledger). The next start detects a
// database that lacks commits: an older dump, a standby that had not received everything, or another database at the
// same URL. The ledger also tells whether the tape in the data folder belongs to the database: see Store.FitsTape. The
// package leaves to PostgreSQL what PostgreSQL does itself: checksums of pages, syncing, crash recovery, constraints.
//
// # Failures
//
// A call that cannot reach the server retries for a fraction of a second. If the server was only restarted, so that the pooled
// connections are broken, that suffices. Otherwise the call returns store.ErrUnavailable. No call takes longer than callTimeout,
// saveTimeout for a batch, or importTimeout for an import or a copy. A commit that has begun may take callTimeout in addition.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/ledger"
	"github.com/truestep-io/truestep/telemetry"
)

// LedgerName is the name of the ledger in a data folder. A folder with this file belongs to a PostgreSQL database.
const LedgerName = "postgres.ledger"

// Store implements store.Store with a PostgreSQL database. Open creates it.
type Store struct {
	pool       *pgxpool.Pool
	where      string // database and host, for messages
	label      string // database and host, for log fields
	log        *slog.Logger
	metrics    *telemetry.Metrics // nil if nothing is counted
	shared     bool               // opened with Shared or Node
	node       string             // name of the node whose process opened the store with Node; "" for none
	cluster    string             // name of the cluster of that node; "" if it is not compared
	nodes      string             // names of the nodes of that cluster, separated by commas
	begin      bool               // see BeginAreas
	hasLogs    bool               // see HasLogs
	begun      bool               // see Begun
	readOnly   bool               // only reads; the server may be a standby
	acceptLoss bool               // see WithAcceptLoss
	dir        string             // data folder that contains the ledger; "" if there is none
	minVersion int                // oldest accepted version of PostgreSQL, as server_version_num

	endLimit     time.Duration // maximum duration of COMMIT and ROLLBACK
	confirmLimit time.Duration // see confirmLimit
	idleLimit    time.Duration // see idleLimit
	joinPatience time.Duration // how long Open with BeginAreas tries again while another process has the lock of the areas; tests set more

	awaitReconnect func(context.Context) error // waits for reconnectTime; tests replace it to make something happen meanwhile

	owner    *owner // nil before Open has acquired the advisory lock
	fitsTape bool   // see FitsTape

	continuesTape bool // see ContinuesTape

	mu            sync.Mutex // guards the fields below
	ledger        *ledger.Ledger
	entered       int64              // Commit.Generation of the newest commit in the ledger
	ledgerFailure *telemetry.Failure // nil while commits are written to the ledger
}

// Option changes how Open opens a store.
type Option func(*Store)

// WithLog sets the log for warnings and failures. The default is slog.Default().
func WithLog(log *slog.Logger) Option { return func(s *Store) { s.log = log } }

// WithMetrics sets the metrics that report whether the database can be reached and the ledger can be written.
func WithMetrics(m *telemetry.Metrics) Option { return func(s *Store) { s.metrics = m } }

// WithLedger sets the data folder with the ledger, the file in which the store records its commits. The folder is created if
// missing.
func WithLedger(dir string) Option { return func(s *Store) { s.dir = dir } }

// ContinuesTape tells Open that the process sets the tape of the data folder aside if it does not fit (see FitsTape). After a process
// without this option, a tape that did not fit still does not.
func ContinuesTape() Option { return func(s *Store) { s.continuesTape = true } }

// WithAcceptLoss makes Open accept a database that lacks commits of the ledger, or that is not the database of the ledger. It has
// an effect only if the parameter accept is true.
func WithAcceptLoss(accept bool) Option { return func(s *Store) { s.acceptLoss = accept } }

// Shared opens the database as one of several processes that write to it and fence their saves (store.Fence). Open
// fails while a program uses the database without Shared. A shared store has no ledger.
func Shared() Option { return func(s *Store) { s.shared = true } }

var _ store.Store = (*Store)(nil)

// Open opens the store in the database at a URL and migrates its tables. ctx limits Open only, not later calls.
//
// An error is one line. It names the database, says what to do, and contains no password.
func Open(ctx context.Context, text string, opts ...Option) (*Store, error) {
	cfg, err := parseURL(text)
	if err != nil {
		return nil, err
	}
	s := &Store{log: slog.Default(), where: describe(cfg.ConnConfig), label: labelOf(cfg.ConnConfig), minVersion: minVersion,
		endLimit: callTimeout, confirmLimit: confirmLimit, idleLimit: idleLimit, joinPatience: lockPatience,
		awaitReconnect: func(ctx context.Context) error { return sleep(ctx, reconnectTime) }}
	for _, set := range opts {
		set(s)
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if err := s.open(ctx, cfg); err != nil {
		return nil, errors.Join(s.startError(cfg.ConnConfig, err), s.Close())
	}
	return s, nil
}

// openTimeout is the maximum duration of Open, including migrations.
const openTimeout = time.Minute

// describe returns the database and the host of a connection as text for messages.
func describe(c *pgx.ConnConfig) string {
	return fmt.Sprintf("database %q of PostgreSQL at %s", c.Database, address(c))
}

func labelOf(c *pgx.ConnConfig) string { return c.Database + " at " + address(c) }

// address returns the host and port of a connection, or the path of its socket.
func address(c *pgx.ConnConfig) string {
	if filepath.IsAbs(c.Host) {
		return filepath.Join(c.Host, fmt.Sprintf(".s.PGSQL.%d", c.Port))
	}
	return fmt.Sprintf("%s:%d", c.Host, c.Port)
}

func (s *Store) open(ctx context.Context, cfg *pgxpool.Config) (err error) {
	setMissing(cfg.ConnConfig, map[string]string{
		"application_name":                    programName(),
		"idle_in_transaction_session_timeout": strconv.FormatInt(s.idleLimit.Milliseconds(), 10),
	})
	setMissing(cfg.ConnConfig, keepalives)
	cfg.AfterConnect = syncCommits
	if s.owner, err = takeOwnership(ctx, s, cfg.ConnConfig); err != nil {
		return err
	}
	if s.pool, err = pgxpool.NewWithConfig(ctx, cfg); err != nil {
		return err
	}
	known, err := s.checkSchema(ctx, s.owner.conn)
	if err != nil {
		return err
	}
	if s.dir != "" && !s.shared {
		if err := s.checkLedger(ctx, known); err != nil {
			return err
		}
	}
	locked := false
	if s.node != "" {
		if known, locked, err = s.owner.lockOutNodes(ctx, known); err != nil {
			return err
		}
	}
	if err := s.migrate(ctx, known); err != nil {
		return err
	}
	if s.dir != "" && !s.shared {
		if err := s.checkJoined(ctx); err != nil {
			return err
		}
	}
	if locked {
		if err := s.owner.admitNodes(ctx); err != nil {
			return err
		}
	}
	if err := s.owner.begin(ctx); err != nil {
		return err
	}
	if s.node != "" {
		if err := s.owner.joinAreas(ctx); err != nil {
			return err
		}
	}
	if s.dir != "" && !s.shared {
		if err := s.createLedger(ctx); err != nil {
			return err
		}
	}
	s.owner.start()
	return nil
}

// idleLimit is how long the database server waits for the next statement of a transaction before it ends the session, which releases
// the locks of the transaction. The process may be paused or cut off from the network, and others wait for the rows.
const idleLimit = 10 * time.Second

// keepalives are settings of the database server: it ends a session within about 20 s after the client's machine has crashed or lost
// its network, if no transaction is open.
var keepalives = map[string]string{"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "3", "tcp_keepalives_count": "3"}

// setMissing sets those parameters of the database sessions that the URL does not set.
func setMissing(c *pgx.ConnConfig, params map[string]string) {
	for key, value := range params {
		if c.RuntimeParams[key] == "" {
			c.RuntimeParams[key] = value
		}
	}
}

// programName identifies this process among the connections that PostgreSQL lists.
func programName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	return fmt.Sprintf("truestep, process %d on %s", os.Getpid(), host)
}

// syncCommits changes a connection whose synchronous_commit is off: its commits then wait until they are synced to disk, as
// is the default of PostgreSQL.
func syncCommits(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`)
	return err
}

// FitsTape reports whether the store and the tape of the data folder have the same history, so that the tape may be continued. The
// histories are the same if no other program, such as a node of a cluster, has used the database since the last run with this folder, or
// if no server has ever used the database. Otherwise the tape is older than the stored records.
func (s *Store) FitsTape() bool { return s.fitsTape }

// Lost returns a channel that is closed when another program has taken over the database or migrated its tables, or when
// another process has taken over the name of the node (see Node). All later writes fail, in the latter cases only by the rules of
// store.Fence and store.Sessions.
func (s *Store) Lost() <-chan struct{} { return s.owner.lost }

// ErrInUse means that another program uses the database.
var ErrInUse = errors.New("the database is in use by another server")

// LostError returns the error to show the operator after another program has taken over the database, or another process the name of
// the node (see Lost).
func (s *Store) LostError() error {
	s.owner.mu.Lock()
	defer s.owner.mu.Unlock()
	return s.lostError(s.owner.reason)
}

func (s *Store) lostError(reason error) error {
	if errors.Is(reason, ErrNewer) {
		return fmt.Errorf("%w; the tables were migrated while this process was not connected: it stores nothing more", reason)
	}
	if errors.Is(reason, ErrNodeRuns) {
		return fmt.Errorf("node %q: %w, and has taken over the name while this process was not connected to %s", s.node, ErrNodeRuns, s.where)
	}
	if s.shared {
		return fmt.Errorf("%s: %w, or its content was replaced, while this process was not connected to it: this process stores nothing more", s.where, ErrInUse)
	}
	return fmt.Errorf("%s: %w: this server stores nothing more; give each server a database of its own", s.where, ErrInUse)
}

// Failures returns the current failures: that the database cannot be reached, or that the ledger cannot be written.
func (s *Store) Failures() (list []telemetry.Failure) {
	if f := s.owner.currentFailure(); f != nil {
		list = append(list, *f)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ledgerFailure != nil {
		list = append(list, *s.ledgerFailure)
	}
	return list
}

// Close closes all connections, which releases the lock of the store.
func (s *Store) Close() error {
	var err error
	if s.owner != nil {
		s.owner.close()
	}
	if s.pool != nil {
		s.pool.Close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ledger != nil {
		err = s.ledger.Close()
		s.ledger = nil
	}
	return err
}
