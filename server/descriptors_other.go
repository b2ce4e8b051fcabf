//go:build !unix

package server

// maxOpenFiles returns false: this system has no limit of open files that servers reach.
func maxOpenFiles() (limit int, ok bool) { return 0, false }
