package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// RestoredTapeFolder is the start of the name of the folder to which Restore writes the tape of a backup; the time of the restore follows. The
// tape is for looking at the past. It is not the folder from which a server continues after a kill, because the database of the backup and
// its tape are not of the same moment.
const RestoredTapeFolder = "tape-of-backup-"

// tapeFile is the name in a backup of a file of a segment of the tape; docs/tape.md lists the names.
var tapeFile = regexp.MustCompile(`^` + TapeFolder + `/[0-9]{3}-[a-z0-9_]{0,32}/[0-9]{10}\.(tape|wal|snap)$`)

// tapeFiles returns the files of the tape in a data directory, as names relative to it with slashes.
func tapeFiles(dir string) (files []string, err error) {
	areas, err := os.ReadDir(filepath.Join(dir, TapeFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, area := range areas {
		if !area.IsDir() {
			continue
		}
		segments, err := os.ReadDir(filepath.Join(dir, TapeFolder, area.Name()))
		if err != nil {
			return nil, err
		}
		for _, s := range segments {
			if name := path.Join(TapeFolder, area.Name(), s.Name()); tapeFile.MatchString(name) {
				files = append(files, name)
			}
		}
	}
	return files, nil
}

// tapeRounds is how often the folder of a tape is listed. A server compresses a segment about every half minute, and then its raw file may be
// gone before it is copied; the compressed one is in the next list.
const tapeRounds = 3

// copyTape calls add for each file of the tape, including those that appear meanwhile. A file that is gone is left out.
func copyTape(dir string, add func(name string) error) error {
	done := map[string]bool{}
	for range tapeRounds {
		files, err := tapeFiles(dir)
		if err != nil {
			return err
		}
		missing := false
		for _, name := range files {
			if done[name] {
				continue
			}
			err := add(name)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				missing = true
			case err != nil:
				return err
			default:
				done[name] = true
			}
		}
		if !missing {
			return nil
		}
	}
	return nil
}

// splitTape separates the files of a tape from the other files of a backup.
func splitTape(files []BackupFile) (tape, others []BackupFile) {
	for _, f := range files {
		if strings.HasPrefix(f.Name, TapeFolder+"/") {
			tape = append(tape, f)
		} else {
			others = append(others, f)
		}
	}
	return tape, others
}

// restoredTape returns the path of a new folder for the tape of a backup.
func restoredTape(dir string, now time.Time) string {
	return filepath.Join(dir, RestoredTapeFolder+now.UTC().Format("20060102-150405.000"))
}
