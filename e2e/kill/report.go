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
	starts  []time.Duration // times from the start of the process to the line "ready", after a kill
	returns []time.Duration // times from that line to the return of the last client
}

// printTimes prints the median and the maximum of the measured times.
func (r *results) printTimes() {
	for _, t := range []struct {
		what string
		list []time.Duration
	}{{"from the start of the process to ready", r.starts}, {"from ready to the last client's return", r.returns}} {
		if len(t.list) > 0 {
			slices.Sort(t.list)
			fmt.Printf("%s: median %v, longest %v of %d\n", t.what, report.Round(t.list[len(t.list)/2]), report.Round(t.list[len(t.list)-1]), len(t.list))
		}
	}
}
