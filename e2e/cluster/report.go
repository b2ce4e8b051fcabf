//go:build linux

package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/truestep-io/truestep/e2e/report"
)

// results counts the checks, and holds measured times.
type results struct {
	report.Report
	figures map[string][]time.Duration // measured times by description of the measurement
	names   []string                   // keys of figures in the order of their first use
}

// measured adds times to a list. The parameter what describes the list in the output of printFigures.
func (r *results) measured(what string, list ...time.Duration) {
	if r.figures == nil {
		r.figures = map[string][]time.Duration{}
	}
	if _, known := r.figures[what]; !known {
		r.names = append(r.names, what)
	}
	r.figures[what] = append(r.figures[what], list...)
}

// printFigures prints the median and the maximum of the measured times.
func (r *results) printFigures() {
	for _, what := range r.names {
		fmt.Printf("%s: %s\n", what, summary(r.figures[what]))
	}
}

// summary returns the median and the maximum of a list of times, and their number, as text.
func summary(list []time.Duration) string {
	if len(list) == 0 {
		return "none"
	}
	slices.Sort(list)
	return fmt.Sprintf("p50 %v, max %v of %d", report.Round(list[len(list)/2]), report.Round(list[len(list)-1]), len(list))
}
