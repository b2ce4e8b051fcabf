package journal

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	driver "modernc.org/sqlite" // also the driver "sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/truestep-io/truestep/telemetry"
)

// migrations are applied in order, each in its own transaction. A released migration never changes.
//
//go:embed migrations/*.sql
var migrations embed.FS

const (
	currentSchema  = 5                    // version of the newest migration
	oldestSchema   = 1                    // oldest version that a Reader can read
	heldBackSchema = 3                    // first version with the table held_back
	seenSchema     = 4                    // first version that says by where the target of an attack was judged
	lateSchema     = 5                    // first version that says how late the server was
	applicationID  = 0x5452534a           // "TRSJ", set by the first migration
	busyTimeout    = "busy_timeout(2000)" // SQLite pragma, in ms: how long to wait for a program that locks the file, such as a backup
)

// openFile opens the file for writing. A file that cannot be used is moved aside.
func openFile(path string, log *slog.Logger) (*sql.DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	db, err := openChecked(path)
	if err == nil || !isUnusable(err) {
		return db, err
	}
	aside := path + time.Now().Format(".20060102-150405.damaged")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if moved := os.Rename(path+suffix, aside+suffix); moved != nil && !errors.Is(moved, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w; the file cannot be moved aside: %w", err, moved)
		}
	}
	log.Warn("journal file is unusable; it was moved aside and a new one was created", telemetry.FieldFile, aside, telemetry.FieldErr, err)
	return openChecked(path)
}

func isUnusable(err error) bool {
	return errors.Is(err, ErrDamaged) || errors.Is(err, ErrForeign) || errors.Is(err, ErrVersion)
}

func openChecked(path string) (*sql.DB, error) {
	// Create the file here, because SQLite would make it readable by other users. SQLite gives the WAL file the mode of the
	// main file.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	db, err := connect(path, url.Values{"_txlock": {"immediate"}}, 1, "journal_mode(WAL)", "synchronous(FULL)")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	ctx := context.Background()
	if err = checkFile(ctx, db); err == nil {
		err = migrate(ctx, db)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, markDamage(err)), db.Close())
	}
	return db, nil
}

// connect opens the file with conns connections, which stay open because pragmas are set once per connection.
func connect(path string, query url.Values, conns int, pragmas ...string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	slashed := filepath.ToSlash(abs)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a Windows path: C:/dir becomes /C:/dir
	}
	query["_pragma"] = append([]string{busyTimeout}, pragmas...)
	// The path is escaped, because a ? or # in the name of a folder would end the path.
	db, err := sql.Open("sqlite", "file://"+(&url.URL{Path: slashed}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	db.SetConnMaxLifetime(0)
	return db, nil
}

// checkFile refuses a file that is damaged or was written by another program or a newer version. It accepts a new file.
func checkFile(ctx context.Context, db *sql.DB) error {
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w (%s)", ErrDamaged, strings.ReplaceAll(strings.TrimPrefix(verdict, "*** in database main ***\n"), "\n", ", "))
	}
	version, err := readSchemaVersion(ctx, db)
	if err == nil && version > currentSchema {
		return fmt.Errorf("%w (schema %d, this program knows %d)", ErrVersion, version, currentSchema)
	}
	return err
}

// readSchemaVersion returns the version of the tables, or 0 for a new file. Errors: ErrForeign for another program's tables.
func readSchemaVersion(ctx context.Context, db *sql.DB) (int64, error) {
	var id, versioned, others int64
	err := db.QueryRowContext(ctx, `
		SELECT (SELECT application_id FROM pragma_application_id),
		       count(*) FILTER (WHERE name = 'goose_db_version'),
		       count(*) FILTER (WHERE name <> 'goose_db_version' AND name NOT LIKE 'sqlite_%')
		FROM sqlite_schema WHERE type = 'table'`).Scan(&id, &versioned, &others)
	switch {
	case err != nil:
		return 0, err
	case id != applicationID && (id != 0 || others > 0):
		return 0, ErrForeign
	case versioned == 0:
		return 0, nil
	}
	var version sql.NullInt64
	err = db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&version)
	return version.Int64, err
}

// markDamage wraps SQLite errors that mean a damaged file with ErrDamaged and returns all others unchanged.
func markDamage(err error) error {
	var e *driver.Error
	if errors.As(err, &e) && !errors.Is(err, ErrDamaged) {
		switch e.Code() & 0xff { // the low byte is the primary result code
		case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
			return fmt.Errorf("%w (%w)", ErrDamaged, err)
		}
	}
	return err
}

// isConstraint reports whether the error means that the row violates a constraint and can never be stored.
func isConstraint(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && (e.Code()&0xff == codes.SQLITE_CONSTRAINT || e.Code()&0xff == codes.SQLITE_MISMATCH || e.Code()&0xff == codes.SQLITE_TOOBIG)
}
