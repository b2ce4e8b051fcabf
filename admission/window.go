package admission

import (
	"sync"
	"time"
)

// Window counts events per key in a time window that begins with the key's first event. It stores a bounded number of keys and
// evicts those whose windows began first, so that clients with many addresses cannot exhaust the memory.
type Window[K comparable] struct {
	span time.Duration // length of the time window of a key
	size int           // maximum number of keys

	mu     sync.Mutex
	counts map[K]count
	order  []windowStart[K] // start times of the keys, oldest first; an element is stale unless counts has the same key and time
}

// count is how many events of one key a Window has counted, and the time of the first of these events.
type count struct {
	n     int
	since time.Time
}

// windowStart is an entry of Window.order: a key, and the time at which the window of this key began.
type windowStart[K comparable] struct {
	key   K
	since time.Time
}

// NewWindow returns a Window that stores at most size keys. It resets the count of a key when the duration span has passed since
// the key's first event.
func NewWindow[K comparable](span time.Duration, size int) *Window[K] {
	return &Window[K]{span: span, size: size, counts: map[K]count{}}
}

// Add increments the count of a key. If the key has no count, its window begins at now.
func (w *Window[K]) Add(key K, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.expire(now)
	c, ok := w.counts[key]
	if !ok {
		c.since = now
		w.order = append(w.order, windowStart[K]{key, now})
	}
	c.n++
	w.counts[key] = c
	w.expire(now)
}

// Get returns the count of a key, or 0 if the key has none or its window has ended.
func (w *Window[K]) Get(key K, now time.Time) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.expire(now)
	return w.counts[key].n
}

// Remove decrements the count of a key. It undoes a call of Add for an event that need not be counted after all.
func (w *Window[K]) Remove(key K) {
	w.mu.Lock()
	defer w.mu.Unlock()
	c, ok := w.counts[key]
	if c.n--; ok && c.n > 0 {
		w.counts[key] = c
	} else {
		delete(w.counts, key)
	}
}

// Clear resets the count of a key to 0, and its next event begins a new window.
func (w *Window[K]) Clear(key K) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.counts, key)
}

// Len returns the number of keys in memory, which may include keys whose window has ended.
func (w *Window[K]) Len() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.counts)
}

// expire removes the keys whose window has ended. If more than size keys remain, it also removes those whose windows began first,
// until size keys are left. The caller holds mu.
func (w *Window[K]) expire(now time.Time) {
	for len(w.order) > 0 && (len(w.order) > w.size || now.Sub(w.order[0].since) >= w.span) {
		old := w.order[0]
		w.order = w.order[1:]
		if w.counts[old.key].since.Equal(old.since) {
			delete(w.counts, old.key)
		}
	}
}
