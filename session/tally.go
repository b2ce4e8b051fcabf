package session

import (
	"net/netip"
	"sync"
	"time"
)

// tally counts per key within a span of time that begins with the key's first count. It holds a bounded number of
// keys: beyond it the oldest is forgotten, so that nobody can fill memory with addresses.
type tally[K comparable] struct {
	span time.Duration
	size int

	mu     sync.Mutex
	counts map[K]count
	order  []begun[K] // oldest first; an entry is dead unless counts has the same key and time
}

type count struct {
	n     int
	since time.Time
}

type begun[K comparable] struct {
	key   K
	since time.Time
}

func newTally[K comparable](span time.Duration, size int) *tally[K] {
	return &tally[K]{span: span, size: size, counts: map[K]count{}}
}

// add counts one more.
func (t *tally[K]) add(key K, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire(now)
	c, ok := t.counts[key]
	if !ok {
		c.since = now
		t.order = append(t.order, begun[K]{key, now})
	}
	c.n++
	t.counts[key] = c
	t.expire(now)
}

// of is the count of a key.
func (t *tally[K]) of(key K, now time.Time) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire(now)
	return t.counts[key].n
}

// clear forgets a key.
func (t *tally[K]) clear(key K) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.counts, key)
}

// expire needs the lock.
func (t *tally[K]) expire(now time.Time) {
	for len(t.order) > 0 && (len(t.order) > t.size || now.Sub(t.order[0].since) >= t.span) {
		old := t.order[0]
		t.order = t.order[1:]
		if t.counts[old.key].since.Equal(old.since) {
			delete(t.counts, old.key)
		}
	}
}

// peerKey is a connection of a door.
type peerKey struct {
	door string
	conn uint64
}

func (p Peer) key() peerKey { return peerKey{p.Door, p.Conn} }

// network is the unit of limits per address.
func (p Peer) network() netip.Addr { return Network(p.Addr) }

// Network returns the unit of limits per address: an IPv4 address or an IPv6 /64, which is what one customer of a provider
// has. IPv4-mapped addresses count as IPv4; loopback stays what it is, so that it can be told apart.
func Network(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if a.Is6() && !a.IsLoopback() {
		if prefix, err := a.Prefix(64); err == nil {
			return prefix.Addr()
		}
	}
	return a
}
