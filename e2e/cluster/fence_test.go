//go:build linux

package main

import (
	"strings"
	"testing"
)

// fencingsTest is what nodes say after a fault, and a part of the error, "" for none. Before the fault they said fencingsBefore.
type fencingsTest struct {
	f    *fault
	now  []fencings
	want string
}

var fencingsBefore = []fencings{{}, {2, 2}, {1, 1}}

func (c *fencingsTest) run(t *testing.T, further bool) {
	t.Helper()
	errs := compareFencings(c.f, fencingsBefore, c.now, further)
	if c.want == "" && len(errs) > 0 || c.want != "" && (len(errs) != 1 || !strings.Contains(errs[0].Error(), c.want)) {
		t.Errorf("%s, %v: %v, want %q", c.f.kind, c.now, errs, c.want)
	}
}

func TestNodesThatWereDeclaredDeadMustSayItOnceAndOthersNot(t *testing.T) {
	for _, c := range []fencingsTest{
		{freezeNode(1), []fencings{{}, {3, 3}, {1, 1}}, ""},
		{freezeNode(1), []fencings{{}, {2, 3}, {1, 1}}, "node b says in 2 lines"},
		{freezeNode(1), []fencings{{}, {3, 2}, {1, 1}}, "total = 2 that"},
		{freezeNode(1), []fencings{{}, {3, 4}, {1, 1}}, "total = 4 that"},
		{freezeNode(1), []fencings{{1, 1}, {3, 3}, {1, 1}}, "node a says in 1 lines"},
		{killNode(1), []fencings{{}, {}, {1, 1}}, ""},
		{killNode(1), []fencings{{}, {1, 1}, {1, 1}}, "node b says in 1 lines"},
		{faults["cut-a-b"], fencingsBefore, ""},
	} {
		c.run(t, false)
	}
}

func TestInShortFormNodesMayBeDeclaredDeadFurtherTimes(t *testing.T) {
	for _, c := range []fencingsTest{
		{freezeNode(1), []fencings{{}, {3, 3}, {1, 1}}, ""},
		{freezeNode(1), []fencings{{1, 1}, {4, 4}, {1, 1}}, ""},
		{freezeNode(1), []fencings{{}, {2, 2}, {1, 1}}, "node b says in 2 lines and in truestep_cluster_fenced_total = 2 that it was declared dead, want at least 3 and 3"},
		{freezeNode(1), []fencings{{}, {4, 3}, {1, 1}}, "node b says in 4 lines"},
		{freezeNode(1), []fencings{{0, 1}, {3, 3}, {1, 1}}, "total = 1 that"},
		{freezeNode(1), []fencings{{}, {3, 3}, {}}, "node c says in 0 lines"},
		{killNode(1), []fencings{{}, {1, 1}, {1, 1}}, ""},
		{killNode(1), []fencings{{}, {0, 1}, {1, 1}}, "node b says in 0 lines"},
	} {
		c.run(t, true)
	}
}
