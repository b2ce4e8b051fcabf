package telemetry

import (
	"fmt"
	"time"
)

// Failure is a persistent error that does not stop the game, such as a file that cannot be written.
type Failure struct {
	What  string    // name of the failure for the status line: "JOURNAL NOT WRITTEN"
	Since time.Time // time of the first failed attempt
	Err   error     // error of the last attempt
}

// Next returns the failure after another attempt at the same task, which ended with err. The receiver f is the failure before
// that attempt, nil if there was none. If err is nil, the failure has ended, and the result is nil. Otherwise the result has
// err, and its field Since is the time of the first of the consecutive errors.
func (f *Failure) Next(what string, err error, now time.Time) *Failure {
	switch {
	case err == nil:
		return nil
	case f != nil:
		return &Failure{what, f.Since, err}
	}
	return &Failure{what, now, err}
}

// text returns the failure's name and duration for the status line.
func (f *Failure) text(now time.Time) string {
	return fmt.Sprintf("%s for %s", f.What, max(0, now.Sub(f.Since)).Round(time.Second))
}
