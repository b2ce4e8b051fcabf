//go:build linux

package main

import (
	"maps"
	"slices"
	"testing"
)

func TestRoundHasEveryFaultAndNoNodeFailsTwiceInARow(t *testing.T) {
	names := slices.Sorted(slices.Values(append(slices.Clone(roundFaults), "kill"))) // kill is kill-a, kill-b and kill-c in turn
	if !slices.Equal(names, slices.Sorted(maps.Keys(faults))) {
		t.Errorf("a round and kill have the faults %q, want each once", names)
	}
	before := []int{nodeCount - 1} // the last node that upgrade stops
	for _, name := range roundFaults {
		f := faults[name]
		if len(f.nodes) == 0 {
			continue
		}
		if len(f.nodes) == nodeCount { // afterwards clients return to their nodes
			before = nil
			continue
		}
		if slices.ContainsFunc(f.nodes, func(n int) bool { return slices.Contains(before, n) }) {
			t.Errorf("%s is a fault of the same node as the fault of a node before it", name)
		}
		before = f.nodes
	}
	if n := len(roundFaults); roundFaults[n-1] != beginFault || roundFaults[n-2] != "upgrade" {
		t.Error("upgrade is not the last fault of a round, or the loss of all logs is not the last fault of all")
	}
}
