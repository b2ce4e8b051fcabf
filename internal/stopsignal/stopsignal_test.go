package stopsignal

import (
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestSecondStopSignalAbortsOnlyAfterThreeSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		received, stopped := make(chan os.Signal), false
		var aborted os.Signal
		go waitForSignals(received, func() { stopped = true }, func(sig os.Signal) { aborted = sig })
		for _, c := range []struct {
			after time.Duration
			sig   os.Signal
			abort bool
		}{
			{0, syscall.SIGTERM, false}, {50 * time.Millisecond, syscall.SIGTERM, false}, {2900 * time.Millisecond, os.Interrupt, false},
			{time.Second, syscall.SIGHUP, false}, {time.Second, os.Interrupt, true},
		} {
			time.Sleep(c.after)
			received <- c.sig
			synctest.Wait()
			if !stopped || (aborted != nil) != c.abort {
				t.Fatalf("%v after %v: stopped %v, aborted by %v", c.sig, c.after, stopped, aborted)
			}
		}
	})
}
