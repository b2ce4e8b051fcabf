package bedrock

import "sync"

// What is logged of the faults of all clients together. The counters have every one.
const (
	noticesAtOnce = 30   // lines   guess: more than honest clients that meet the same fault after an update of theirs
	noticeEvery   = 1000 // ms for one more
)

// notices is the pace at which faults of clients are logged. A session logs each of its kinds once, which bounds nobody
// who connects anew for the next: without it a single address writes hundreds of lines a second. The workers share it.
type notices struct {
	mu      sync.Mutex
	full    int64  // ms on the door's clock; noticesAtOnce may be logged from then on
	leftOut uint64 // since the last line
}

// take tells whether one more may be logged now, and how many were left out before it.
func (n *notices) take(nowMS int64) (leftOut uint64, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.full = max(n.full, nowMS)
	if n.full-nowMS > (noticesAtOnce-1)*noticeEvery {
		n.leftOut++
		return 0, false
	}
	n.full += noticeEvery
	leftOut, n.leftOut = n.leftOut, 0
	return leftOut, true
}
