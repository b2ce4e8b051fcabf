package sqlite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/internal/fileowner"
	"github.com/truestep-io/truestep/store/filelock"
)

// ErrInUse means that another process has opened the data directory.
var ErrInUse = errors.New("the data directory is in use by another server")

// lockName is the name of the file whose lock protects the data directory. The file is never removed: otherwise one
// process could lock the removed file while another creates and locks a new one.
const lockName = "truestep.lock"

// dirLock is a lock of a data directory. The operating system releases it when the process ends for any reason.
type dirLock struct {
	f   *os.File
	dir string
}

// lockDir locks the data directory for this process. Errors: ErrInUse, with the ID of the process that holds the lock.
func lockDir(dir string) (*dirLock, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock file of the data directory: %w", err)
	}
	held, err := filelock.Try(f)
	if err == nil && held {
		err = writePID(f)
	}
	switch {
	case err != nil:
		return nil, errors.Join(fmt.Errorf("lock %s: %w", f.Name(), err), f.Close())
	case !held:
		err := fmt.Errorf("%s: %w%s: stop that process or choose another directory",
			dir, ErrInUse, readPID(f))
		return nil, errors.Join(err, f.Close())
	}
	return &dirLock{f, dir}, nil
}

// LockDir locks a data directory for a server whose database is elsewhere, so that no other server can use the directory until
// the returned lock is closed. It creates a missing directory. Errors: ErrInUse, with the ID of the process that holds the lock.
func LockDir(dir string) (io.Closer, error) {
	if err := makeDir(dir); err != nil {
		return nil, fmt.Errorf("create the data directory: %w", err)
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	return lock, nil
}

// Close releases the lock. If this process has created files as root in a directory of another user, Close first makes that user
// their owner, so that the user can run a server with them.
func (l *dirLock) Close() error {
	err := fileowner.Adopt(l.dir, ".")
	if err != nil {
		err = fmt.Errorf("change the owner of the files in %s to the owner of the directory: %w", l.dir, err)
	}
	return errors.Join(err, l.f.Close())
}

// writePID writes the process ID into the lock file. A process that cannot acquire the lock names this process in its error.
func writePID(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

// readPID returns " (process N)" for the process that holds the lock, or "" if the ID cannot be read.
func readPID(f *os.File) string {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, 32))
	if err != nil {
		return ""
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (process %d)", pid)
}
