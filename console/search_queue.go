package console

import (
	"context"
	"net/http"
	"sync"
)

// maxPendingSearches is how many calls of one operator may wait for each other.
const maxPendingSearches = 32

// searchQueue lets calls that search the journal run one after the other for each operator: a search that finds little reads all
// of it, and whoever asked for many at once would take every core from the game.
type searchQueue struct {
	mu        sync.Mutex
	operators map[string]*operatorQueue
}

type operatorQueue struct {
	free    chan struct{} // has a value if nobody searches
	pending int           // who searches and who waits
}

var errTooManySearches = &apiError{http.StatusTooManyRequests, codeThrottled, "too many searches at once: wait for the answers"}

// acquire waits until it is the operator's turn. Unless it fails, leave must follow.
func (t *searchQueue) acquire(ctx context.Context, name string) error {
	t.mu.Lock()
	x := t.operators[name]
	if x == nil {
		x = &operatorQueue{free: make(chan struct{}, 1)}
		x.free <- struct{}{}
		if t.operators == nil {
			t.operators = map[string]*operatorQueue{}
		}
		t.operators[name] = x
	}
	if x.pending >= maxPendingSearches {
		t.mu.Unlock()
		return errTooManySearches
	}
	x.pending++
	t.mu.Unlock()
	select {
	case <-x.free:
		return nil
	case <-ctx.Done():
		t.forget(name, x)
		return ctx.Err()
	}
}

// release lets the next one search.
func (t *searchQueue) release(name string) {
	t.mu.Lock()
	x := t.operators[name]
	t.mu.Unlock()
	x.free <- struct{}{}
	t.forget(name, x)
}

func (t *searchQueue) forget(name string, x *operatorQueue) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x.pending--; x.pending == 0 {
		delete(t.operators, name)
	}
}
