//go:build !unix

package swarm

import "time"

// processCPU returns 0, because the processor time is not available on this system.
func processCPU() time.Duration { return 0 }
