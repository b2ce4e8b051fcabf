package telemetry

import (
	"sync"
	"time"
)

// Limits of Notices: how many log lines about one kind of fault of unauthenticated clients are written.
const (
	noticeBurst = 30          // lines in a burst (chosen to be enough if all honest clients have the same fault after an update)
	noticeEvery = time.Second // time after which one more line may follow the burst
)

// Notices is a rate limit for log lines about faults of unauthenticated clients. All clients share it, so a client that
// reconnects for each fault cannot flood the log. The zero value is ready to use. It is safe for concurrent use.
type Notices struct {
	mu      sync.Mutex
	full    time.Time // time at which the full burst of noticeBurst lines is available again
	dropped uint64    // number of lines dropped since the last allowed line
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
