// Package sqlitefile opens the SQLite files in which a server logs events, such as the journal. It checks that a file is of the
// expected kind and undamaged, migrates its tables, moves an unusable file aside, and deletes old rows in small steps.
// Package store/sqlite has stricter checks of its own and uses only URI and Inspect.
//
// It starts no goroutines.
package sqlitefile

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
	"time"

	"github.com/pressly/goose/v3"
	driver "modernc.org/sqlite" // the package also registers the driver "sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/truestep-io/truestep/telemetry"
)

// Kind describes the files of one kind, such as journals: how they are recognized, and which tables they have.
type Kind struct {
	Name          string             // name in errors and log lines, such as "journal"
	ApplicationID int64              // application_id of the file, set by its first migration
	Schema        int64              // version of the newest migration
	Migrations    fs.FS              // contains the SQL migrations in its folder "migrations"; a released migration never changes
	GoMigrations  []*goose.Migration // migrations in Go

	// Pragmas are set on each connection that writes, in addition to the pragmas of all kinds.
	Pragmas []string

	// Errors for files that cannot be used; the errors of Open and OpenReader wrap them. Missing: the file does not exist or has
	// no tables yet. Damaged: the file is damaged. Foreign: another program has written it. Version: a newer or too old version
	// of this program has written it.
	Missing, Damaged, Foreign, Version error
}

const busyTimeout = "busy_timeout(2000)" // SQLite pragma, in ms: how long to wait for a program that locks the file, such as a backup

// Open opens the file for writing and migrates it, and creates it if it does not exist. If the file is unusable (see IsUnusable),
// Open renames it, logs that, and creates a new file. The text of an error is one line that names the file.
func (k *Kind) Open(path string, log *slog.Logger) (*sql.DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Name, err)
	}
	db, err := k.openChecked(path, log)
	if err == nil || !k.IsUnusable(err) {
		return db, err
	}
	aside := path + time.Now().Format(".20060102-150405.damaged")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if moved := os.Rename(path+suffix, aside+suffix); moved != nil && !errors.Is(moved, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w; the file cannot be moved aside: %w", err, moved)
		}
	}
	log.Warn(k.Name+" file is unusable; it was moved aside and a new one was created", telemetry.FieldFile, aside, telemetry.FieldErr, err)
	return k.openChecked(path, log)
}

// IsUnusable reports whether an error means that the file is damaged, or was written by another program or a newer version.
func (k *Kind) IsUnusable(err error) bool {
	return errors.Is(err, k.Damaged) || errors.Is(err, k.Foreign) || errors.Is(err, k.Version)
}

func (k *Kind) openChecked(path string, log *slog.Logger) (*sql.DB, error) {
	// Create the file here, because SQLite would make it readable by other users. SQLite gives the WAL file the mode of the
	// main file.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.Name, err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Name, err)
	}
	db, err := Connect(path, url.Values{"_txlock": {"immediate"}}, 1, append([]string{"journal_mode(WAL)", "synchronous(FULL)"}, k.Pragmas...)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	ctx := context.Background()
	if err = k.check(ctx, db); err == nil {
		err = k.migrate(ctx, db, path, log)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w%s", path, k.MarkDamage(err), helpFor(err)), db.Close())
	}
	return db, nil
}

// helpFor returns what the operator can do about an error of the disk, to be appended to the error. While the disk is full, SQLite
// cannot open a file and reports an I/O error.
func helpFor(err error) string {
	if e, ok := errors.AsType[*driver.Error](err); ok && (e.Code()&0xff == codes.SQLITE_IOERR || e.Code()&0xff == codes.SQLITE_FULL) {
		return ": the disk is full or does not work; free space on it and start again"
	}
	return ""
}

// Connect opens the file with at most conns connections and sets the pragmas on each. Idle connections stay open, so that the
// pragmas need not be set again.
func Connect(path string, query url.Values, conns int, pragmas ...string) (*sql.DB, error) {
	uri, err := URI(path)
	if err != nil {
		return nil, err
	}
	query["_pragma"] = append([]string{busyTimeout}, pragmas...)
	db, err := sql.Open("sqlite", uri+"?"+query.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	db.SetConnMaxLifetime(0)
	return db, nil
}

// URI returns path as a file: URI for SQLite. Special characters of the path are escaped, because SQLite would read a ? or # in
// the name of a folder as the end of the path.
func URI(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	slashed := filepath.ToSlash(abs)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a Windows path: C:/dir becomes /C:/dir
	}
	return "file://" + (&url.URL{Path: slashed}).EscapedPath(), nil
}

// check returns an error if the file is damaged, or was written by another program or a newer version. A new, empty file is
// valid.
func (k *Kind) check(ctx context.Context, db *sql.DB) error {
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w (%s)", k.Damaged, strings.ReplaceAll(strings.TrimPrefix(verdict, "*** in database main ***\n"), "\n", ", "))
	}
	version, err := k.readSchema(ctx, db)
	if err == nil && version > k.Schema {
		return k.versionError(version)
	}
	return err
}

func (k *Kind) versionError(version int64) error {
	return fmt.Errorf("%w (the file has schema version %d, this program's newest is %d)", k.Version, version, k.Schema)
}

// migrate applies the migrations that the file lacks. It logs how long that takes, except for a new file.
func (k *Kind) migrate(ctx context.Context, db *sql.DB, path string, log *slog.Logger) error {
	version, err := k.readSchema(ctx, db)
	if err != nil {
		return err
	}
	if version == k.Schema {
		var applied int64
		err := db.QueryRowContext(ctx, "SELECT count(DISTINCT version_id) FROM goose_db_version WHERE is_applied AND version_id BETWEEN 1 AND ?", k.Schema).Scan(&applied)
		if err != nil || applied == k.Schema {
			return err
		}
		// A migration before the newest is not applied: goose returns an error that names it.
	}
	dir, err := fs.Sub(k.Migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, dir, goose.WithDisableGlobalRegistry(true), goose.WithGoMigrations(k.GoMigrations...))
	if err != nil {
		return err
	}
	older := version > 0 && version < k.Schema
	if older {
		log.Info("migrating "+k.Name+" file, which takes seconds if it is large", telemetry.FieldFile, path, "from", version, "to", k.Schema)
	}
	start := time.Now()
	_, err = p.Up(ctx) // the provider is not closed: that would close db
	if older && err == nil {
		log.Info(k.Name+" file migrated", telemetry.FieldFile, path, telemetry.FieldDuration, time.Since(start))
	}
	return err
}

// readSchema returns the version of the tables: the number of the last applied migration, or 0 for a new file. It returns
// k.Foreign if another program has created the file.
func (k *Kind) readSchema(ctx context.Context, db *sql.DB) (int64, error) {
	foreign, versioned, err := Inspect(ctx, db, k.ApplicationID)
	switch {
	case err != nil:
		return 0, err
	case foreign:
		return 0, k.Foreign
	case !versioned:
		return 0, nil
	}
	var version sql.NullInt64
	err = db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&version)
	return version.Int64, err
}

// Inspect reads which program has created a file. The result foreign is true if that program has another application ID than
// applicationID. The result versioned is true if the file contains the table in which goose lists applied migrations. Both are
// false for a new, empty file.
func Inspect(ctx context.Context, db *sql.DB, applicationID int64) (foreign, versioned bool, err error) {
	var id, lists, others int64
	err = db.QueryRowContext(ctx, `
		SELECT (SELECT application_id FROM pragma_application_id),
		       count(*) FILTER (WHERE name = 'goose_db_version'),
		       count(*) FILTER (WHERE name <> 'goose_db_version' AND name NOT LIKE 'sqlite_%')
		FROM sqlite_schema WHERE type = 'table'`).Scan(&id, &lists, &others)
	return id != applicationID && (id != 0 || others > 0), lists > 0, err
}

// OpenReader opens the file read-only and returns the version of its tables, which is at least oldest and at most k.Schema.
// An error has a text of one line. It wraps k.Missing, k.Damaged, k.Foreign, k.Version or an error of the system.
func (k *Kind) OpenReader(path string, oldest int64) (*sql.DB, int64, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fmt.Errorf("%s: %w", path, k.Missing)
	} else if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", k.Name, err)
	}
	db, version, err := k.openReader(path, oldest, url.Values{"mode": {"ro"}})
	if err != nil && !k.IsUnusable(err) && !errors.Is(err, k.Missing) && hasNoWAL(path) {
		// A process without write access to the folder cannot share SQLite's write-ahead log (WAL). If the WAL is empty, no
		// server changes the file, so it can be read as immutable.
		if db, version, alone := k.openReader(path, oldest, url.Values{"mode": {"ro"}, "immutable": {"1"}}); alone == nil {
			return db, version, nil
		}
	}
	return db, version, err
}

// hasNoWAL reports whether the file has no WAL or an empty one.
func hasNoWAL(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err != nil || info.Size() == 0
}

func (k *Kind) openReader(path string, oldest int64, query url.Values) (*sql.DB, int64, error) {
	db, err := Connect(path, query, 4, "query_only(1)")
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	version, err := k.readSchema(context.Background(), db)
	switch {
	case err == nil && version == 0:
		err = fmt.Errorf("%w: no server has written to the file yet", k.Missing)
	case err == nil && (version < oldest || version > k.Schema):
		err = k.versionError(version)
	}
	if err != nil {
		return nil, 0, errors.Join(fmt.Errorf("%s: %w", path, k.MarkDamage(err)), db.Close())
	}
	return db, version, nil
}

// MarkDamage adds k.Damaged to an SQLite error which means that the file is damaged: the result wraps both. It returns any other
// error unchanged.
func (k *Kind) MarkDamage(err error) error {
	var e *driver.Error
	if errors.As(err, &e) && !errors.Is(err, k.Damaged) {
		switch e.Code() & 0xff { // the low byte is the primary result code
		case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
			return fmt.Errorf("%w (%w)", k.Damaged, err)
		}
	}
	return err
}

// IsConstraint reports whether an error means that a row violates a constraint of its table, so that storing it again is
// pointless.
func IsConstraint(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && (e.Code()&0xff == codes.SQLITE_CONSTRAINT || e.Code()&0xff == codes.SQLITE_MISMATCH || e.Code()&0xff == codes.SQLITE_TOOBIG)
}
