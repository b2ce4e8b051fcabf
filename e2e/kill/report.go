//go:build linux

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// report counts the checks and prints those that fail.
type report struct {
	passed, failed int
	starts         []time.Duration // times from the start of the process to the line "ready", after a kill
	returns        []time.Duration // times from that line to the return of the last client
}

// maxErrorsShown is the number of errors of one check that are printed.
const maxErrorsShown = 6

// check counts a check, which passes if there are no errors.
func (r *report) check(name string, errs ...error) {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) == 0 {
		r.passed++
		return
	}
	r.failed++
	fmt.Printf("FAIL %s (%d)\n", name, len(errs))
	shown := errs[:min(len(errs), maxErrorsShown)]
	fmt.Printf("    %s\n", strings.ReplaceAll(errors.Join(shown...).Error(), "\n", "\n    "))
	if more := len(errs) - len(shown); more > 0 {
		fmt.Printf("    and %d more\n", more)
	}
}

// printTimes prints the median and the maximum of the measured times.
func (r *report) printTimes() {
	for _, t := range []struct {
		what string
		list []time.Duration
	}{{"from the start of the process to ready", r.starts}, {"from ready to the last client's return", r.returns}} {
		if len(t.list) > 0 {
			slices.Sort(t.list)
			fmt.Printf("%s: median %v, longest %v of %d\n", t.what, round(t.list[len(t.list)/2]), round(t.list[len(t.list)-1]), len(t.list))
		}
	}
}

func round(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
