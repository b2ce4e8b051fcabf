package console

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/truestep-io/truestep/journal"
)

// actionLimiter limits how many actions each operator may perform: some at once, and further ones at a fixed rate per second.
// Refused actions are counted and recorded in the audit log as one entry per minute, so that a flood is visible but does not
// displace other entries.
type actionLimiter struct {
	mu      sync.Mutex
	budgets map[string]*operatorBudget // by operator name
}

// operatorBudget is what an actionLimiter stores about one operator: a token bucket, and the refused actions that the audit log
// does not have yet.
type operatorBudget struct {
	tokens float64   // token bucket: number of actions that were left at the last update, 0 to actionBurst
	at     time.Time // time of the last update of tokens

	refused map[string]int // number of refused actions by action name that are not in the audit log yet
	since   time.Time      // time of the first refusal in refused
	role    Role           // operator's role at the newest refusal that refused counts
	title   string         // operator's name in the audit log at the newest refusal that refused counts
}

const (
	actionBurst       = 30          // maximum burst of actions of an operator; chosen so that an operator can freeze a crowd
	actionsPerSecond  = 5.0         // sustained actions per second and operator; chosen to be faster than a person clicks
	throttledInterval = time.Minute // period in which refused actions are counted for one audit entry
)

// throttledAction is the name of the action in an audit entry that counts actions refused because of the rate limit.
const throttledAction = "throttled"

// allow reports whether an operator may perform one more action now. If not, it counts the action as refused.
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
	c.role, c.title = v.role, v.title()
	return false
}

// forgetIdle limits the memory for budgets. While there are at most maxOperators budgets, it does nothing. If there are more,
// some belong to revoked operators. It then deletes each budget whose operator has performed no action lately and whose refused
// actions are all in the audit log. The caller holds the lock.
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

// takeDueEntries returns the due audit entries about refused actions, one for each operator, and resets their counts. An
// entry is due a minute after the first refused action that it counts, or at once if all is true.
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
			Operator: c.title, Role: c.role.String(), Action: throttledAction, Detail: strings.Join(parts, ", "),
			Result: fmt.Sprintf("%s %d", throttledAction, n),
		})
		c.refused = nil
	}
	return list
}
