package console

import (
	"context"
	"sync"
	"time"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	noteWithin = 5 * time.Second        // for writing down a deed
	noteAtEnd  = 500 * time.Millisecond // for all that are left when the server stops
	maxOwed    = 1000                   // deeds that wait for a disk that takes none   guess: more than people do while it fails
)

// owed are deeds that the audit has not taken, oldest first. Safe for any goroutine.
type owed struct {
	mu   sync.Mutex
	list []journal.OperatorAction
}

// add keeps a deed for later, and tells whether there was room.
func (o *owed) add(d *journal.OperatorAction) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.list) >= maxOwed {
		return false
	}
	o.list = append(o.list, *d)
	return true
}

// take takes all.
func (o *owed) take() []journal.OperatorAction {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := o.list
	o.list = nil
	return list
}

// noteDeed writes a deed into the audit and into the log. What the disk does not take is written later.
func (c *Console) noteDeed(ctx context.Context, d *journal.OperatorAction) {
	fields := []any{fieldOperator, d.Operator, fieldRole, d.Role, "player", d.Player, telemetry.FieldAccount, d.Account,
		"detail", d.Detail, "result", d.Result}
	d.At = time.Now()
	if err := c.write(ctx, d); err != nil {
		kept := c.owed.add(d)
		c.log.Error("console: a deed could not be noted", append([]any{fieldAction, d.Action, telemetry.FieldErr, err, "again", kept}, fields...)...)
	}
	c.log.Info("console: "+d.Action, fields...)
}

func (c *Console) write(ctx context.Context, d *journal.OperatorAction) error {
	ctx, cancel := context.WithTimeout(ctx, noteWithin)
	defer cancel()
	return c.Journal.RecordAction(ctx, *d)
}

// noteRest writes what the audit is owed, and what was refused for its number: that whose minute is over, or all.
func (c *Console) noteRest(ctx context.Context, all bool) {
	list := c.owed.take()
	for i := range list {
		if c.write(ctx, &list[i]) == nil {
			continue
		}
		for ; i < len(list); i++ { // the disk takes none of them now
			c.owed.add(&list[i])
		}
		break
	}
	for _, d := range c.deeds.due(c.clock(), all) {
		c.noteDeed(ctx, &d)
	}
}
