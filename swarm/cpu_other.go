//go:build !unix

package swarm

import "time"

// processCPU returns 0: the processor time of the process is read on Unix systems only.
func processCPU() time.Duration { return 0 }
