//go:build linux

package main

import (
	"strings"
	"testing"
)

func TestPlayersMustHaveWhatTheyHeldAndHadDropped(t *testing.T) {
	b := belongings{held: map[string]int{"Ada": 100, "Bob": 50}, dropped: map[string]int{"Bob": 7}, stacks: 1}
	partly := b
	partly.unknown = []int{3}
	none := belongings{held: map[string]int{"Ada": 100}}
	for _, c := range []struct {
		what     string
		b        belongings
		ada, bob int
		want     string
	}{
		{"all is there", b, 100, 57, ""},
		{"what was dropped is lost", b, 100, 50, "Bob came back with 50 items, want the 50 that it had, the 7"},
		{"what was dropped is with another player", b, 107, 50, "Ada came back with 107"},
		{"what was held is lost", b, 99, 57, "Ada came back with 99"},
		{"a stack of an unknown player", partly, 103, 57, ""},
		{"more than that stack", partly, 104, 57, "Ada came back with 104"},
		{"nothing on the ground", none, 100, 0, "no stack"},
	} {
		errs := c.b.compare(map[string]int{"Ada": c.ada, "Bob": c.bob})
		if c.want == "" && len(errs) > 0 || c.want != "" && (len(errs) == 0 || !strings.Contains(errs[0].Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.what, errs, c.want)
		}
	}
}
