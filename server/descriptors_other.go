//go:build !unix

package server

// maxOpenFiles returns ok=false, because on this system servers do not reach a limit of open files.
func maxOpenFiles() (limit int, ok bool) { return 0, false }
