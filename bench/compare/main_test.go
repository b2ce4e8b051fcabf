package main

import (
	"maps"
	"testing"
)

func TestTimesAreReadFromOutputOfTestProgram(t *testing.T) {
	got := times("goos: linux\nBenchmarkStep/players=2000-2   \t      79\t  30811475 ns/op\t  1522 bytes/viewer\nBenchmarkMelee-16 \t 1000000 \t 14.2 ns/op\n" +
		"BenchmarkNoTime-2 \t 5\nPASS\n")
	want := map[string]float64{"BenchmarkStep/players=2000": 30811475, "BenchmarkMelee": 14.2}
	if !maps.Equal(got, want) {
		t.Errorf("times are %v, want %v", got, want)
	}
}

func TestSummaryCountsRatiosWithinFivePercent(t *testing.T) {
	got := summary([]float64{1.2, 0.95, 1.05, 0.94, 1})
	if want := "5 benchmarks: 3 within 5 %, 1 faster, 1 slower; median ratio 1.000"; got != want {
		t.Errorf("summary is %q, want %q", got, want)
	}
	if got := summary(nil); got != "no benchmark is on both sides" {
		t.Errorf("summary of nothing is %q", got)
	}
}
