// Package report counts the checks of an end-to-end test, and prints those that fail.
package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Report counts passed and failed checks. It is not safe for concurrent use.
type Report struct {
	MaxErrors      int // maximum number of errors that are printed for one failed check
	Passed, Failed int // number of checks
}

// Check counts a check. The check passes if all errors are nil. If the check fails, the method Check prints the check's name and
// the errors.
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

// Finish prints the numbers of passed and failed checks, and returns the exit status of the test: 1 if a check has failed or
// there was none, else 0.
func (r *Report) Finish(test string) (status int) {
	fmt.Printf("%s: %d passed, %d failed\n", test, r.Passed, r.Failed)
	if r.Failed > 0 || r.Passed == 0 {
		return 1
	}
	return 0
}

// Round rounds a duration to milliseconds, the precision in which tests print times.
func Round(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
