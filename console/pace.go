package console

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/truestep-io/truestep/journal"
)

// pace lets each operator do so much at once, and then so much a second. What is beyond is counted, so that the audit can
// have one entry of it a minute: a flood neither hides what it was nor pushes out what is there.
type pace struct {
	mu   sync.Mutex
	left map[string]*credit // by name
}

type credit struct {
	left float64
	at   time.Time

	refused map[string]int // by action, since the audit had an entry of them; as many as there are actions
	since   time.Time      // of the first of them
	role    Role           // of the last
}

const (
	deedsAtOnce    = 30  // guess: an operator who freezes a crowd
	deedsPerSecond = 5.0 // guess
	throttledEvery = time.Minute
)

// throttledAction is the action of an entry that stands for those that were refused for their number.
const throttledAction = "throttled"

// take tells whether an operator may do one thing more.
func (p *pace) take(v *visitor, action string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.left[v.name]
	if c == nil {
		p.tidy(now)
		c = &credit{left: deedsAtOnce, at: now}
		p.left[v.name] = c
	}
	c.left = min(deedsAtOnce, c.left+max(now.Sub(c.at).Seconds(), 0)*deedsPerSecond)
	c.at = now
	if c.left >= 1 {
		c.left--
		return true
	}
	if len(c.refused) == 0 {
		c.refused, c.since = map[string]int{}, now
	}
	c.refused[action]++
	c.role = v.role
	return false
}

// tidy forgets those who have their whole credit again, before somebody new is remembered. It needs the lock. More names
// than operators can be only those of operators who were revoked since.
func (p *pace) tidy(now time.Time) {
	if p.left == nil {
		p.left = map[string]*credit{}
	}
	if len(p.left) <= maxOperators {
		return
	}
	for name, c := range p.left {
		if len(c.refused) == 0 && now.Sub(c.at) > deedsAtOnce*time.Second {
			delete(p.left, name)
		}
	}
}

// due takes the entries for the audit whose minute is over, or all of them.
func (p *pace) due(now time.Time, all bool) []journal.OperatorAction {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []journal.OperatorAction
	for _, name := range sortedKeys(p.left) {
		c := p.left[name]
		if len(c.refused) == 0 || !all && now.Sub(c.since) < throttledEvery {
			continue
		}
		n, parts := 0, []string{}
		for _, action := range sortedKeys(c.refused) {
			n += c.refused[action]
			parts = append(parts, fmt.Sprintf("%s %d", action, c.refused[action]))
		}
		list = append(list, journal.OperatorAction{
			Operator: name, Role: c.role.String(), Action: throttledAction, Detail: strings.Join(parts, ", "),
			Result: fmt.Sprintf("%s %d", throttledAction, n),
		})
		c.refused = nil
	}
	return list
}
