package console

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
)

// Searches of one operator run one at a time and do not delay searches of other operators.
func TestJournalSearchesOfOneOperatorRunOneAtATime(t *testing.T) {
	t.Parallel()
	var all searchQueue
	ctx := t.Context()
	if err := all.acquire(ctx, "eve", maxPendingSearches); err != nil {
		t.Fatal(err)
	}
	if err := all.acquire(ctx, "ann", maxPendingSearches); err != nil {
		t.Fatal(err)
	}
	all.release("ann")
	var now, most atomic.Int32
	var wg sync.WaitGroup
	for range maxPendingSearches - 1 {
		wg.Go(func() {
			if err := all.acquire(ctx, "eve", maxPendingSearches); err != nil {
				t.Error(err)
				return
			}
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			now.Add(-1)
			all.release("eve")
		})
	}
	for waiting := 0; waiting < maxPendingSearches; {
		all.mu.Lock()
		waiting = all.operators["eve"].pending
		all.mu.Unlock()
	}
	if err := all.acquire(ctx, "eve", maxPendingSearches); err != errTooManySearches {
		t.Errorf("a search beyond the limit: %v", err)
	}
	if now.Load() != 0 {
		t.Error("two searches run at once")
	}
	all.release("eve")
	wg.Wait()
	if most.Load() != 1 || len(all.operators) != 0 {
		t.Errorf("%d at once, %d operators are kept", most.Load(), len(all.operators))
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if err := all.acquire(ctx, "eve", maxPendingSearches); err != nil {
		t.Fatal(err)
	}
	if err := all.acquire(gone, "eve", maxPendingSearches); err != context.Canceled {
		t.Errorf("a cancelled search: %v", err)
	}
	all.release("eve")
	if len(all.operators) != 0 {
		t.Errorf("%d operators are kept", len(all.operators))
	}
}
