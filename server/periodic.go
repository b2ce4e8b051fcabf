package server

import (
	"context"
	"sync"
	"time"
)

// periodic calls a function at regular intervals in its own goroutine. The zero value is not started.
type periodic struct {
	cancel context.CancelFunc // nil before start
	done   sync.WaitGroup
}

// start makes p call the function fn once per interval, with the time of the call. The first call is after one interval.
func (p *periodic) start(every time.Duration, fn func(now time.Time)) {
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	p.done.Go(func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-ticker.C:
				fn(now)
			}
		}
	})
}

// stop ends the calls and waits for a running one. It returns false if p was not started.
func (p *periodic) stop() (started bool) {
	if p.cancel == nil {
		return false
	}
	p.cancel()
	p.done.Wait()
	return true
}
