//go:build unix

package server

import "golang.org/x/sys/unix"

// maxOpenFiles raises the limit of open files (RLIMIT_NOFILE) as far as the process may, and returns it.
func maxOpenFiles() (limit int, ok bool) {
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l); err != nil {
		return 0, false
	}
	if l.Cur < l.Max {
		raised := l
		raised.Cur = l.Max
		if unix.Setrlimit(unix.RLIMIT_NOFILE, &raised) == nil {
			l = raised
		}
	}
	return int(min(l.Cur, 1<<20)), true
}
