package gateway

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/truestep-io/truestep/telemetry"
)

// Calls are what a worker asks of the hub and must not wait for: each runs on a goroutine of its own and brings back a
// function that the worker runs. The worker makes it with NewCalls, begins and ends it with Open, and reads C.
type Calls struct {
	C chan func() // what calls bring back, to be run by the worker

	log   *slog.Logger
	slots chan struct{}
	ctx   context.Context // of the calls; ends with the worker
}

// NewCalls allows so many at a time.
func NewCalls(most int, log *slog.Logger) *Calls {
	return &Calls{C: make(chan func(), most), log: log, slots: make(chan struct{}, most)}
}

// Open lets calls be made until end is called, which tells those under way to stop; what they bring back is dropped then.
func (c *Calls) Open(ctx context.Context) (end func()) {
	c.ctx, end = context.WithCancel(ctx)
	return end
}

// Do runs something that blocks and brings done back to the worker. It is false, and nothing is run, if there are too
// many already. A panic of block is the worker's: it comes when the worker runs what was brought back.
func (c *Calls) Do(block func(ctx context.Context) (done func())) bool {
	select {
	case c.slots <- struct{}{}:
	default:
		return false
	}
	go func() {
		defer func() { <-c.slots }()
		c.bring(c.attempt(block))
	}()
	return true
}

// Ask lets the worker run f, from any goroutine. It does not wait. A worker that ends does not run it.
func (c *Calls) Ask(f func()) { go c.bring(f) }

// Busy tells whether a call is under way, or what one brought back has not been taken from C.
func (c *Calls) Busy() bool { return len(c.slots) > 0 || len(c.C) > 0 }

func (c *Calls) bring(done func()) {
	select {
	case c.C <- done:
	case <-c.ctx.Done():
	}
}

// attempt makes a panic of block one of whoever runs what it brings back.
func (c *Calls) attempt(block func(ctx context.Context) (done func())) (done func()) {
	defer func() {
		if v := recover(); v != nil {
			LogPanic(c.log, doorBroke, v)
			done = func() { panic(v) }
		}
	}()
	return block(c.ctx)
}

// Guard runs a worker and turns its panics, which are broken invariants, into an error. The process must not end with
// one: what the areas know of everybody since the last records would be lost.
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
