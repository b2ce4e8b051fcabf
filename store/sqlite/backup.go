package sqlite

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	driver "modernc.org/sqlite"

	"github.com/truestep-io/truestep/internal/fsync"
	"github.com/truestep-io/truestep/internal/sqlitefile"
	"github.com/truestep-io/truestep/store"
)

// Errors of Backup and Restore that callers can test with errors.Is.
var (
	ErrExists     = errors.New("the file exists already")
	ErrIncomplete = errors.New("the file was copied while a server used it, and may lack the newest changes")
)

// Summary describes a complete database file, such as a backup.
type Summary struct {
	Accounts   int64        // number of accounts
	Characters int64        // number of characters
	Commit     int64        // number of commits that the database has had; 0 if an older version wrote the file
	At         time.Time    // time of the last commit, UTC; zero if Commit is 0
	Bytes      int64        // size of the file
	SHA256     string       // hexadecimal SHA-256 of the file
	Files      []BackupFile // other files that the backup contains
	Tape       string       // folder to which Restore wrote the tape of the backup; "" if the backup has none
}

// BackupOptions says what Backup copies besides the database, and what it may overwrite.
type BackupOptions struct {
	Replace bool     // replace an existing backup file
	Files   []string // names of other files of the data directory to copy if they exist
	Tape    bool     // also copy the tape
	Report  Progress // called with the progress; may be nil

	FilesDir string // data directory of the other files and the tape; "" if it is the directory of the database
}

// Progress displays the progress of a copy. Its parameters are the number of database pages copied so far and their total number.
type Progress func(done, total int)

// pagesPerStep is the number of database pages copied between two calls of Progress: 4 MB.
const pagesPerStep = 1000

// Backup writes a consistent copy of the database in the directory dir, and of other files of the directory, to one
// file, and verifies the copy. The parameter file is the path of that file. A server may be using the database. The
// copy contains the commits made before the call of Backup. If the file exists and BackupOptions.Replace is not set,
// the error is ErrExists. After an error an existing file is unchanged.
func Backup(ctx context.Context, dir, file string, o BackupOptions) (*Summary, error) {
	path := filepath.Join(dir, FileName)
	if !o.Replace {
		if _, err := os.Lstat(file); err == nil {
			return nil, fmt.Errorf("%s: %w", file, ErrExists)
		}
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	switch lock, err := lockDir(dir); {
	case errors.Is(err, ErrInUse): // nothing to check: the server that uses the database checked the files when it started
	case err != nil:
		return nil, err
	default:
		defer lock.Close()
		found, err := check(ctx, path)
		if err == nil && found.loss != nil {
			err = found.loss
		}
		if err == nil && found.dropLog {
			err = fmt.Errorf("%s: its write-ahead log %s belongs to another database: start the server once, which moves the log to another folder", path, FileName+logSuffix)
		}
		if err != nil {
			return nil, err
		}
	}
	part := file + ".part"
	sum, err := backupTo(ctx, path, part, &o)
	if err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("back up %s: %w", path, err), removeDatabase(part))
	}
	return sum, fsync.Dir(filepath.Dir(file))
}

// backupTo writes a backup of the database at path to the temporary file named part, and verifies it.
func backupTo(ctx context.Context, path, part string, o *BackupOptions) (*Summary, error) {
	if err := removeDatabase(part); err != nil { // removes the file of an interrupted backup
		return nil, err
	}
	if err := touch(part); err != nil {
		return nil, err
	}
	if err := copyPages(ctx, path, part, o.Report); err != nil {
		return nil, wrapCorrupt(err)
	}
	if err := markComplete(ctx, part); err != nil {
		return nil, wrapCorrupt(err)
	}
	if len(o.Files) > 0 || o.Tape {
		if err := addFiles(ctx, part, cmp.Or(o.FilesDir, filepath.Dir(path)), o.Files, o.Tape); err != nil {
			return nil, wrapCorrupt(err)
		}
	}
	if err := syncFile(part); err != nil {
		return nil, err
	}
	return Verify(ctx, part)
}

// CopyDatabase copies an SQLite database that may be in use, such as the journal, to a new file.
func CopyDatabase(ctx context.Context, from, to string) error {
	if err := touch(to); err != nil {
		return err
	}
	return wrapCorrupt(copyPages(ctx, from, to, nil))
}

// copyPages copies every page of a database within one read transaction.
func copyPages(ctx context.Context, path, part string, report Progress) (err error) {
	db, err := connect(path, url.Values{"mode": {"ro"}}, busyTimeout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	// Copy all pages within one read transaction. Otherwise every commit of the server would restart the copy.
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	var tables int
	if err := conn.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
		return err
	}
	target, err := sqlitefile.URI(part)
	if err != nil {
		return err
	}
	return conn.Raw(func(c any) error {
		b, err := c.(interface {
			NewBackup(dst string) (*driver.Backup, error)
		}).NewBackup(target)
		if err != nil {
			return err
		}
		for more := true; more && err == nil; {
			if err = ctx.Err(); err == nil {
				more, err = b.Step(pagesPerStep)
			}
			if err == nil && report != nil {
				report(b.PageCount()-b.Remaining(), b.PageCount())
			}
		}
		return errors.Join(err, b.Finish())
	})
}

// markComplete records in the copy of a database that the copy is complete without a write-ahead log. Until then the table
// store of the copy may say what was true of the original: that a server uses the database, and that further commits are in a
// log.
func markComplete(ctx context.Context, path string) (err error) {
	db, err := connect(path, url.Values{}, "journal_mode(DELETE)", "synchronous(FULL)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	version, err := checkSchema(ctx, db)
	if err != nil || version < stateVersion {
		return err
	}
	_, err = db.ExecContext(ctx, `UPDATE store SET in_use = 0, checkpointed = generation`)
	return err
}

// Verify checks a database file that no server uses, such as a backup: its structure, and that the numbers of its rows
// equal the totals stored in it. It does not change the file.
func Verify(ctx context.Context, file string) (*Summary, error) {
	if fresh, err := checkHeader(file); err != nil || fresh {
		if fresh {
			err = fmt.Errorf("%s: %w", file, fs.ErrNotExist)
		}
		return nil, err
	}
	sum, err := verify(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, lineError{err})
	}
	return sum, nil
}

func verify(ctx context.Context, file string) (sum *Summary, err error) {
	db, err := connect(file, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return nil, wrapCorrupt(err)
	}
	if verdict != "ok" {
		return nil, fmt.Errorf("%w (%s)", store.ErrCorrupt, strings.ReplaceAll(verdict, "\n", ", "))
	}
	version, err := checkSchema(ctx, db)
	if err != nil {
		return nil, err
	}
	if version == 0 {
		return nil, ErrForeign
	}
	sum = &Summary{}
	err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM characters)`).Scan(&sum.Accounts, &sum.Characters)
	if err != nil {
		return nil, wrapCorrupt(err)
	}
	if version >= stateVersion {
		v, err := readState(ctx, db)
		switch {
		case err != nil:
			return nil, err
		case v.inUse:
			return nil, ErrIncomplete
		case v.Accounts != sum.Accounts || v.Characters != sum.Characters:
			return nil, fmt.Errorf("%w (it has %d accounts and %d characters, but should have %d and %d)", store.ErrCorrupt, sum.Accounts, sum.Characters, v.Accounts, v.Characters)
		}
		if version >= sumVersion {
			if err := verifyRows(ctx, db); err != nil {
				return nil, err
			}
		}
		sum.Commit, sum.At = v.Generation, time.UnixMilli(v.CommittedMS).UTC()
	}
	if sum.Files, err = verifyFiles(ctx, db); err != nil {
		return nil, err
	}
	sum.Bytes, sum.SHA256, err = digest(ctx, file)
	return sum, err
}

// verifyRows returns an error that names the rows whose content differs from what was committed.
func verifyRows(ctx context.Context, db *sql.DB) error {
	found, err := checkRows(ctx, db)
	switch {
	case err != nil:
		return err
	case found.isLoss():
		return fmt.Errorf("%w (%s)", store.ErrCorrupt, found.describeLoss())
	case len(found.damaged) > 0:
		return fmt.Errorf("%w (%s)", store.ErrCorrupt, describeRows(found.damaged))
	}
	return nil
}

// digest returns the size and the SHA-256 of a file. It ends with the error of ctx soon after ctx has ended.
func digest(ctx context.Context, file string) (size int64, sum string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, contextReader{ctx, f})
	return size, hex.EncodeToString(h.Sum(nil)), err
}

// contextReader is a reader that returns the error of a context once the context has ended.
type contextReader struct {
	ctx context.Context
	io.Reader
}

// Read reads from the wrapped reader, unless the context has ended. It implements io.Reader.
func (r contextReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}

// removeDatabase removes an incomplete database, its rollback journal and its write-ahead log.
func removeDatabase(path string) error {
	return errors.Join(removeIfThere(path), removeIfThere(path+"-journal"), removeLog(path))
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
