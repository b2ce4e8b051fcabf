package webhook

import "time"

// Limits of what is sent.
const (
	quietTime   = 10 * time.Minute // in which an event equal to the last one, of the same kind, state and subject, is not sent
	maxSubjects = 1000             // subjects whose last event is remembered
	burst       = 10               // events of one kind in quick succession
	refill      = time.Minute      // time after which one more event of that kind may be sent
)

// limiter decides which events are sent. It is not safe for concurrent use.
type limiter struct {
	last  map[subject]time.Time // time of the last event about a subject
	kinds map[Kind]*kindLimit
}

type subject struct {
	kind  Kind
	state State
	name  string
}

// kindLimit is a token bucket of one kind.
type kindLimit struct {
	tokens  float64
	at      time.Time // time for which tokens is valid
	skipped int       // events that were refused since the last one that was not
}

func newLimiter() *limiter {
	return &limiter{last: map[subject]time.Time{}, kinds: map[Kind]*kindLimit{}}
}

// ready reports whether take would allow an event. A clock that was set back allows it.
func (l *limiter) ready(key subject, now time.Time) bool {
	if at, ok := l.last[key]; ok && now.Sub(at) < quietTime && !now.Before(at) {
		return false
	}
	return l.kind(key.kind, now).tokens >= 1
}

// kind returns the bucket of a kind, filled up to now.
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

// take reports whether an event may be sent, and how many of its kind were not since the last one. always allows it in any case, and
// counts it.
func (l *limiter) take(key subject, now time.Time, always bool) (skipped int, ok bool) {
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
