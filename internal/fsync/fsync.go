// Package fsync makes files and the names in folders durable: after a call returns, they survive a loss of power.
//
// It starts no goroutines.
package fsync

import (
	"errors"
	"os"
	"runtime"
)

// WriteFile creates or replaces a file, readable by its owner only, and syncs it. The name of a new file is durable after a sync
// of its folder: see Dir.
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

// Dir makes the names in a folder durable. Windows has no such call: NTFS journals names by itself.
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
