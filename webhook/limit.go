package webhook

import "time"

// Limits on the number of events that are sent to the receivers.
const (
	quietTime   = 10 * time.Minute // time in which an event of the same kind, state and subject is not sent again
	maxSubjects = 1000             // maximum number of subjects whose last event is remembered
	burst       = 10               // events of one kind that may be sent at once
	refill      = time.Minute      // time after which one more event of that kind may be sent
)

// limiter decides which events are sent and which are dropped. It is not safe for concurrent use.
type limiter struct {
	last  map[subject]time.Time // time of the last event of each kind, state and subject
	kinds map[Kind]*kindLimit
}

// subject identifies equal events: those that agree in kind, state and name. The second of two equal events is not sent within
// quietTime after the first.
type subject struct {
	kind  Kind
	state State
	name  string
}

// kindLimit is the token bucket of one kind of events.
type kindLimit struct {
	tokens  float64   // number of events that may be sent now, 0 to burst
	at      time.Time // time at which tokens was computed
	skipped int       // number of events of this kind dropped since the last one was sent
}

func newLimiter() *limiter {
	return &limiter{last: map[subject]time.Time{}, kinds: map[Kind]*kindLimit{}}
}

// ready reports whether allow would accept an event now. If the recorded time of an equal event is in the future, the clock was
// set back since. ready then ignores that event, because otherwise equal events would be dropped for longer than quietTime.
func (l *limiter) ready(key subject, now time.Time) bool {
	if at, ok := l.last[key]; ok && now.Sub(at) < quietTime && !now.Before(at) {
		return false
	}
	return l.kind(key.kind, now).tokens >= 1
}

// kind returns the token bucket of kind k, refilled for the time that has passed since it was last used.
func (l *limiter) kind(k Kind, now time.Time) *kindLimit {
	b := l.kinds[k]
	if b == nil {
		b = &kindLimit{tokens: burst}
		l.kinds[k] = b
	} else if passed := now.Sub(b.at); passed > 0 {
		b.tokens = min(burst, b.tokens+passed.Seconds()/refill.Seconds())
	}
	b.at = now
	return b
}

// allow reports whether an event may be sent. An event that may be sent uses up a token. If the parameter always is true, every event
// may be sent. The result skipped is the number of events of this kind that were dropped since the last one that was sent.
func (l *limiter) allow(key subject, now time.Time, always bool) (skipped int, ok bool) {
	ready := l.ready(key, now)
	b := l.kind(key.kind, now)
	if !ready && !always {
		b.skipped++
		return 0, false
	}
	if len(l.last) >= maxSubjects {
		for k, at := range l.last {
			if now.Sub(at) >= quietTime {
				delete(l.last, k)
			}
		}
		if len(l.last) >= maxSubjects {
			clear(l.last)
		}
	}
	l.last[key] = now
	b.tokens = max(0, b.tokens-1)
	skipped, b.skipped = b.skipped, 0
	return skipped, true
}
