package console

import (
	"context"
	"sync"
	"time"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	auditWriteTimeout = 5 * time.Second        // for writing down a deed
	auditCloseTimeout = 500 * time.Millisecond // for all that are left when the server stops
	maxAuditBacklog   = 1000                   // deeds that wait for a disk that takes none   guess: more than people do while it fails
)

// auditBacklog are deeds that the audit has not taken, oldest first. Safe for any goroutine.
type auditBacklog struct {
	mu   sync.Mutex
	list []journal.OperatorAction
}

// add keeps a deed for later, and tells whether there was room.
func (o *auditBacklog) add(d *journal.OperatorAction) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.list) >= maxAuditBacklog {
		return false
	}
	o.list = append(o.list, *d)
	return true
}

// takeAll takes all.
func (o *auditBacklog) takeAll() []journal.OperatorAction {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := o.list
	o.list = nil
	return list
}

// recordAction writes a deed into the audit and into the log. What the disk does not take is written later.
func (c *Console) recordAction(ctx context.Context, d *journal.OperatorAction) {
	fields := []any{fieldOperator, d.Operator, fieldRole, d.Role, "player", d.Player, telemetry.FieldAccount, d.Account,
		"detail", d.Detail, "result", d.Result}
	d.At = time.Now()
	if err := c.writeAudit(ctx, d); err != nil {
		kept := c.backlog.add(d)
		c.log.Error("console: a deed could not be noted", append([]any{fieldAction, d.Action, telemetry.FieldErr, err, "again", kept}, fields...)...)
	}
	c.log.Info("console: "+d.Action, fields...)
}

func (c *Console) writeAudit(ctx context.Context, d *journal.OperatorAction) error {
	ctx, cancel := context.WithTimeout(ctx, auditWriteTimeout)
	defer cancel()
	return c.Journal.RecordAction(ctx, *d)
}

// flushAudit writes what the audit is owed, and what was refused for its number: that whose minute is over, or all.
func (c *Console) flushAudit(ctx context.Context, all bool) {
	list := c.backlog.takeAll()
	for i := range list {
		if c.writeAudit(ctx, &list[i]) == nil {
			continue
		}
		for ; i < len(list); i++ { // the disk takes none of them now
			c.backlog.add(&list[i])
		}
		break
	}
	for _, d := range c.actions.takeDueEntries(c.clock(), all) {
		c.recordAction(ctx, &d)
	}
}
