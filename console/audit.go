package console

import (
	"context"
	"sync"
	"time"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	auditWriteTimeout = 5 * time.Second        // maximum time to write one audit entry
	auditCloseTimeout = 500 * time.Millisecond // maximum time to write the remaining audit entries when the server stops
	maxAuditBacklog   = 1000                   // maximum number of unwritten audit entries; chosen to be more than occur while the disk fails
)

// auditBacklog holds the audit entries that could not be written yet, oldest first. It is safe for concurrent use.
type auditBacklog struct {
	mu   sync.Mutex
	list []journal.OperatorAction
}

// add appends an audit entry. It returns false if the backlog is full.
func (o *auditBacklog) add(d *journal.OperatorAction) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.list) >= maxAuditBacklog {
		return false
	}
	o.list = append(o.list, *d)
	return true
}

// takeAll removes and returns all entries of the backlog.
func (o *auditBacklog) takeAll() []journal.OperatorAction {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := o.list
	o.list = nil
	return list
}

// recordAction writes an operator's action to the audit log and to the server's log. If the write to the audit log fails, the
// entry joins the backlog, which flushAudit writes again every second.
func (c *Console) recordAction(ctx context.Context, d *journal.OperatorAction) {
	fields := []any{fieldOperator, d.Operator, fieldRole, d.Role, "player", d.Player, telemetry.FieldAccount, d.Account,
		"detail", d.Detail, "result", d.Result}
	d.At = time.Now()
	if err := c.writeAudit(ctx, d); err != nil {
		kept := c.backlog.add(d)
		c.log.Error("console: an operator's action could not be written to the audit log", append([]any{fieldAction, d.Action, telemetry.FieldErr, err, "retry", kept}, fields...)...)
	}
	c.log.Info("console: "+d.Action, fields...)
}

func (c *Console) writeAudit(ctx context.Context, d *journal.OperatorAction) error {
	ctx, cancel := context.WithTimeout(ctx, auditWriteTimeout)
	defer cancel()
	return c.Journal.RecordAction(ctx, *d)
}

// flushAudit first writes the backlog: the entries that could not be written before. Then it writes the audit entries that count
// refused actions and are due. Such an entry is due a minute after its first refused action, or at once if all is true.
func (c *Console) flushAudit(ctx context.Context, all bool) {
	list := c.backlog.takeAll()
	for i := range list {
		if c.writeAudit(ctx, &list[i]) == nil {
			continue
		}
		for ; i < len(list); i++ { // the write failed again: return the remaining entries to the backlog
			c.backlog.add(&list[i])
		}
		break
	}
	for _, d := range c.actions.takeDueEntries(c.clock(), all) {
		c.recordAction(ctx, &d)
	}
}

// auditBody is the response of GET /audit: one page of audit entries.
type auditBody struct {
	Entries []journal.OperatorAction `json:"entries"` // actions of operators, newest first
	Next    *int64                   `json:"next"`    // query parameter "before" for the next page; null on the last page
}

// audit handles GET /audit. It returns the actions that operators performed or attempted, newest first.
func (k *call) audit() (any, error) {
	ask, err := k.parseQuery("before", "limit")
	if err != nil {
		return nil, err
	}
	before, limit, err := parsePaging(ask)
	if err != nil {
		return nil, err
	}
	list, err := k.Journal.OperatorActions(k.r.Context(), before, limit)
	if err != nil {
		return nil, err
	}
	b := auditBody{Entries: list}
	if b.Entries == nil {
		b.Entries = []journal.OperatorAction{}
	}
	if len(list) == limit {
		b.Next = &list[len(list)-1].ID
	}
	return b, nil
}
