package telemetry

import (
	"fmt"
	"time"
)

// Failure is something that a server cannot do at present although its game goes on, such as writing a file.
type Failure struct {
	What  string    // what fails, for a status line: "JOURNAL NOT WRITTEN"
	Since time.Time // time of the first failed attempt
	Err   error     // error of the last attempt
}

// Next returns the state after an attempt: nil if err is nil, else a failure that began with the first of consecutive errors. f is the
// state before, nil if the attempt before succeeded.
func (f *Failure) Next(what string, err error, now time.Time) *Failure {
	switch {
	case err == nil:
		return nil
	case f != nil:
		return &Failure{what, f.Since, err}
	}
	return &Failure{what, now, err}
}

// text returns what fails and for how long.
func (f *Failure) text(now time.Time) string {
	return fmt.Sprintf("%s for %s", f.What, max(0, now.Sub(f.Since)).Round(time.Second))
}
