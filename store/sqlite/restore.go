package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/truestep-io/truestep/internal/fsync"
	"github.com/truestep-io/truestep/store"
)

// TapeFolder is the name of the folder in a data directory that contains the tape: the log of ticks from which a server
// restores its areas after a crash. A tape only fits the database beside it, so Restore moves the tape to another
// folder.
const TapeFolder = "tape"

// Restore replaces the database and the other files of the data directory dir by those of a backup. No server may be
// using dir. If dir has a database, or other files that differ from the backup, the error is ErrExists, unless the
// parameter replace is true. Replaced files are moved to a new folder; the result aside is its path. The tape of the
// backup is written to another new folder, see RestoredTapeFolder. After an error dir either has the old database, or
// the next start of a server reports what is missing.
//
// If the function into is not nil, the accounts and characters are not written to dir. Instead Restore calls into,
// which reads them and stores them elsewhere. If into fails, the files in dir are unchanged.
func Restore(ctx context.Context, file, dir string, replace bool, into func(store.Reader) error) (sum *Summary, aside string, err error) {
	if sum, err = Verify(ctx, file); err != nil {
		return nil, "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, "", fmt.Errorf("create the data directory: %w", err)
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	path := filepath.Join(dir, FileName)
	for _, suffix := range []string{"", logSuffix, ledgerSuffix} {
		if _, err := os.Lstat(path + suffix); err != nil || into != nil {
			continue
		} else if !replace {
			return nil, "", fmt.Errorf("%s: %w", path+suffix, ErrExists)
		}
		if aside == "" {
			if aside, err = setAside(path, time.Now()); err != nil {
				return nil, "", err
			}
		}
	}
	tapeOfBackup, others := splitTape(sum.Files)
	differ, exists, err := checkExisting(dir, others, replace)
	tape := filepath.Join(dir, TapeFolder)
	_, noTape := os.Lstat(tape)
	if err == nil && (exists || noTape == nil) && aside == "" {
		aside, err = makeAside(dir, time.Now())
	}
	if err == nil && noTape == nil {
		err = os.Rename(tape, filepath.Join(aside, TapeFolder))
	}
	if err != nil {
		return nil, "", err
	}
	// The copy is complete before the old database is changed.
	part := path + ".part"
	if sum.Tape, err = extract(ctx, file, part, dir, sum, differ, tapeOfBackup); err == nil {
		if into == nil {
			err = replaceDatabase(path, part)
		} else if err = giveDatabase(ctx, dir, part, into); err != nil && noTape == nil {
			err = errors.Join(err, os.Rename(filepath.Join(aside, TapeFolder), tape), os.Remove(aside))
		}
	}
	if err == nil {
		err = placeFiles(dir, aside, differ)
	}
	if err != nil {
		return nil, "", fmt.Errorf("restore: %w", errors.Join(err, removeDatabase(part), removeExtracted(dir, differ)))
	}
	return sum, aside, fsync.Dir(dir)
}

// extract copies a backup to the temporary file named part. From there it extracts the files other than the database to
// dir, see extractFiles.
func extract(ctx context.Context, file, part, dir string, sum *Summary, differ, tapeOfBackup []BackupFile) (tape string, err error) {
	if err := removeDatabase(part); err != nil {
		return "", err
	}
	if err := copyFile(part, file); err != nil {
		return "", err
	}
	if _, copied, err := digest(part); err != nil || copied != sum.SHA256 {
		return "", fmt.Errorf("%s differs from its source %s: %w", part, file, errors.Join(err, store.ErrCorrupt))
	}
	if len(sum.Files) == 0 {
		return "", nil
	}
	return extractFiles(ctx, part, dir, differ, tapeOfBackup)
}

// replaceDatabase replaces the database by the restored one. It removes the old ledger last, so that the next start
// detects an interrupted restore.
func replaceDatabase(path, part string) error {
	if err := removeLog(path); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	if err := fsync.Dir(filepath.Dir(path)); err != nil {
		return err
	}
	return removeIfThere(path + ledgerSuffix)
}

// giveDatabase moves the restored database to a temporary folder, opens it there, and passes it to the function into.
func giveDatabase(ctx context.Context, dir, part string, into func(store.Reader) error) (err error) {
	tmp, err := os.MkdirTemp(dir, ".restore-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	if err := os.Rename(part, filepath.Join(tmp, FileName)); err != nil {
		return err
	}
	s, err := Open(ctx, tmp)
	if err != nil {
		return err
	}
	return errors.Join(into(s), s.Close())
}

// removeExtracted removes the files that a restore has extracted from a backup but not renamed to their final names.
func removeExtracted(dir string, files []BackupFile) (err error) {
	for _, f := range files {
		err = errors.Join(err, removeIfThere(filepath.Join(dir, f.Name)+newSuffix))
	}
	return err
}

// Remove removes the database of a data directory with its log and its ledger. It is for a database that was created
// and never used.
func Remove(dir string) error {
	path := filepath.Join(dir, FileName)
	return errors.Join(removeDatabase(path), removeIfThere(path+ledgerSuffix))
}
