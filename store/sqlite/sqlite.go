// Package sqlite stores accounts and characters in an SQLite file: truestep.db in the data directory.
//
// The database engine is written in Go, so nothing has to be installed. The file is in WAL mode with synchronous=FULL:
// when a call returns, its change is in the write-ahead log and the log is synced to disk, so it survives a killed
// process and a power cut. synchronous=NORMAL would not be noticeably faster: the server saves about one batch a
// second, and a sync takes milliseconds even on the slowest disk.
//
// A ledger beside the file names the last commit (ledger.go), and rows have checksums (checksum.go). With them a start
// detects a log or file that lacks commits or changes (check.go, checkrows.go, loss.go). Backup copies the database
// while a server uses it (backup.go).
//
// Only one process at a time may open a data directory (lock.go). A file that is damaged, or was written by another
// program or a newer version, is rejected before anything is written to it (check.go). Other programs may read the file
// while it is in use:
//
//	sqlite3 truestep-data/truestep.db "select name, area, level, gold from character_overview order by level desc"
//
// There is one connection, which serializes all calls. The package starts no goroutines.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/truestep-io/truestep/internal/fsync"
	"github.com/truestep-io/truestep/internal/sqlitefile"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/ledger"
	"github.com/truestep-io/truestep/telemetry"
)

// FileName is the name of the database in the data directory.
const FileName = "truestep.db"

// Store implements store.Store with an SQLite file.
type Store struct {
	db         *sql.DB
	lock       *dirLock
	path       string
	log        *slog.Logger
	acceptLoss bool
	metrics    *telemetry.Metrics // nil if nothing is counted
	vfs        string             // name of an SQLite virtual file system, for tests; "" for the operating system's

	checkpointed atomic.Int64 // Commit.Generation of the newest commit that the file contains without its write-ahead log

	mu             sync.Mutex // guards the fields below
	ledger         *ledger.Ledger
	entered        int64              // Commit.Generation of the newest commit in the ledger
	nextCheckpoint int64              // size of the write-ahead log in bytes at which the next checkpoint runs
	failure        *telemetry.Failure // nil while commits are written to the ledger
}

// Option changes how Open opens a store.
type Option func(*Store)

// WithLog sets the log for repairs, migrations and failures. The default is slog.Default().
func WithLog(log *slog.Logger) Option { return func(s *Store) { s.log = log } }

// WithMetrics sets the metrics that report whether the ledger can be written. The ledger records commits, so that a
// start detects lost ones.
func WithMetrics(m *telemetry.Metrics) Option { return func(s *Store) { s.metrics = m } }

// WithAcceptLoss makes Open accept a database in which commits are missing. It has an effect only if the parameter accept is
// true. Open first copies the files to a folder set-aside-* in the data directory.
func WithAcceptLoss(accept bool) Option { return func(s *Store) { s.acceptLoss = accept } }

var _ store.Store = (*Store)(nil)

// Open opens the store in the data directory dir and migrates its tables. It creates a missing directory or file,
// readable by its owner only. ctx limits Open only, not later calls.
//
// An error is one line that names the file and says what to do. If it wraps store.ErrCorrupt, ErrInUse, ErrForeign or ErrNewer,
// the file has not been changed.
func Open(ctx context.Context, dir string, opts ...Option) (*Store, error) {
	if err := makeDir(dir); err != nil {
		return nil, fmt.Errorf("create the data directory: %w", err)
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{lock: lock, path: filepath.Join(dir, FileName), log: slog.Default()}
	for _, set := range opts {
		set(s)
	}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// makeDir creates a missing directory and its missing parents, and syncs their names, so that a power cut cannot lose
// the directory with the files in it.
func makeDir(dir string) error {
	var parents []string
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		parents = append(parents, filepath.Dir(at))
	}
	err := os.MkdirAll(dir, 0o700)
	for _, parent := range parents {
		if err == nil {
			if err = fsync.Dir(parent); errors.Is(err, fs.ErrPermission) { // the parent may be writable but not readable
				err = nil
			}
		}
	}
	return err
}

func (s *Store) open(ctx context.Context) error {
	found, err := s.examine(ctx)
	if err != nil {
		return err
	}
	if err := touch(s.path); err != nil {
		return fmt.Errorf("create the database file: %w", err)
	}
	query := url.Values{"_txlock": {"immediate"}}
	if s.vfs != "" {
		query.Set("vfs", s.vfs)
	}
	// Ignore the check constraints of the tables, whose purpose is to catch wrong changes by other programs. A save thereby gets
	// faster by more time than the checksums of its rows cost.
	db, err := connect(s.path, query,
		"journal_mode(WAL)", "synchronous(FULL)", "wal_autocheckpoint(0)", "foreign_keys(1)", "ignore_check_constraints(1)", busyTimeout)
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	s.db = db
	if err := migrate(ctx, db, s.log, found.version); err != nil {
		return withAdvice(s.path, fmt.Errorf("migrate the tables: %w", err))
	}
	if err := s.begin(ctx); err != nil {
		return withAdvice(s.path, err)
	}
	if err := s.repairRows(ctx, found.rows, found.aside); err != nil {
		return withAdvice(s.path, err)
	}
	return nil
}

// examine checks the database, its write-ahead log and its ledger. If commits are missing and the operator has not accepted
// the loss, it returns an error. After an error nothing has been changed.
func (s *Store) examine(ctx context.Context) (findings, error) {
	found, err := check(ctx, s.path)
	if err != nil {
		return found, err
	}
	if found.damaged > 0 {
		s.log.Warn("the commit ledger of the database is damaged; commits after its newest intact line cannot be checked",
			telemetry.FieldFile, s.path+ledgerSuffix, "damaged_lines", found.damaged)
	}
	if found.loss == nil && !found.dropLog {
		return found, nil
	}
	if found.loss != nil && !s.acceptLoss {
		return found, found.loss
	}
	if found.aside, err = setAside(s.path, time.Now()); err != nil {
		return found, err
	}
	if found.loss != nil {
		s.log.Warn("stored data is missing; the loss was accepted and the damaged files were copied", telemetry.FieldFile, found.aside,
			telemetry.FieldReason, found.loss.why, "loss", found.loss.Counts())
	} else {
		s.log.Warn("the write-ahead log belongs to another database and was moved aside; no stored data is missing", telemetry.FieldFile, found.aside)
	}
	if found.dropLog {
		return found, removeLog(s.path)
	}
	return found, nil
}

// busyTimeout is how long a call waits for another program that has locked the database, such as a backup.
const busyTimeout = "busy_timeout(5000)" // SQLite pragma with a time in ms

// connect opens the database with one permanent connection, so that pragmas are set only once and writers do not
// conflict.
func connect(path string, query url.Values, pragmas ...string) (*sql.DB, error) {
	dsn, err := sqlitefile.URI(path)
	if err != nil {
		return nil, err
	}
	query["_pragma"] = pragmas
	db, err := sql.Open("sqlite", dsn+"?"+query.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(1)
	db.SetConnMaxLifetime(0)
	return db, nil
}

// touch creates a missing database file that only its owner can read. If SQLite created the file, other users could read it.
// SQLite gives its write-ahead log the mode of the file.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// Close merges the write-ahead log into the file and releases the lock of the directory.
func (s *Store) Close() error {
	var err error
	if s.db != nil {
		s.end()
		err = s.db.Close()
	}
	if s.ledger != nil {
		err = errors.Join(err, s.ledger.Close())
	}
	return errors.Join(err, s.lock.Close())
}
