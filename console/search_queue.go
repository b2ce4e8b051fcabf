package console

import (
	"context"
	"net/http"
	"sync"
)

// maxPendingSearches is the maximum number of searches of one operator that run or wait.
const maxPendingSearches = 32

// maxForwardedSearches is the maximum number of forwarded searches of one operator that run or wait on this node. It is less than
// maxPendingSearches, because each forwarded search occupies one of the places for calls of other nodes (maxAnswering of package
// cluster), which other operators need, too.
const maxForwardedSearches = 8

// searchQueue runs the journal searches of each operator one at a time. A search with few results reads the whole journal, so
// many searches at the same time would leave no CPU core for the game.
type searchQueue struct {
	mu        sync.Mutex
	operators map[string]*operatorQueue // queue of each operator with searches, by the operator's name
}

type operatorQueue struct {
	free    chan struct{} // capacity 1: holds a value while no search runs
	pending int           // number of searches that run or wait
}

var errTooManySearches = &apiError{http.StatusTooManyRequests, codeThrottled, "this operator has too many unfinished searches: wait for their results"}

// acquire waits until no other search of the operator runs. The parameter limit is the maximum number of searches of the operator that
// run or wait. If it returns nil, the caller must call release.
func (t *searchQueue) acquire(ctx context.Context, name string, limit int) error {
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
	if x.pending >= limit {
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

// release ends an operator's search, so that the operator's next waiting search can run.
func (t *searchQueue) release(name string) {
	t.mu.Lock()
	x := t.operators[name]
	t.mu.Unlock()
	x.free <- struct{}{}
	t.forget(name, x)
}

// forget reduces the number of searches in the operator's queue x by one. After the last search it removes the queue.
func (t *searchQueue) forget(name string, x *operatorQueue) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x.pending--; x.pending == 0 {
		delete(t.operators, name)
	}
}
