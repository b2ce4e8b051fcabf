//go:build !unix

package server

// maxOpenFiles reports that the system has no limit of open files that matters.
func maxOpenFiles() (limit int, ok bool) { return 0, false }
