package area

import "time"

// lateWindow is the time for which a late tick counts as recent. It covers the burst of inputs after a stall: clients that
// received nothing for a while send their queued inputs within a round trip or two.
const lateWindow = time.Second // guess

// lateness records the delays of an area's ticks within the last lateWindow.
type lateness struct {
	worst time.Duration // of the ticks since the window began
	until time.Time     // when worst is forgotten; later for each tick that is at least as late
}

// update notes a tick that was due to begin at due and is published now, and returns how late the area was within lateWindow:
// 0 unless a tick was published at least one period after it was due. A zero due is not counted.
func (l *lateness) update(due, now time.Time, period time.Duration) time.Duration {
	if !l.until.IsZero() && !now.Before(l.until) {
		*l = lateness{}
	}
	if due.IsZero() {
		return l.worst
	}
	if late := now.Sub(due); late >= period && late >= l.worst {
		l.worst, l.until = late, now.Add(lateWindow)
	}
	return l.worst
}
