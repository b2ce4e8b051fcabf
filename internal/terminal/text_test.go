package terminal

import (
	"bytes"
	"slices"
	"testing"
)

func TestTextIsWrappedBetweenWordsOnly(t *testing.T) {
	for text, want := range map[string][]string{
		"":                        {""},
		"one":                     {"one"},
		"p50 1 ms  p99 2 ms  max": {"p50 1 ms", "p99 2 ms", "max"},
		"a  b   c":                {"a  b   c"},
		"longer-than-ten a b":     {"longer-than-ten", "a b"},
		"ünf zeichen":             {"ünf", "zeichen"},
	} {
		if got := Wrap(text, 10); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTextIsWrappedBetweenClausesUnlessClauseExceedsLine(t *testing.T) {
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

func TestSheetPrintsTextsInAlignedColumnBesideLabels(t *testing.T) {
	var s Sheet
	s.Row("clients", "%d asked", 3)
	s.Row("seen by rcce", "%d places compared in 28,710 looks, 23.8 actors each; left out: 12 looks of newcomers", 683562)
	s.Row("", "rounding: none")
	var out bytes.Buffer
	want := `mixed swarm
  clients       3 asked
  seen by rcce  683562 places compared in 28,710 looks, 23.8 actors each;
                left out: 12 looks of newcomers
                rounding: none
`
	if err := s.Print(&out, "mixed swarm"); err != nil || out.String() != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, &out, want)
	}
}
