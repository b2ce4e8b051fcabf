package server

import (
	"math"
	"os"
	"runtime/debug"
)

// heapFloor is the size of the block that RaiseMinimumHeap allocates, in bytes. With the default GOGC the first
// collection happens when the heap is twice as large.   measured: docs/benchmarks/login.md
const heapFloor = 64 << 20

// heapBlock is the block that RaiseMinimumHeap allocates so that the heap counts as larger. It is never read or written, so it
// uses only address space, no memory.
var heapBlock []byte

// RaiseMinimumHeap makes the garbage collector run less often while the heap is small. The heap of an empty server is 3 MB; 1,000
// players who log in at once double it five times within seconds, and each doubling starts a collection. RaiseMinimumHeap does
// nothing if the operator has set GOGC or a memory limit (GOMEMLIMIT). Only the command truestep serve calls it; programs that
// embed a server may.
func RaiseMinimumHeap() {
	if os.Getenv("GOGC") == "" && debug.SetMemoryLimit(-1) == math.MaxInt64 && heapBlock == nil {
		heapBlock = make([]byte, heapFloor)
	}
}
