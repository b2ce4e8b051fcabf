package fsync

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Data makes the content and the length of a file durable, but not its modification time (fdatasync).
func Data(f *os.File) error {
	for {
		if err := unix.Fdatasync(int(f.Fd())); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
