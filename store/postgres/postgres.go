// Package postgres stores accounts and characters in a PostgreSQL database.
//
//	s, err := postgres.Open(ctx, "postgres://truestep@db.example/truestep", postgres.WithLedger("truestep-data"))
//
// A call that returned nil is committed, and PostgreSQL has synced it: a connection whose settings say synchronous_commit=off is set to on.
//
// # One server
//
// A store that is opened without Shared is the only one that may write. Two things ensure it. A connection of its own holds an
// advisory lock for as long as the process lives, so that a second program is refused. And the program counts its run in table
// store and checks in each transaction that the number is still its own, so that it writes nothing after another program has
// taken the database over, even if it has not noticed yet that it lost its connection. Then Lost is closed. A connection
// that is lost, and comes back before another program has the lock, takes the lock again, and the program goes on.
//
// # The ledger
//
// With WithLedger, each commit is entered in a file of the data folder (package ledger). The next start notices a database that lacks
// commits: an older dump, a standby that had not received everything, another database under the same URL. It also tells
// whether the tape in the data folder belongs to the database: see Store.FitsTape. What PostgreSQL does itself is not done
// again: checksums of pages, syncing, recovery after a crash, constraints on every row.
//
// # Failures
//
// A call that cannot reach the server tries again for a fraction of a second, which is enough for a restart of a server whose
// connections are gone, and then returns store.ErrUnavailable. No call takes longer than callTimeout, or saveTimeout for a batch.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/ledger"
	"github.com/truestep-io/truestep/telemetry"
)

// LedgerName is the name of the ledger in a data folder. Where it exists, the folder belongs to a PostgreSQL database.
const LedgerName = "postgres.ledger"

// Store implements store.Store with a PostgreSQL database.
type Store struct {
	pool       *pgxpool.Pool
	where      string // host and database for messages
	label      string // the same for fields of the log
	log        *slog.Logger
	metrics    *telemetry.Metrics // nil: not counted
	shared     bool
	readOnly   bool // only reads, also from a standby
	acceptLoss bool
	dir        string // data folder with the ledger; "" for none
	minVersion int    // oldest version of the server that is accepted, as server_version_num

	owner    *owner // nil if shared
	fitsTape bool

	mu            sync.Mutex // guards the fields below
	ledger        *ledger.Ledger
	entered       int64              // number of the newest commit in the ledger
	ledgerFailure *telemetry.Failure // nil while commits are written to the ledger
}

// Option changes how Open opens a store.
type Option func(*Store)

// WithLog sets the log for warnings and failures. The default is slog.Default().
func WithLog(log *slog.Logger) Option { return func(s *Store) { s.log = log } }

// WithMetrics sets the metrics that report whether the database can be reached and the ledger can be written.
func WithMetrics(m *telemetry.Metrics) Option { return func(s *Store) { s.metrics = m } }

// WithLedger sets the data folder in which commits are entered in a ledger. The folder is created if missing.
func WithLedger(dir string) Option { return func(s *Store) { s.dir = dir } }

// WithAcceptLoss, if accept is true, makes Open accept a database that lacks commits of the ledger, or that is another database
// than that of the ledger.
func WithAcceptLoss(accept bool) Option { return func(s *Store) { s.acceptLoss = accept } }

// Shared opens the database for one of several processes that write it and fence their saves (store.Fence). Open fails while a
// program uses the database without Shared. A shared store has no ledger.
func Shared() Option { return func(s *Store) { s.shared = true } }

var _ store.Store = (*Store)(nil)

// Open opens the store in the database of a URL and migrates its tables. ctx applies to Open only, not to later calls.
//
// An error is one line without a password that names the database and says what to do.
func Open(ctx context.Context, text string, opts ...Option) (*Store, error) {
	cfg, err := parseURL(text)
	if err != nil {
		return nil, err
	}
	s := &Store{log: slog.Default(), where: describe(cfg.ConnConfig), label: labelOf(cfg.ConnConfig), minVersion: minVersion}
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

// openTimeout is the maximum time of Open, which includes migrations.
const openTimeout = time.Minute

// describe returns database and host of a connection for messages.
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
	if cfg.ConnConfig.RuntimeParams["application_name"] == "" {
		cfg.ConnConfig.RuntimeParams["application_name"] = programName()
	}
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
	if err := s.migrate(ctx, known); err != nil {
		return err
	}
	if err := s.owner.begin(ctx); err != nil {
		return err
	}
	if s.dir != "" && !s.shared {
		if err := s.createLedger(ctx); err != nil {
			return err
		}
	}
	s.owner.start()
	return nil
}

// programName identifies this process among the connections that PostgreSQL lists.
func programName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	return fmt.Sprintf("truestep, process %d on %s", os.Getpid(), host)
}

// syncCommits makes commits of a connection wait until they are synced to disk, as PostgreSQL does unless it is configured otherwise.
func syncCommits(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`)
	return err
}

// FitsTape reports whether the tape of the data folder may be continued: no other program has had the database since the last
// run with this folder, or the database was never served. Otherwise a tape in the folder is older than the stored records.
func (s *Store) FitsTape() bool { return s.fitsTape }

// Lost returns a channel that is closed when another program has taken over the database. Every later write fails.
func (s *Store) Lost() <-chan struct{} { return s.owner.lost }

// ErrInUse means that another program uses the database.
var ErrInUse = errors.New("in use by another server")

// LostError returns the error for the operator after the channel of Lost is closed.
func (s *Store) LostError() error {
	return fmt.Errorf("%s is now %w: this server stores nothing more; give each server a database of its own", s.where, ErrInUse)
}

// Failures returns the current failures: that the database cannot be reached, and that the ledger cannot be written.
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

// Close closes all connections, which releases the lock of the database.
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
