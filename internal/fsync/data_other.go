//go:build !linux

package fsync

import "os"

// Data makes the content of a file and its length durable.
func Data(f *os.File) error { return f.Sync() }
