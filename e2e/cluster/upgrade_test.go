//go:build linux

package main

import (
	"encoding/json"
	"testing"
)

func TestNodeNeedNotLeadAreaIfAllItsDefaultAreasWerePlacedElsewhere(t *testing.T) {
	for areas, want := range map[string][nodeCount]bool{
		`[{"placedBy":"default"},{"placedBy":"default"},{"placedBy":"default"}]`: {true, true, true},
		`[{"placedBy":"load"},{"placedBy":"default"},{"placedBy":"default"}]`:    {false, true, true},
		`[{"placedBy":"load"},{"placedBy":"operator"},{"placedBy":"default"}]`:   {false, false, true},
		`[{"placedBy":"load"},{"placedBy":"load"}]`:                              {true, true, true}, // incomplete
	} {
		var v clusterView
		if err := json.Unmarshal([]byte(`{"areas":`+areas+`}`), &v); err != nil {
			t.Fatal(err)
		}
		for number, want := range want {
			if got := v.mustLead(number, 3); got != want {
				t.Errorf("%s: must node %d lead an area: %v, want %v", areas, number, got, want)
			}
		}
	}
}
