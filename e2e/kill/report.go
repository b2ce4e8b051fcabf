//go:build linux

package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/truestep-io/truestep/e2e/report"
)

// results counts passed and failed checks, and holds the measured times of each restart after a kill.
type results struct {
	report.Report
	starts  []time.Duration // times from the start of the process until it has printed "ready"
	returns []time.Duration // times from "ready" until the last client has logged in again
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
