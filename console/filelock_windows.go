package console

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes the lock of an open file without waiting. The system gives it free when the file is closed.
func lockFile(f *os.File) (held bool, err error) {
	err = windows.LockFileEx(windows.Handle(f.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

// writableByAll is not told by modes here: rights are in lists that Go does not show.
func writableByAll(os.FileMode) bool { return false }
