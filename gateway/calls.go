package gateway

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/truestep-io/truestep/telemetry"
)

// BlockingCalls runs functions that may block, such as logins, on goroutines of their own, so that a worker need not wait for them.
// Each of these functions returns another function, which applies the result. The worker runs that second function on its own
// goroutine, so it needs no locks. The owner of the BlockingCalls, usually a Loop, must (1) call Open, (2) run every function that it
// receives from Results or that was passed to Post, (3) at the end call the function that Open returned.
type BlockingCalls struct {
	Results chan func() // functions that apply the results of finished calls; the worker must run each of them

	log   *slog.Logger
	slots chan struct{}   // holds one element per running call; its capacity is the limit
	ctx   context.Context // context of the calls; ends with the worker

	mu     sync.Mutex
	posted []func()      // posted functions that the worker has not run yet
	wake   chan struct{} // has capacity 1; an element means that posted may contain functions
}

// NewBlockingCalls returns BlockingCalls that run at most limit calls at a time.
func NewBlockingCalls(limit int, log *slog.Logger) *BlockingCalls {
	return &BlockingCalls{Results: make(chan func(), limit), log: log, slots: make(chan struct{}, limit), wake: make(chan struct{}, 1)}
}

// Open prepares c for calls and must be called before Start. The returned function end cancels the contexts of all running
// calls. Their results are then discarded.
func (c *BlockingCalls) Open(ctx context.Context) (end func()) {
	c.ctx, end = context.WithCancel(ctx)
	return end
}

// Start runs the function block on a new goroutine. The worker then runs the function that block returns. Start returns false without
// running block if the limit of concurrent calls is reached. If block panics, the goroutine of the worker panics with the same value.
func (c *BlockingCalls) Start(block func(ctx context.Context) (done func())) bool {
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

// Post queues f for the worker, which runs it unless the worker has ended. Post may be called from any goroutine and does
// not block. The queue is not bounded: callers post at most a few functions per connection of the worker.
func (c *BlockingCalls) Post(f func()) {
	c.mu.Lock()
	c.posted = append(c.posted, f)
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// runPosted runs the functions that were passed to Post. The worker calls it when it receives from the channel wake.
func (c *BlockingCalls) runPosted() {
	c.mu.Lock()
	list := c.posted
	c.posted = nil
	c.mu.Unlock()
	for _, f := range list {
		f()
	}
}

// Busy reports whether a call is running or the result of a call waits for the worker.
func (c *BlockingCalls) Busy() bool { return len(c.slots) > 0 || len(c.Results) > 0 }

// deliver passes done, which applies the result of a call, to the worker. It discards done if the worker has ended.
func (c *BlockingCalls) deliver(done func()) {
	select {
	case c.Results <- done:
	case <-c.ctx.Done():
	}
}

// run calls block and returns its result, the function that the worker calls afterwards. If block panics, run returns a function
// that panics with the same value.
func (c *BlockingCalls) run(block func(ctx context.Context) (done func())) (done func()) {
	defer func() {
		if v := recover(); v != nil {
			LogPanic(c.log, doorPanicked, v)
			done = func() { panic(v) }
		}
	}()
	return block(c.ctx)
}

// Guard calls run, the main function of a worker. If run panics, Guard returns an error: the process must not end, because areas
// hold player records that are not stored yet.
func Guard(door string, log *slog.Logger, run func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			LogPanic(log, doorPanicked, v)
			err = fmt.Errorf("%s: %s: %v", door, doorPanicked, v)
		}
	}()
	run()
	return nil
}

// RecoverPanic recovers from a panic in the goroutine that serves one connection of a door, counts it in the door's metrics and logs
// it. The server continues. RecoverPanic must be deferred.
func RecoverPanic(door *telemetry.DoorMetrics, log *slog.Logger) {
	if v := recover(); v != nil {
		door.Bad.With("panic").Inc()
		LogPanic(log, "the code that serves a client panicked; the connection was closed", v)
	}
}

// doorPanicked is the log message for a panic that ends a door.
const doorPanicked = "the door stopped because its code panicked"

// LogPanic logs v, the result of recover, with the stack of the panic. A deferred function must call LogPanic directly.
func LogPanic(log *slog.Logger, msg string, v any) {
	log.Error(msg, telemetry.FieldPanic, fmt.Sprint(v), telemetry.FieldStack, string(debug.Stack()))
}
