package telemetry

import (
	"sync"
	"time"
)

// Rate limit of log lines about one kind of fault of unauthenticated peers.
const (
	noticeBurst = 30          // number of lines in a burst (guess: enough for honest clients that all have the same fault after an update)
	noticeEvery = time.Second // one more line per second after the burst
)

// Notices is a rate limit for log lines about faults of unauthenticated peers, shared by all of them, so that a peer that
// reconnects for each fault cannot flood the log. The zero value is ready to use. It is safe for concurrent use.
type Notices struct {
	mu      sync.Mutex
	full    time.Time // time at which the whole burst is available again
	dropped uint64    // lines dropped since the last one that was allowed
}

// Allow reports whether one more line may be logged now, and how many were dropped since the previous one.
func (n *Notices) Allow(now time.Time) (dropped uint64, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.full.Before(now) {
		n.full = now
	}
	if n.full.Sub(now) > (noticeBurst-1)*noticeEvery {
		n.dropped++
		return 0, false
	}
	n.full = n.full.Add(noticeEvery)
	dropped, n.dropped = n.dropped, 0
	return dropped, true
}
