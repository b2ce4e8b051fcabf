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

// RestoredTapeFolder is the beginning of the name of the folder to which Restore writes the tape of a backup; the time
// of the restore follows. This tape only serves to look at the past. A server does not restore areas from it, because
// the backup's database and tape are not from the same moment.
const RestoredTapeFolder = "tape-of-backup-"

// tapeFile matches the name that a file of a tape segment has in a backup; docs/tape.md lists the file names.
var tapeFile = regexp.MustCompile(`^` + TapeFolder + `/[0-9]{3}-[a-z0-9_]{0,32}/[0-9]{10}\.(tape|wal|snap)$`)

// tapeFiles returns the files of the tape in a data directory, as slash-separated paths relative to that directory.
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

// tapeRounds is how many times copyTape lists the files of the tape, because one list may be outdated: about every half minute a
// running server compresses a segment and deletes the raw file, maybe before copyTape has copied it. The next list then contains
// the compressed file.
const tapeRounds = 3

// copyTape calls the function add for each file of the tape, including files that appear during the copy. It skips
// files that are deleted during the copy.
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

// splitTape separates the files of a backup into those of the tape and all others.
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

// restoredTape returns the path of a new folder for the tape of a backup that is restored at the time now.
func restoredTape(dir string, now time.Time) string {
	return filepath.Join(dir, RestoredTapeFolder+now.UTC().Format("20060102-150405.000"))
}
