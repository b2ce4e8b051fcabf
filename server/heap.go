package server

import (
	"math"
	"os"
	"runtime/debug"
)

// heapFloor is the size of the block that RaiseMinimumHeap allocates, in bytes. With the default of GOGC the first collection comes
// at twice this size.   measured: docs/benchmarks/login.md
const heapFloor = 64 << 20

// heapBlock is never read or written, so it uses address space and no memory.
var heapBlock []byte

// RaiseMinimumHeap makes the garbage collector of the process collect less often while the heap is small: an empty server has
// a heap of 3 MB, which 1,000 players who log in at once double five times within seconds, with one collection each. An
// operator who has set GOGC, or a memory limit (GOMEMLIMIT), has chosen when to collect, and nothing is changed. Programs that
// embed a server decide themselves; truestep serve calls it.
func RaiseMinimumHeap() {
	if os.Getenv("GOGC") == "" && debug.SetMemoryLimit(-1) == math.MaxInt64 && heapBlock == nil {
		heapBlock = make([]byte, heapFloor)
	}
}
