package telemetry

import (
	"sync"
	"time"
)

// What is logged of one kind of fault by strangers.
const (
	noticesAtOnce = 30          // lines   guess: more than honest clients that meet the same fault after an update of theirs
	noticeEvery   = time.Second // for one more
)

// Notices is the pace at which faults of strangers are logged, whoever and however many they are: without it somebody who
// connects anew for each of them writes hundreds of lines a second. The zero value is ready; any goroutine may use it.
type Notices struct {
	mu      sync.Mutex
	full    time.Time // noticesAtOnce may be logged from then on
	leftOut uint64    // since the last line
}

// Take tells whether one more line may be logged now, and how many were left out before it.
func (n *Notices) Take(now time.Time) (leftOut uint64, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.full.Before(now) {
		n.full = now
	}
	if n.full.Sub(now) > (noticesAtOnce-1)*noticeEvery {
		n.leftOut++
		return 0, false
	}
	n.full = n.full.Add(noticeEvery)
	leftOut, n.leftOut = n.leftOut, 0
	return leftOut, true
}
