package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestTextIsBrokenBetweenWordsOnly(t *testing.T) {
	for text, want := range map[string][]string{
		"":                        {""},
		"one":                     {"one"},
		"p50 1 ms  p99 2 ms  max": {"p50 1 ms", "p99 2 ms", "max"},
		"a  b   c":                {"a  b   c"},
		"longer-than-ten a b":     {"longer-than-ten", "a b"},
		"ünf zeichen":             {"ünf", "zeichen"},
	} {
		if got := wrapText(text, 10); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestClausesStayWhole(t *testing.T) {
	for text, want := range map[string][]string{
		"":                              {""},
		"6 in; p99 2 ms; 0 lost":        {"6 in;", "p99 2 ms;", "0 lost"},
		"6 in; gap  1 ms, way  2 ms; 0": {"6 in;", "gap  1 ms,", "way  2 ms;", "0"},
		"none of these is short; 1; 2":  {"none of", "these is", "short; 1;", "2"},
		"a; b":                          {"a; b"},
	} {
		if got := wrapClauses(text, 10, "; ", ", "); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTextsOfASheetStandBesideTheirLabels(t *testing.T) {
	var s sheet
	s.row("clients", "%d asked", 3)
	s.row("seen by rcce", "%d places compared in 28,710 looks, 23.8 actors each; left out: 12 looks of newcomers", 683562)
	s.row("", "rounding: none")
	var out bytes.Buffer
	want := `mixed swarm
  clients       3 asked
  seen by rcce  683562 places compared in 28,710 looks, 23.8 actors each;
                left out: 12 looks of newcomers
                rounding: none
`
	if err := s.print(&out, "mixed swarm"); err != nil || out.String() != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, &out, want)
	}
}

// unwrapped is what was printed, without the breaks between its lines.
func unwrapped(out fmt.Stringer) string { return strings.Join(strings.Fields(out.String()), " ") }
