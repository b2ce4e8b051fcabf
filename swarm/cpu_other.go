//go:build !unix

package swarm

import "time"

// processCPU is not known here.
func processCPU() time.Duration { return 0 }
