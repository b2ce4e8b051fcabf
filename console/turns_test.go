package console

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
)

// Searches of one operator run one after the other; those of others do not wait for them.
func TestAnOperatorSearchesOnceAtATime(t *testing.T) {
	t.Parallel()
	var all turns
	ctx := t.Context()
	if err := all.take(ctx, "eve"); err != nil {
		t.Fatal(err)
	}
	if err := all.take(ctx, "ann"); err != nil {
		t.Fatal(err)
	}
	all.leave("ann")
	var now, most atomic.Int32
	var wg sync.WaitGroup
	for range maxInTurn - 1 {
		wg.Go(func() {
			if err := all.take(ctx, "eve"); err != nil {
				t.Error(err)
				return
			}
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			now.Add(-1)
			all.leave("eve")
		})
	}
	for waiting := 0; waiting < maxInTurn; {
		all.mu.Lock()
		waiting = all.by["eve"].here
		all.mu.Unlock()
	}
	if err := all.take(ctx, "eve"); err != errManySearches {
		t.Errorf("one too many: %v", err)
	}
	if now.Load() != 0 {
		t.Error("two search at once")
	}
	all.leave("eve")
	wg.Wait()
	if most.Load() != 1 || len(all.by) != 0 {
		t.Errorf("%d at once, %d are remembered", most.Load(), len(all.by))
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if err := all.take(ctx, "eve"); err != nil {
		t.Fatal(err)
	}
	if err := all.take(gone, "eve"); err != context.Canceled {
		t.Errorf("who has hung up: %v", err)
	}
	all.leave("eve")
	if len(all.by) != 0 {
		t.Errorf("%d are remembered", len(all.by))
	}
}
