package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/truestep-io/truestep/store"
)

// Errors of Open for files that it refuses and does not change.
var (
	ErrForeign = errors.New("not a database of truestep")
	ErrNewer   = errors.New("written by a newer version of truestep")
)

const (
	magic         = "SQLite format 3\x00" // the first bytes of every SQLite database
	applicationID = 0x54525354            // "TRST", set by the first migration
)

// check refuses a file that must not be written to. It only reads the file, so a damaged one can still be repaired.
func check(ctx context.Context, path string) error {
	if fresh, err := checkHeader(path); fresh || err != nil {
		return err
	}
	db, err := connect(path, url.Values{"mode": {"ro"}}, busyTimeout)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	err = quickCheck(ctx, db)
	if err == nil {
		err = checkSchema(ctx, db)
	}
	if closed := db.Close(); err == nil {
		err = closed
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrCorrupt):
		return fmt.Errorf("%s: %w: move it away together with %s-wal and restore a backup, or start with an empty directory",
			path, err, FileName)
	case errors.Is(err, ErrNewer):
		return fmt.Errorf("%s: %w: start that version, or restore a backup made before the update", path, err)
	case errors.Is(err, ErrForeign):
		return foreign(path)
	}
	return fmt.Errorf("%s: %w", path, err)
}

func foreign(path string) error {
	return fmt.Errorf("%s: %w: move it away or choose another data directory", path, ErrForeign)
}

// checkHeader reports whether the file is new, that is empty, and refuses a file that is not a database.
func checkHeader(path string) (fresh bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, fmt.Errorf("data file: %w", err)
	}
	defer f.Close()
	head := make([]byte, len(magic))
	switch n, err := io.ReadFull(f, head); {
	case n == 0 && errors.Is(err, io.EOF):
		return true, checkLog(path)
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return false, fmt.Errorf("data file: %w", err)
	}
	if string(head) != magic {
		return false, foreign(path)
	}
	return false, nil
}

// checkLog refuses an empty file that has a log: SQLite would treat the log as stale and delete it.
func checkLog(path string) error {
	switch info, err := os.Stat(path + "-wal"); {
	case errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0:
		return nil
	case err != nil:
		return fmt.Errorf("data file: %w", err)
	}
	return fmt.Errorf("%s: %w (it is empty, but its log %s-wal is not): bring the file back, or move the log away to begin anew",
		path, store.ErrCorrupt, FileName)
}

// quickCheck reads every page of the database and returns store.ErrCorrupt if one is damaged.
func quickCheck(ctx context.Context, db *sql.DB) error {
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return hostError(err)
	}
	if verdict != "ok" {
		verdict = strings.TrimPrefix(verdict, "*** in database main ***\n")
		return fmt.Errorf("%w (%s)", store.ErrCorrupt, strings.ReplaceAll(verdict, "\n", ", "))
	}
	return nil
}

// checkSchema refuses tables of other programs and of newer versions.
func checkSchema(ctx context.Context, db *sql.DB) error {
	var id, versioned, others int64
	err := db.QueryRowContext(ctx, `
		SELECT (SELECT application_id FROM pragma_application_id),
		       count(*) FILTER (WHERE name = 'goose_db_version'),
		       count(*) FILTER (WHERE name <> 'goose_db_version' AND name NOT LIKE 'sqlite_%')
		FROM sqlite_schema WHERE type = 'table'`).Scan(&id, &versioned, &others)
	if err != nil {
		return hostError(err)
	}
	if id != applicationID && (id != 0 || others > 0) {
		return ErrForeign
	}
	if versioned == 0 {
		return nil // the process that created the file ended before its first table
	}
	var version sql.NullInt64
	err = db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&version)
	if err != nil {
		return hostError(err)
	}
	known, err := newestMigration()
	if err != nil {
		return err
	}
	if version.Int64 > known {
		return fmt.Errorf("%w (the tables have version %d, this program knows %d)", ErrNewer, version.Int64, known)
	}
	return nil
}
