// Package lateness measures how late a machine is, for tests with real clocks: an honest client of a machine that stood
// still has been silent for seconds, is rightly corrected, and proves nothing.
package lateness

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// Worst is how late the machine was at worst with something that was due. It is safe for concurrent use.
type Worst struct{ ns atomic.Int64 }

// every is how often it is measured.
const every = 5 * time.Millisecond

// Measure measures until the test ends how late a timer is, and how long meanwhile takes after it, in a goroutine of its
// own. meanwhile may be nil; it returns by itself, in a second at most.
func Measure(tb testing.TB, meanwhile func()) *Worst {
	w := new(Worst)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			began := time.Now()
			time.Sleep(every)
			if meanwhile != nil {
				meanwhile()
			}
			w.Note(time.Since(began) - every)
		}
	}()
	tb.Cleanup(func() {
		cancel()
		<-done
	})
	return w
}

// Note tells of something else that was late.
func (w *Worst) Note(d time.Duration) {
	for was := w.ns.Load(); int64(d) > was && !w.ns.CompareAndSwap(was, int64(d)); was = w.ns.Load() {
	}
}

// Get is the worst since the beginning, or since Restart.
func (w *Worst) Get() time.Duration { return time.Duration(w.ns.Load()) }

// Restart forgets what was.
func (w *Worst) Restart() { w.ns.Store(0) }
