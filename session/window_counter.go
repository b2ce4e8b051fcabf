package session

import (
	"net/netip"
	"sync"
	"time"
)

// windowCounter counts per key in a time window that begins with the key's first count. It holds a bounded number of keys and
// evicts the oldest, so that clients with many addresses cannot exhaust memory.
type windowCounter[K comparable] struct {
	span time.Duration
	size int

	mu     sync.Mutex
	counts map[K]count
	order  []windowStart[K] // oldest first; an entry is stale unless counts has the same key and time
}

type count struct {
	n     int
	since time.Time
}

type windowStart[K comparable] struct {
	key   K
	since time.Time
}

func newWindowCounter[K comparable](span time.Duration, size int) *windowCounter[K] {
	return &windowCounter[K]{span: span, size: size, counts: map[K]count{}}
}

// add increments the count of a key.
func (t *windowCounter[K]) add(key K, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire(now)
	c, ok := t.counts[key]
	if !ok {
		c.since = now
		t.order = append(t.order, windowStart[K]{key, now})
	}
	c.n++
	t.counts[key] = c
	t.expire(now)
}

// get returns the count of a key.
func (t *windowCounter[K]) get(key K, now time.Time) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire(now)
	return t.counts[key].n
}

// clear removes a key.
func (t *windowCounter[K]) clear(key K) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.counts, key)
}

// expire removes keys whose window has ended or that exceed size. The caller holds mu.
func (t *windowCounter[K]) expire(now time.Time) {
	for len(t.order) > 0 && (len(t.order) > t.size || now.Sub(t.order[0].since) >= t.span) {
		old := t.order[0]
		t.order = t.order[1:]
		if t.counts[old.key].since.Equal(old.since) {
			delete(t.counts, old.key)
		}
	}
}

// peerKey identifies a connection of a gateway.
type peerKey struct {
	door string
	conn uint64
}

func (p Peer) key() peerKey { return peerKey{p.Door, p.Conn} }

// network returns the unit of limits per address.
func (p Peer) network() netip.Addr { return Network(p.Addr) }

// Network returns the unit of limits per address: an IPv4 address or an IPv6 /64, which a provider assigns to one customer.
// IPv4-mapped addresses count as IPv4; loopback is returned unchanged, so that callers can exempt it.
func Network(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if a.Is6() && !a.IsLoopback() {
		if prefix, err := a.Prefix(64); err == nil {
			return prefix.Addr()
		}
	}
	return a
}
