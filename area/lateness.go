package area

import "time"

// lateWindow is the time for which a late tick is reported (see Published.Late). It covers the burst of inputs after a stall:
// clients that received nothing for a while send their queued inputs within one or two round trips.
const lateWindow = time.Second // not measured

// lateness records the delays of an area's ticks within the last lateWindow.
type lateness struct {
	worst time.Duration // maximum delay of the ticks since the window began
	until time.Time     // time at which worst is reset to 0; each tick that is at least as late postpones it
}

// update records that a tick is published at the time now, and returns the maximum delay of the ticks within the last lateWindow.
// The parameter due is the time at which the tick should have begun. It is zero for a tick without a schedule, which is not
// recorded. Delays below one period count as 0.
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
