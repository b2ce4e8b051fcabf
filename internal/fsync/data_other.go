//go:build !linux

package fsync

import "os"

// Data makes the content and the length of a file durable.
func Data(f *os.File) error { return f.Sync() }
