//go:build linux

package main

import (
	"testing"

	"github.com/truestep-io/truestep/bench/mutations/overlay"
)

// The edits of a flaw quote code of the program. If that code changes, the edits must be adapted.
func TestEditsForEveryPlantedBugApplyToCode(t *testing.T) {
	for i := range flaws {
		if _, err := overlay.Write("../..", t.TempDir(), flaws[i].edits); err != nil {
			t.Errorf("flaw %q: %v", flaws[i].name, err)
		}
	}
}
