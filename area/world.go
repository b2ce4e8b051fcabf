package area

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Bounds of an inbox unless Options say otherwise.
const (
	MaxInbox       = 64 // intents of one player that may wait   guess: 3 s of the busiest client
	MaxIntentsTick = 8  // intents of one player per tick        guess: twice the busiest client; revisit
)

// Options of a world. The zero value is usable.
type Options struct {
	Seed    uint64             // of every area's luck
	Log     *slog.Logger       // nil: slog.Default()
	Metrics *telemetry.Metrics // nil: counted, but nobody sees it

	MaxInbox       int // intents of one player that may wait; 0 = MaxInbox
	MaxIntentsTick int // intents of one player that a tick takes; 0 = MaxIntentsTick

	ReplayDir string // where an area that breaks leaves its replay; "" keeps none, and saves the memory
}

// World is the areas of one sim.World and their goroutines. Its methods are safe for any goroutine.
type World struct {
	def    *sim.World
	opt    Options
	log    *slog.Logger
	period time.Duration
	areas  []*runner // index = AreaID; never changes
	begun  atomic.Pointer[time.Time]
	feeds  atomic.Pointer[[]*Feed] // replaced under mu, never changed
	halted chan struct{}           // closed to end the goroutines of the areas
	wg     sync.WaitGroup          // those goroutines
	once   sync.Once               // the work of Stop
	result error                   // of Stop

	mu       sync.Mutex
	unhook   func() bool // from the context of Start; nil before
	stopping bool        // halted is closed
	stopped  bool        // no feed is served any more
	err      error       // of the first area that broke
	done     chan struct{}
	isDone   bool // done is closed
}

var _ Door = (*World)(nil)

// NewWorld makes the areas of def, which must be checked and must not change. Nothing runs before Start.
func NewWorld(def *sim.World, o Options) *World {
	return newWorld(def, o, func(id sim.AreaID) stepper { return sim.NewArea(def, id, o.Seed) })
}

func newWorld(def *sim.World, o Options, build func(sim.AreaID) stepper) *World {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Metrics == nil {
		o.Metrics = telemetry.New()
	}
	if o.MaxInbox <= 0 {
		o.MaxInbox = MaxInbox
	}
	if o.MaxIntentsTick <= 0 {
		o.MaxIntentsTick = MaxIntentsTick
	}
	w := &World{
		def: def, opt: o, log: o.Log,
		period: time.Second / time.Duration(def.TicksPerSecond),
		halted: make(chan struct{}),
		done:   make(chan struct{}),
	}
	w.feeds.Store(&[]*Feed{})
	for i := range def.Areas {
		id, name := sim.AreaID(i), def.Areas[i].Name
		r := &runner{
			world: w, id: id, name: name,
			inbox:  newInbox(o.MaxInbox, o.MaxIntentsTick),
			ledger: newLedger(o.Metrics, id, name),
			sim:    build(id),
		}
		if o.ReplayDir != "" {
			r.recorder = new(recorder)
		}
		w.areas = append(w.areas, r)
	}
	return w
}

// Start begins to step every area, until Stop is called or ctx ends. The end of ctx stops the stepping but saves
// nobody: call Stop in any case. Only its first call does anything.
func (w *World) Start(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.unhook != nil || w.stopping {
		return
	}
	now := time.Now()
	w.begun.Store(&now)
	w.unhook = context.AfterFunc(ctx, w.halt)
	for i, r := range w.areas {
		// Areas are due one after another within a tick, so that they do not all want a core at once.
		first := now.Add(w.period + w.period*time.Duration(i)/time.Duration(len(w.areas)))
		w.wg.Go(func() { r.run(w.halted, first) })
	}
}

// Def is what does not change: rules, templates, areas. Read-only.
func (w *World) Def() *sim.World { return w.def }

// NowMS is ms since Start, never going back; 0 before.
func (w *World) NowMS() int64 {
	begun := w.begun.Load()
	if begun == nil {
		return 0
	}
	return time.Since(*begun).Milliseconds()
}

// Submit puts an intent into the inbox of an area; the next tick that has room for it takes it. It never waits. in.Who
// is trusted. Errors: ErrFull when this player's budget is used up, ErrClosed when the area has stopped or is not of
// this world. Joins and leaves are always taken while the area is open.
func (w *World) Submit(a sim.AreaID, in sim.Intent) error {
	if a < 0 || int(a) >= len(w.areas) {
		return ErrClosed
	}
	r := w.areas[a]
	err := r.inbox.put(in)
	if errors.Is(err, ErrFull) {
		r.ledger.full()
	}
	return err
}

// Err is why the first area that broke did so; nil as long as all is well.
func (w *World) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Done is closed when an area broke, and then Err says why, or when the world has stopped. The other areas go on
// until Stop, so that everybody in them is saved.
func (w *World) Done() <-chan struct{} { return w.done }

func (w *World) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
	w.finish()
}

// finish needs the lock.
func (w *World) finish() {
	if !w.isDone {
		w.isDone = true
		close(w.done)
	}
}
