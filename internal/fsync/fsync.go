// Package fsync makes files and the entries of folders durable: after a call has returned, they survive a loss of power.
//
// It starts no goroutines.
package fsync

import (
	"errors"
	"os"
	"runtime"
)

// WriteFile creates or replaces a file, readable by its owner only, and syncs its content. The name of a new file is durable only
// after Dir has synced its folder.
func WriteFile(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if _, err = f.Write(b); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Dir makes the entries of a folder durable: the names of created, renamed and removed files. On Windows it does nothing, because
// NTFS journals names by itself.
func Dir(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
