package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
// backup is written to another new folder, see RestoredTapeFolder. After an error dir either has the old database with
// its tape, or the next start of a server reports what is missing; the error names the folder of files that stay set aside.
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
	hasDatabase := false
	for _, suffix := range []string{"", logSuffix, ledgerSuffix} {
		if _, err := os.Lstat(path + suffix); err != nil || into != nil {
			continue
		} else if !replace {
			return nil, "", fmt.Errorf("%s: %w", path+suffix, ErrExists)
		}
		hasDatabase = true
	}
	tapeOfBackup, others := splitTape(sum.Files)
	differ, exists, err := checkExisting(ctx, dir, others, replace)
	if err != nil {
		return nil, "", err
	}
	// The copy is complete before the old files are moved or changed.
	part, replaced := path+".part", false
	if sum.Tape, err = extract(ctx, file, part, dir, sum, differ, tapeOfBackup); err == nil {
		aside, err = setFilesAside(dir, hasDatabase, exists)
	}
	if err == nil && into == nil {
		replaced, err = replaceDatabase(path, part)
	} else if err == nil {
		err = giveDatabase(ctx, dir, part, into)
		replaced = err == nil
	}
	if err == nil {
		err = placeFiles(dir, aside, differ)
	}
	if err != nil {
		err = errors.Join(err, removeDatabase(part), removeExtracted(dir, differ))
		if !replaced {
			err = errors.Join(err, takeTapeBack(dir, aside, sum.Tape))
		}
		if aside != "" {
			if left := os.Remove(aside); left != nil && !errors.Is(left, fs.ErrNotExist) { // Remove fails if files are left in the folder
				err = fmt.Errorf("%w; the restore has put the previous files into %s", err, aside)
			}
		}
		return nil, "", fmt.Errorf("restore: %w", err)
	}
	return sum, aside, fsync.Dir(dir)
}

// setFilesAside prepares a new folder for the files that a restore replaces, and returns its path, or "" if there are none. If the
// parameter hasDatabase is true, it copies the database to this folder. It moves the tape there. The function placeFiles later moves
// other files there (the parameter others).
func setFilesAside(dir string, hasDatabase, others bool) (aside string, err error) {
	tape := filepath.Join(dir, TapeFolder)
	_, noTape := os.Lstat(tape)
	if hasDatabase {
		aside, err = setAside(filepath.Join(dir, FileName), time.Now())
	} else if others || noTape == nil {
		aside, err = makeAside(dir, time.Now())
	}
	if err == nil && noTape == nil {
		err = os.Rename(tape, filepath.Join(aside, TapeFolder))
	}
	return aside, err
}

// takeTapeBack undoes what a failed restore has done with tapes, while the data directory still has the old database: it moves
// the tape back from the folder aside, and removes the tape of the backup from the folder extracted. Either may be "".
func takeTapeBack(dir, aside, extracted string) (err error) {
	if aside != "" {
		if err = os.Rename(filepath.Join(aside, TapeFolder), filepath.Join(dir, TapeFolder)); errors.Is(err, fs.ErrNotExist) {
			err = nil // there was no tape
		}
	}
	if extracted != "" {
		err = errors.Join(err, os.RemoveAll(extracted))
	}
	return err
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
	if _, copied, err := digest(ctx, part); err != nil {
		return "", err
	} else if copied != sum.SHA256 {
		return "", fmt.Errorf("%s differs from its source %s: %w", part, file, store.ErrCorrupt)
	}
	if len(sum.Files) == 0 {
		return "", nil
	}
	return extractFiles(ctx, part, dir, differ, tapeOfBackup)
}

// replaceDatabase replaces the database by the restored one. It removes the old ledger last, so that the next start
// detects an interrupted restore. After an error the result replaced tells whether the database is the restored one.
func replaceDatabase(path, part string) (replaced bool, err error) {
	if err := removeLog(path); err != nil {
		return false, err
	}
	if err := os.Rename(part, path); err != nil {
		return false, err
	}
	if err := fsync.Dir(filepath.Dir(path)); err != nil {
		return true, err
	}
	return true, removeIfThere(path + ledgerSuffix)
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
