// Package report counts the checks of an end-to-end test, and prints those that fail.
package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Report counts checks. It is for one goroutine.
type Report struct {
	MaxErrors      int // number of errors of one check that are printed
	Passed, Failed int
}

// Check counts a check, which passes if all errors are nil. It prints a check that fails.
func (r *Report) Check(name string, errs ...error) {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) == 0 {
		r.Passed++
		return
	}
	r.Failed++
	fmt.Printf("FAIL %s (%d)\n", name, len(errs))
	shown := errs[:min(len(errs), r.MaxErrors)]
	fmt.Printf("    %s\n", strings.ReplaceAll(errors.Join(shown...).Error(), "\n", "\n    "))
	if more := len(errs) - len(shown); more > 0 {
		fmt.Printf("    and %d more\n", more)
	}
}

// Finish prints the last line of a test, and returns its exit status: 1 if a check has failed or there was none.
func (r *Report) Finish(test string) (status int) {
	fmt.Printf("%s: %d passed, %d failed\n", test, r.Passed, r.Failed)
	if r.Failed > 0 || r.Passed == 0 {
		return 1
	}
	return 0
}

// Round rounds a time to the unit in which times are printed.
func Round(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
