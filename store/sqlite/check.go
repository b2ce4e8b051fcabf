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

	"github.com/truestep-io/truestep/internal/sqlitefile"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/ledger"
)

// Errors that Open returns for files that it rejects and leaves unchanged.
var (
	ErrForeign = errors.New("the file is not a database of truestep")
	ErrNewer   = errors.New("the database was written by a newer version of truestep")
)

const (
	magic         = "SQLite format 3\x00" // first bytes of every SQLite database
	headRest      = 4                     // number of bytes after the magic that are checked: page size, format versions for writing and reading
	applicationID = 0x54525354            // "TRST" in ASCII, set by the first migration
)

// logSuffix is appended to the name of the database to get the name of its write-ahead log.
const logSuffix = "-wal"

// findings is the result of check: what it found out about the files of a data directory.
type findings struct {
	loss    *Loss        // the commits that are missing; nil if every acknowledged commit is present
	dropLog bool         // the write-ahead log does not belong to the database and must be ignored
	ledger  *state       // newest commit in the ledger; nil if there is no ledger
	damaged int          // number of damaged lines in the ledger
	rows    *rowFindings // damaged and lost rows; nil for a database without checksums
	aside   string       // folder with copies of the files; "" if nothing was copied
	version int64        // schema version of the tables; 0 if the database is new or older than table store
}

// view is the content of the only row of table store. The content depends on whether the file is read with or without its
// write-ahead log.
type view struct {
	state
	checkpointed int64 // newest commit that the file contains without its write-ahead log
	inUse        bool  // a server has opened the database and not closed it
	version      int64 // schema version; only readView sets it
}

// check examines the database, its write-ahead log and its ledger. It changes nothing, so that the files can still be
// repaired. An error means that the files cannot be used.
func check(ctx context.Context, path string) (f findings, err error) {
	if f.ledger, f.damaged, err = ledger.Read(path + ledgerSuffix); err != nil {
		return f, err
	}
	logSize, err := sizeOf(path + logSuffix)
	if err != nil {
		return f, err
	}
	fresh, err := checkHeader(path)
	switch {
	case err != nil:
		return f, err
	case fresh && f.ledger != nil:
		f.loss = &Loss{path: path, why: "the file is missing or empty", had: f.ledger}
		f.dropLog = logSize > 0
		return f, nil
	case fresh && logSize > 0: // an error, because SQLite would delete the log as stale
		return f, fmt.Errorf("%s: %w (the file is empty, but its write-ahead log %s is not): bring the file back, or move the log away to start with an empty database",
			path, store.ErrCorrupt, FileName+logSuffix)
	case fresh:
		return f, nil
	}
	// SQLite reads an immutable file without its log.
	withoutLog, err := connect(path, url.Values{"mode": {"ro"}, "immutable": {"1"}}, busyTimeout)
	if err != nil {
		return f, withAdvice(path, err)
	}
	defer func() { err = errors.Join(err, withoutLog.Close()) }()
	alone, err := readView(ctx, withoutLog)
	used, db := alone, withoutLog
	if logSize > 0 {
		withLog, connectErr := connect(path, url.Values{"mode": {"ro"}}, busyTimeout)
		if connectErr != nil {
			return f, withAdvice(path, connectErr)
		}
		defer func() { err = errors.Join(err, withLog.Close()) }()
		whole, wholeErr := readView(ctx, withLog)
		f.dropLog = err == nil && (wholeErr != nil && isUnusable(wholeErr) || wholeErr == nil && !fits(whole, alone))
		if !f.dropLog {
			used, err = whole, wholeErr // read the file with its log; after an interrupted checkpoint the file alone may be unreadable
			db = withLog
		}
	}
	if err == nil && used != nil {
		if f.version = used.version; f.version >= sumVersion {
			f.rows, err = checkRows(ctx, db)
		}
	}
	if err != nil {
		return f, withAdvice(path, err)
	}
	f.loss = findLoss(path, used, &f, logSize)
	if f.loss == nil && f.rows != nil && f.rows.isLoss() {
		f.loss = &Loss{path: path, why: f.rows.describeLoss(), had: &used.state, rows: f.rows}
	}
	return f, nil
}

// fits reports whether the write-ahead log belongs to the database file. The argument whole is the content of table store
// read from the file with its log, and alone the content read from the file without the log. Each is nil for a database of
// an older version, which lacks the table.
func fits(whole, alone *view) bool {
	switch {
	case alone == nil:
		return true // the log may contain the migration that creates table store
	case whole == nil:
		return false
	}
	return whole.ID == alone.ID && whole.Generation >= alone.Generation && whole.checkpointed <= alone.Generation
}

// findLoss compares the database with its ledger and returns what is missing. It returns nil if the database has every commit
// that was confirmed to its caller.
func findLoss(path string, v *view, f *findings, logSize int64) *Loss {
	l := &Loss{path: path, had: f.ledger}
	if v != nil {
		l.has = &v.state
	}
	switch {
	case f.ledger == nil && (v == nil || !v.inUse):
		return nil
	case f.ledger == nil && f.dropLog:
		l.why = "its log " + FileName + logSuffix + " is damaged or of another database, and its ledger " + FileName + ledgerSuffix + " is missing"
	case f.ledger == nil && logSize == 0:
		l.why = "it was copied alone or its log " + FileName + logSuffix + " was removed"
	case f.ledger == nil:
		l.why = "its ledger " + FileName + ledgerSuffix + " is missing, so that its log cannot be checked"
	case v != nil && v.ID != f.ledger.ID:
		l.why = "the ledger " + FileName + ledgerSuffix + " is of another database"
	case v != nil && v.Generation >= f.ledger.Generation:
		return nil
	case f.dropLog:
		l.why = "its log " + FileName + logSuffix + " is damaged or of another database"
	case logSize > 0:
		l.why = "its log " + FileName + logSuffix + " is damaged or cut off"
	case v != nil && v.inUse:
		l.why = "its log " + FileName + logSuffix + " is missing"
	default:
		l.why = "it is an older copy"
	}
	return l
}

// isUnusable reports whether an error is caused by the content of the files, not by the disk or another program.
func isUnusable(err error) bool {
	return errors.Is(err, store.ErrCorrupt) || errors.Is(err, ErrForeign) || errors.Is(err, ErrNewer)
}

// withAdvice adds to an error of Open the name of the file and what the operator can do.
func withAdvice(path string, err error) error {
	switch err = (lineError{startError(err)}); {
	case errors.Is(err, store.ErrCorrupt):
		return fmt.Errorf("%s: %w: move it away together with %s and restore a backup, or start with an empty directory",
			path, err, FileName+logSuffix)
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

// checkHeader reads the header of the database file. The result fresh is true if the file is missing or empty. The error
// wraps ErrForeign if the file is not an SQLite database.
func checkHeader(path string) (fresh bool, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("read the database file: %w", err)
	}
	defer f.Close()
	head := make([]byte, len(magic)+headRest)
	switch n, err := io.ReadFull(f, head); {
	case n == 0 && errors.Is(err, io.EOF):
		return true, nil
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return false, fmt.Errorf("read the database file: %w", err)
	}
	if string(head[:len(magic)]) != magic {
		return false, foreign(path)
	}
	if write, read := head[18], head[19]; max(write, read) > 2 { // SQLite would open the file read-only, or not at all
		return false, withAdvice(path, fmt.Errorf("the SQLite format version is %d for writing and %d for reading, but versions above 2 are unknown: %w", write, read, store.ErrCorrupt))
	}
	return false, nil
}

// sizeOf returns the size of a file in bytes, 0 if it does not exist.
func sizeOf(path string) (int64, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the database file: %w", err)
	}
	return info.Size(), nil
}

// readView reads every page of the database and returns the content of table store. It returns nil for a database of an
// older version, which lacks the table.
func readView(ctx context.Context, db *sql.DB) (*view, error) {
	if err := quickCheck(ctx, db); err != nil {
		return nil, err
	}
	version, err := checkSchema(ctx, db)
	if err != nil || version < stateVersion {
		return nil, err
	}
	v, err := readState(ctx, db)
	if err == nil {
		v.version = version
	}
	return v, err
}

// rower is the method to query one row. A database, a connection and a transaction have it.
type rower interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

const stateColumns = `id, generation, committed_ms, accounts, characters, checkpointed, in_use`

func readState(ctx context.Context, db rower) (*view, error) {
	return scanState(db.QueryRowContext(ctx, `SELECT `+stateColumns+` FROM store`))
}

func scanState(row *sql.Row) (*view, error) {
	var v view
	err := row.Scan(&v.ID, &v.Generation, &v.CommittedMS, &v.Accounts, &v.Characters, &v.checkpointed, &v.inUse)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("the table has no row, but must have one: %w", store.ErrCorrupt)
	}
	if err != nil {
		return nil, fmt.Errorf("read the table \"store\" of the database: %w", scanError(err))
	}
	return &v, nil
}

// quickCheck reads every page of the database and returns store.ErrCorrupt if a page is damaged. Rows with invalid
// values do not cause an error.
func quickCheck(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, "PRAGMA quick_check(1000)")
	if err != nil {
		return wrapCorrupt(err)
	}
	defer rows.Close()
	for rows.Next() {
		var verdict string
		if err := rows.Scan(&verdict); err != nil {
			return wrapCorrupt(err)
		}
		verdict = strings.TrimPrefix(verdict, "*** in database main ***\n")
		if verdict != "ok" && !isRowVerdict(verdict) {
			return fmt.Errorf("%w (%s)", store.ErrCorrupt, strings.ReplaceAll(verdict, "\n", ", "))
		}
	}
	return wrapCorrupt(rows.Err())
}

// isRowVerdict reports whether a message of SQLite's quick_check is about the values of a row. Such rows are repaired or
// removed later (rows.go). All other messages are about the structure of the database.
func isRowVerdict(verdict string) bool {
	for _, prefix := range []string{"CHECK constraint failed in ", "NULL value in ", "non-TEXT value in ", "non-INTEGER value in "} {
		if strings.HasPrefix(verdict, prefix) {
			return true
		}
	}
	return false
}

// checkSchema returns the schema version of the tables, 0 if there are none. It rejects tables of other programs and of
// newer versions.
func checkSchema(ctx context.Context, db *sql.DB) (int64, error) {
	foreign, versioned, err := sqlitefile.Inspect(ctx, db, applicationID)
	if err != nil {
		return 0, wrapCorrupt(err)
	}
	if foreign {
		return 0, ErrForeign
	}
	if !versioned {
		return 0, nil // no tables yet: the process that created the file ended too early
	}
	version, err := readVersion(ctx, db)
	if err != nil {
		return 0, err
	}
	return version, checkDefinitions(ctx, db, version)
}
