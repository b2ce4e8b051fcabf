package tape

import (
	"math"

	"github.com/truestep-io/truestep/sim"
)

// goal is the tick that Seek looks for: the last tick of one segment that is neither after the wall-clock time atMS nor after the
// tick limit. That segment is timeline.parts[part].
type goal struct {
	part  int
	atMS  int64
	limit sim.Tick
}

// find returns the goal for the wall-clock time atMS. If that time is in a gap or before the start of the tape, the parameter
// first decides: if it is 0, the goal is the state with which the tape continues; otherwise it is the tick that is first ticks
// after that state. The result ok is false if no segment can be replayed.
func (l *timeline) find(atMS int64, first sim.Tick) (g goal, ok bool) {
	found := -1
	next := -1 // first segment after found that can be replayed
	for i, p := range l.parts {
		if !p.canStep() {
			continue
		}
		if p.fromMS() <= atMS {
			found, next = i, -1
		} else if next < 0 {
			next = i
		}
	}
	if found < 0 && next < 0 {
		return goal{}, false
	}
	if found >= 0 {
		p := l.parts[found]
		if next < 0 || atMS <= p.untilMS || l.continues(found, next) {
			return goal{found, atMS, p.until}, true
		}
	}
	return goal{next, math.MaxInt64, l.parts[next].First + first}, true
}

// continues reports whether segment j follows segment i without a gap.
func (l *timeline) continues(i, j int) bool {
	for k := i + 1; k <= j; k++ {
		if !l.parts[k].joined {
			return false
		}
	}
	return l.parts[j].fromMS()-l.parts[i].untilMS <= pause.Milliseconds()
}
