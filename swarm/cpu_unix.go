//go:build unix

package swarm

import (
	"syscall"
	"time"
)

// processCPU returns the processor time that this process has used, or 0 if the operating system does not report it.
func processCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
