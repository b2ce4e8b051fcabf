//go:build unix

package console

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes the lock of an open file without waiting. The system gives it free when the file is closed.
func lockFile(f *os.File) (held bool, err error) {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, err
		}
	}
}

// writableByAll tells whether everybody on the machine may write to the file.
func writableByAll(mode os.FileMode) bool { return mode.Perm()&0o002 != 0 }
