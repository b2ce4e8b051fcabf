package gateway

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/truestep-io/truestep/telemetry"
)

// Calls runs what a worker must not wait for, such as logins. Each call runs on a goroutine of its own and returns a
// function that the worker runs, so that results are applied without locks. The worker begins with Open, runs everything
// that it receives from Results, and ends with the function that Open returned.
type Calls struct {
	Results chan func() // to be run by the worker, in any order

	log   *slog.Logger
	slots chan struct{}
	ctx   context.Context // of the calls; ends with the worker
}

// NewCalls allows limit calls at a time.
func NewCalls(limit int, log *slog.Logger) *Calls {
	return &Calls{Results: make(chan func(), limit), log: log, slots: make(chan struct{}, limit)}
}

// Open allows calls until end is called. end cancels the context of running calls, whose results are then dropped.
func (c *Calls) Open(ctx context.Context) (end func()) {
	c.ctx, end = context.WithCancel(ctx)
	return end
}

// Start runs block, which may wait, and passes the function that it returns to the worker. It returns false, and runs
// nothing, if as many calls run as NewCalls allows. A panic of block is raised again on the worker's goroutine.
func (c *Calls) Start(block func(ctx context.Context) (done func())) bool {
	select {
	case c.slots <- struct{}{}:
	default:
		return false
	}
	go func() {
		defer func() { <-c.slots }()
		c.deliver(c.run(block))
	}()
	return true
}

// Post lets the worker run f. It may be called from any goroutine and does not wait. A worker that has ended does not
// run f.
func (c *Calls) Post(f func()) { go c.deliver(f) }

// Busy reports whether a call runs or a result waits for the worker.
func (c *Calls) Busy() bool { return len(c.slots) > 0 || len(c.Results) > 0 }

func (c *Calls) deliver(done func()) {
	select {
	case c.Results <- done:
	case <-c.ctx.Done():
	}
}

// run runs block; of a panic it returns a function that panics with the same value.
func (c *Calls) run(block func(ctx context.Context) (done func())) (done func()) {
	defer func() {
		if v := recover(); v != nil {
			LogPanic(c.log, doorBroke, v)
			done = func() { panic(v) }
		}
	}()
	return block(c.ctx)
}

// Guard runs a worker and turns a panic, which is a broken invariant, into an error. The process must not end with the
// panic: the areas hold changes to players that are not stored yet.
func Guard(door string, log *slog.Logger, run func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			LogPanic(log, doorBroke, v)
			err = fmt.Errorf("%s: %s: %v", door, doorBroke, v)
		}
	}()
	run()
	return nil
}

// doorBroke is the log line of a panic that ends a door.
const doorBroke = "the door broke"

// LogPanic logs the value of a recover and the stack of its panic. The deferred function must call it directly.
func LogPanic(log *slog.Logger, msg string, v any) {
	log.Error(msg, telemetry.FieldPanic, fmt.Sprint(v), telemetry.FieldStack, string(debug.Stack()))
}
