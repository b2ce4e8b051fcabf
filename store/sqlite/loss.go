package sqlite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/truestep-io/truestep/internal/fsync"
	"github.com/truestep-io/truestep/store"
)

// ErrLoss means that acknowledged commits are missing in the database files.
var ErrLoss = errors.New("stored data is missing")

// Loss is the error of Open that describes which data is missing in a database. It wraps ErrLoss and store.ErrCorrupt.
type Loss struct {
	path string
	why  string       // what has happened to the database, as part of a sentence
	had  *state       // newest commit in the ledger; nil if unknown
	has  *state       // newest commit in the database; nil if it has none
	rows *rowFindings // damaged and lost rows, if all commits are present; nil if commits are missing
}

// Error returns one line with the file, the reason, the numbers of missing records and what the operator can do.
func (l *Loss) Error() string {
	return fmt.Sprintf("%s: %v: %s; %s: restore a backup with truestep restore FILE, or start once with --accept-loss, "+
		"which continues with what is left and keeps a copy of the damaged files", l.path, ErrLoss, l.why, l.Counts())
}

// Unwrap makes errors.Is find ErrLoss and store.ErrCorrupt.
func (l *Loss) Unwrap() []error { return []error{ErrLoss, store.ErrCorrupt} }

// Counts returns a text with the numbers of missing commits, and of the accounts and characters before and after the
// loss.
func (l *Loss) Counts() string {
	if l.rows != nil {
		return fmt.Sprintf("no commit is missing, but the disk has lost changes or has changed data; %d of %d accounts and %d of %d characters are left",
			l.rows.left[0], l.had.Accounts, l.rows.left[1], l.had.Characters)
	}
	has := l.has
	if has == nil {
		has = &state{}
	}
	switch {
	case l.had == nil:
		return fmt.Sprintf("%d accounts and %d characters of commit %d at %s are left; how many there were is not known",
			has.Accounts, has.Characters, has.Generation, has.At())
	case has.ID != "" && l.had.ID != has.ID:
		return fmt.Sprintf("this database has %d accounts and %d characters; the one that the ledger belongs to had %d and %d at %s",
			has.Accounts, has.Characters, l.had.Accounts, l.had.Characters, l.had.At())
	}
	missing := fmt.Sprintf("%d commits are missing, the last of %s", l.had.Generation-has.Generation, l.had.At())
	return fmt.Sprintf("%s; %d of %d accounts and %d of %d characters are left",
		missing, has.Accounts, l.had.Accounts, has.Characters, l.had.Characters)
}

// asidePrefix is the beginning of the name of a folder in the data directory for files that the server no longer uses. The time
// follows it. The files are moved or copied there.
const asidePrefix = "set-aside-"

// makeAside creates a folder in dir for files that are no longer used, and returns its path.
func makeAside(dir string, now time.Time) (string, error) {
	name := filepath.Join(dir, asidePrefix+now.UTC().Format("20060102-150405"))
	for i := 1; ; i++ {
		aside := name
		if i > 1 {
			aside = fmt.Sprintf("%s-%d", name, i)
		}
		if err := os.Mkdir(aside, 0o700); err == nil || !errors.Is(err, fs.ErrExist) {
			return aside, err
		}
	}
}

// setAside copies the database, its write-ahead log and its ledger to a new folder before they are repaired, and returns the path of
// the folder. After an error it also returns the path if the folder has some of the files.
func setAside(path string, now time.Time) (string, error) {
	aside, err := makeAside(filepath.Dir(path), now)
	if err != nil {
		return "", fmt.Errorf("copy the damaged files: %w", err)
	}
	for _, suffix := range []string{"", logSuffix, ledgerSuffix} {
		if err := copyFile(filepath.Join(aside, FileName+suffix), path+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return aside, fmt.Errorf("copy the damaged files: %w", err)
		}
	}
	return aside, fsync.Dir(aside)
}

// copyFile copies a file and syncs the copy. It fails if a file with the name of the copy (the parameter to) exists.
func copyFile(to, from string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(dst, src); err == nil {
		err = dst.Sync()
	}
	return errors.Join(err, dst.Close())
}

// removeLog removes a write-ahead log that does not belong to the database beside it.
func removeLog(path string) error {
	return errors.Join(removeIfThere(path+logSuffix), removeIfThere(path+"-shm"))
}
