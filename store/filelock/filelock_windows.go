package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByte is the offset of the locked byte. It is far beyond the content of lock files, because a Windows lock
// forbids reading the locked range, and other processes must be able to read the content.
const lockedByte = 1 << 30

// Try tries to acquire the lock of f without waiting. The result held is false if another open file holds the lock.
// Errors are those of the operating system.
func Try(f *os.File) (held bool, err error) {
	at := windows.Overlapped{Offset: lockedByte}
	err = windows.LockFileEx(windows.Handle(f.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}
