// Package leaktest fails tests that leave a goroutine running. Unlike goleak, which looks for half a second, it gives goroutines the time
// to end that they need on a busy machine.
package leaktest

import (
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// waitLimit is how long a goroutine may still run after the tests. Only failing tests wait that long.
const waitLimit = time.Minute

// VerifyTestMain runs the tests of a package and ends the process. If the tests pass, no goroutine must be left that the options do not
// ignore. Idle connections of http.DefaultTransport are closed before.
func VerifyTestMain(m *testing.M, options ...goleak.Option) {
	code := m.Run()
	if code == 0 {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		if err := find(waitLimit, options); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// VerifyNone fails the test if a goroutine is left that the options do not ignore. The test must not be parallel.
func VerifyNone(t testing.TB, options ...goleak.Option) {
	t.Helper()
	if err := find(waitLimit, options); err != nil {
		t.Error(err)
	}
}

// find returns an error that names the goroutines that are left after the duration limit. It looks at least once.
func find(limit time.Duration, options []goleak.Option) error {
	for began := time.Now(); ; {
		err := goleak.Find(options...) // waits for half a second
		if err == nil || time.Since(began) >= limit {
			return err
		}
	}
}
