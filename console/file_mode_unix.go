//go:build unix

package console

import "os"

// writableByAll reports whether every user of the machine may write to the file.
func writableByAll(mode os.FileMode) bool { return mode.Perm()&0o002 != 0 }
