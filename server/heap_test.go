package server

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

// heapGoal returns the size of the heap at which the next collection begins, in bytes.
func heapGoal() uint64 {
	debug.FreeOSMemory() // collects
	s := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func TestMinimumHeapIsRaisedUnlessOperatorConfiguresGarbageCollector(t *testing.T) {
	defer func(old []byte) { heapBlock = old }(heapBlock)
	heapBlock = nil
	t.Setenv("GOGC", "100")
	RaiseMinimumHeap()
	if heapBlock != nil {
		t.Error("the minimum heap is raised although GOGC is set")
	}
	t.Setenv("GOGC", "")
	debug.SetMemoryLimit(1 << 30)
	RaiseMinimumHeap()
	debug.SetMemoryLimit(math.MaxInt64)
	if heapBlock != nil {
		t.Error("the minimum heap is raised although there is a memory limit")
	}
	RaiseMinimumHeap()
	if heapBlock == nil {
		t.Fatal("the minimum heap is not raised with the default settings")
	}
	// Memory that other tests left on the heap raises the goal, so the goal is compared with its minimum and not with an earlier
	// measurement.
	if goal := heapGoal(); goal < 2*heapFloor {
		t.Errorf("the next collection begins at %d bytes, want at least %d", goal, 2*heapFloor)
	}
}
