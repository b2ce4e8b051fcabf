package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByte is far behind what stands in such files, which others must be able to read: locks of Windows forbid reading.
const lockedByte = 1 << 30

// Try takes the lock of f without waiting. held is false if somebody else has it. Errors are the host's.
func Try(f *os.File) (held bool, err error) {
	at := windows.Overlapped{Offset: lockedByte}
	err = windows.LockFileEx(windows.Handle(f.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}
