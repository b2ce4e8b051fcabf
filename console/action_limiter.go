package console

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/truestep-io/truestep/journal"
)

// actionLimiter lets each operator do so much at once, and then so much a second. What is beyond is counted, so that the audit can
// have one entry of it a minute: a flood neither hides what it was nor pushes out what is there.
type actionLimiter struct {
	mu      sync.Mutex
	budgets map[string]*operatorBudget // by name
}

type operatorBudget struct {
	tokens float64
	at     time.Time

	refused map[string]int // by action, since the audit had an entry of them; as many as there are actions
	since   time.Time      // of the first of them
	role    Role           // of the last
}

const (
	actionBurst       = 30  // guess: an operator who freezes a crowd
	actionsPerSecond  = 5.0 // guess
	throttledInterval = time.Minute
)

// throttledAction is the action of an entry that stands for those that were refused for their number.
const throttledAction = "throttled"

// allow tells whether an operator may do one thing more.
func (p *actionLimiter) allow(v *caller, action string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.budgets[v.name]
	if c == nil {
		p.forgetIdle(now)
		c = &operatorBudget{tokens: actionBurst, at: now}
		p.budgets[v.name] = c
	}
	c.tokens = min(actionBurst, c.tokens+max(now.Sub(c.at).Seconds(), 0)*actionsPerSecond)
	c.at = now
	if c.tokens >= 1 {
		c.tokens--
		return true
	}
	if len(c.refused) == 0 {
		c.refused, c.since = map[string]int{}, now
	}
	c.refused[action]++
	c.role = v.role
	return false
}

// forgetIdle forgets those who have their whole credit again, before somebody new is remembered. It needs the lock. More names
// than operators can be only those of operators who were revoked since.
func (p *actionLimiter) forgetIdle(now time.Time) {
	if p.budgets == nil {
		p.budgets = map[string]*operatorBudget{}
	}
	if len(p.budgets) <= maxOperators {
		return
	}
	for name, c := range p.budgets {
		if len(c.refused) == 0 && now.Sub(c.at) > actionBurst*time.Second {
			delete(p.budgets, name)
		}
	}
}

// takeDueEntries takes the entries for the audit whose minute is over, or all of them.
func (p *actionLimiter) takeDueEntries(now time.Time, all bool) []journal.OperatorAction {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []journal.OperatorAction
	for _, name := range sortedKeys(p.budgets) {
		c := p.budgets[name]
		if len(c.refused) == 0 || !all && now.Sub(c.since) < throttledInterval {
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
