package ledger

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncData syncs the content of a file whose length has not changed, but not its modification time (fdatasync).
func syncData(f *os.File) error {
	for {
		if err := unix.Fdatasync(int(f.Fd())); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
