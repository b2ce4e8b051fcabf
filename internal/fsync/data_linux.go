package fsync

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Data makes the content of a file and its length durable, but not its modification time (fdatasync).
func Data(f *os.File) error {
	for {
		if err := unix.Fdatasync(int(f.Fd())); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
