// Package stopsignal cancels a context when the program receives a signal with which users and service managers stop programs.
package stopsignal

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// repeatWithin is the time after the first signal in which further signals have no effect. Service managers, scripts and
// impatient users send the signal twice, and an abort would lose everything since the last save.
const repeatWithin = 3 * time.Second

// Context returns a context that ends with the first signal to stop: SIGINT (Ctrl-C), SIGTERM, or SIGHUP, which the program
// receives when its terminal is closed. A second SIGINT or SIGTERM more than three seconds later ends the program immediately.
func Context() (ctx context.Context, stop func()) {
	ctx, stop = context.WithCancel(context.Background())
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup makes the process ignore SIGHUP
		signals = append(signals, syscall.SIGHUP)
	}
	// Standard output may be a pipe whose reader ends together with the terminal. SIGPIPE must not end the server before it has
	// saved its players.
	signal.Ignore(syscall.SIGPIPE)
	received := make(chan os.Signal, 1)
	signal.Notify(received, signals...)
	go waitForSignals(received, stop, func(sig os.Signal) {
		fmt.Fprintf(os.Stderr, "truestep: ended at once by a second signal (%v); what was not saved yet is lost\n", sig)
		os.Exit(exitAborted)
	})
	return ctx, stop
}

// exitAborted is the exit status after a second signal, the same that a shell reports for a program ended by SIGINT.
const exitAborted = 130

// waitForSignals calls stop at the first signal. It calls abort at a further signal that comes more than repeatWithin later.
// SIGHUP never aborts: a closed terminal sends it twice, once from its shell and once from the kernel when the shell ends.
func waitForSignals(received <-chan os.Signal, stop func(), abort func(os.Signal)) {
	<-received
	first := time.Now()
	stop()
	for sig := range received {
		if sig != syscall.SIGHUP && time.Since(first) > repeatWithin {
			abort(sig)
			return
		}
	}
}
