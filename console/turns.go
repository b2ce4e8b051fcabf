package console

import (
	"context"
	"net/http"
	"sync"
)

// maxInTurn is how many calls of one operator may wait for each other.
const maxInTurn = 32

// turns lets calls that search the journal run one after the other for each operator: a search that finds little reads all
// of it, and whoever asked for many at once would take every core from the game.
type turns struct {
	mu sync.Mutex
	by map[string]*turn
}

type turn struct {
	free chan struct{} // has a value if nobody searches
	here int           // who searches and who waits
}

var errManySearches = &apiError{http.StatusTooManyRequests, codeThrottled, "too many searches at once: wait for the answers"}

// take waits until it is the operator's turn. Unless it fails, leave must follow.
func (t *turns) take(ctx context.Context, name string) error {
	t.mu.Lock()
	x := t.by[name]
	if x == nil {
		x = &turn{free: make(chan struct{}, 1)}
		x.free <- struct{}{}
		if t.by == nil {
			t.by = map[string]*turn{}
		}
		t.by[name] = x
	}
	if x.here >= maxInTurn {
		t.mu.Unlock()
		return errManySearches
	}
	x.here++
	t.mu.Unlock()
	select {
	case <-x.free:
		return nil
	case <-ctx.Done():
		t.gone(name, x)
		return ctx.Err()
	}
}

// leave lets the next one search.
func (t *turns) leave(name string) {
	t.mu.Lock()
	x := t.by[name]
	t.mu.Unlock()
	x.free <- struct{}{}
	t.gone(name, x)
}

func (t *turns) gone(name string, x *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x.here--; x.here == 0 {
		delete(t.by, name)
	}
}
