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
	figures        map[string][]time.Duration // measured times by what they are of
	names          []string                   // keys of figures in the order of their first use
}

// maxErrorsShown is the number of errors of one check that are printed.
const maxErrorsShown = 8

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

// measured records a time.
func (r *report) measured(what string, list ...time.Duration) {
	if r.figures == nil {
		r.figures = map[string][]time.Duration{}
	}
	if r.figures[what] == nil {
		r.names = append(r.names, what)
	}
	r.figures[what] = append(r.figures[what], list...)
}

// printFigures prints the median and the maximum of the measured times.
func (r *report) printFigures() {
	for _, what := range r.names {
		fmt.Printf("%s: %s\n", what, summary(r.figures[what]))
	}
}

// summary returns the median and the maximum of a list.
func summary(list []time.Duration) string {
	if len(list) == 0 {
		return "none"
	}
	slices.Sort(list)
	return fmt.Sprintf("p50 %v, max %v of %d", round(list[len(list)/2]), round(list[len(list)-1]), len(list))
}

func round(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
