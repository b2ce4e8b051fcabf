// Package sqlite keeps accounts and characters in one SQLite file, truestep.db in the data directory.
//
// The engine is written in Go, so nothing has to be installed. The file is in WAL mode with synchronous=FULL: a call
// that returned has been written to the log and the log has been handed to the disk, so neither a killed process nor a
// power cut takes it back. The server saves about one batch a second, and a sync costs milliseconds on the slowest
// disk, so the weaker NORMAL would save nothing that anybody notices.
//
// A data directory belongs to one process at a time (lock.go). A file that is damaged, of another program or of a newer
// version is refused before anything is written to it (check.go). Other programs may read the file while it is in use:
//
//	sqlite3 truestep-data/truestep.db "select name, area, level, gold from characters order by level desc"
//
// There is one connection, which serializes everything; the package starts no goroutines of its own.
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
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/truestep-io/truestep/store"
)

// FileName is the name of the database in the data directory.
const FileName = "truestep.db"

// Store is a store.Store in one file.
type Store struct {
	db   *sql.DB
	lock *dirLock
	path string
	log  *slog.Logger
}

// Option changes how Open opens a store.
type Option func(*Store)

// WithLog sets the log of what Open changes in old data; slog.Default() otherwise.
func WithLog(log *slog.Logger) Option { return func(s *Store) { s.log = log } }

var _ store.Store = (*Store)(nil)

// Open opens the store in dir and brings its tables up to date. A directory or file that is missing is made, for the
// owner alone. ctx bounds the opening only.
//
// An error is one line that names the file and says what to do; it wraps store.ErrCorrupt, ErrInUse, ErrForeign or
// ErrNewer where that is the case, and then the file has not been touched.
func Open(ctx context.Context, dir string, opts ...Option) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
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

func (s *Store) open(ctx context.Context) error {
	if err := touch(s.path); err != nil {
		return fmt.Errorf("data file: %w", err)
	}
	if err := check(ctx, s.path); err != nil {
		return err
	}
	db, err := connect(s.path, url.Values{"_txlock": {"immediate"}},
		"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", busyTimeout)
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	s.db = db
	if err := migrate(ctx, db, s.log); err != nil {
		return fmt.Errorf("%s: bring the tables up to date: %w", s.path, err)
	}
	return nil
}

// busyTimeout is how long a call waits for another program that has the file locked, such as a backup.
const busyTimeout = "busy_timeout(5000)" // ms

// connect opens the file with one connection, which is kept: pragmas are set once, and no two writers ever meet.
func connect(path string, query url.Values, pragmas ...string) (*sql.DB, error) {
	dsn, err := fileURI(path)
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

// fileURI is path as SQLite's URI: characters such as ? and # in a directory's name must not end the path.
func fileURI(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	slashed := filepath.ToSlash(abs)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/dir
	}
	return "file://" + (&url.URL{Path: slashed}).EscapedPath(), nil
}

// touch makes the file if there is none. SQLite would too, but readable by others; its log takes the file's mode over.
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

// Close writes the log back into the file and gives the directory free.
func (s *Store) Close() error {
	var err error
	if s.db != nil {
		err = s.db.Close()
	}
	return errors.Join(err, s.lock.release())
}
