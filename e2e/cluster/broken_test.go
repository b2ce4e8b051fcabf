//go:build linux

package main

import (
	"testing"

	"github.com/truestep-io/truestep/bench/mutations/overlay"
)

// A change of the code that a flaw quotes must change the flaw as well.
func TestEditsForEveryPlantedBugApplyToCode(t *testing.T) {
	for i := range flaws {
		if _, err := overlay.Write("../..", t.TempDir(), flaws[i].edits); err != nil {
			t.Errorf("flaw %q: %v", flaws[i].name, err)
		}
	}
}
