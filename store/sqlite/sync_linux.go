package sqlite

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncData syncs the content of a file whose length has not changed. The time of its change need not reach the disk.
func syncData(f *os.File) error {
	for {
		if err := unix.Fdatasync(int(f.Fd())); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
