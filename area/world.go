package area

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Default limits of an area's inbox, which apply if the options do not set them.
const (
	MaxInbox       = 64 // maximum number of waiting intents of one player; chosen to hold what the busiest client sends in 3 s
	MaxIntentsTick = 8  // maximum number of intents of one player per tick; chosen to be twice as many as the busiest client sends
)

// Options configures a world. The zero value is usable.
type Options struct {
	Seed    uint64             // seed of every area's random stream
	Log     *slog.Logger       // nil selects slog.Default()
	Metrics *telemetry.Metrics // nil selects metrics that are counted but not exported

	MaxInbox       int // maximum number of waiting intents of one player; 0 selects the constant MaxInbox (64)
	MaxIntentsTick int // maximum number of intents of one player per tick; 0 selects the constant MaxIntentsTick (8)

	// Open returns the log of an area and the state from which the area starts. If the log is nil, nothing is logged; if the
	// state is nil, the area is new. If Open itself is nil, all areas are new and have no log.
	Open func(sim.AreaID) (Log, *sim.Area)

	// Source returns the source of an area's batches. It is set if several processes step the same batches. Then Open is not
	// called, and Stop leaves the players in the world. If Source is nil, each area has its own inbox and timer.
	Source func(sim.AreaID) Source
	// Tape returns the tape that records an area, if Source is set. If Tape is nil, nothing is recorded.
	Tape func(sim.AreaID) Tape
	// Clock replaces Host.NowMS if Source is set. It returns a time in ms that is nearly equal in all processes.
	Clock func() int64

	ReplayDir string // folder for the replay of an area that panics; if "", no replay is recorded, which saves memory

	// PauseTime is the maximum time for which Redefine pauses the areas; 0 selects 2 s. If the definition is not replaced by then,
	// Redefine returns an error and the areas continue unchanged. If it is, the areas stay paused until the new states are durable in
	// their logs, for at most half of PauseTime in addition.
	PauseTime time.Duration
}

func (o *Options) fill() {
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
	if o.PauseTime <= 0 {
		o.PauseTime = pauseTime
	}
}

// World runs the areas of one sim.World, each in a goroutine. It implements Host. Its methods are safe for concurrent use.
type World struct {
	def       atomic.Pointer[sim.World] // replaced by Redefine while no area runs
	opt       Options
	log       *slog.Logger
	period    time.Duration
	areas     []*runner // indexed by AreaID; immutable
	begun     atomic.Pointer[time.Time]
	baseMS    int64          // value of NowMS at Start, in ms; later than the clocks of the restored states
	halted    chan struct{}  // closed to end the goroutines of the areas
	wg        sync.WaitGroup // counts the goroutine that watches the areas
	unwatched chan struct{}  // closed to end the goroutine that watches the areas
	once      sync.Once      // makes Stop run once
	result    error          // result of Stop

	redefining sync.Mutex // held by Redefine

	restored []RestoredPlayer // players in the restored states from which the areas started

	mu       sync.Mutex
	unhook   func() bool   // cancels the AfterFunc on the context of Start; nil before Start
	feeds    []*Feed       // open subscriptions
	stopping bool          // true: the channel halted is closed
	stopped  bool          // true: all feeds are closed
	err      error         // error of the first area that failed; see Err
	done     chan struct{} // closed when an area has failed or the world has stopped; see Done
	isDone   bool          // true: the channel done is closed
}

var _ Host = (*World)(nil)

// NewWorld creates the areas of def, which must be a valid world and must not change afterwards. The areas run from Start on.
func NewWorld(def *sim.World, o Options) *World {
	o.fill()
	states := make([]*sim.Area, len(def.Areas))
	logs := make([]Log, len(def.Areas))
	if o.Source != nil {
		return newSourceWorld(def, o)
	}
	for i := range states {
		if o.Open != nil {
			logs[i], states[i] = o.Open(sim.AreaID(i))
		}
		if states[i] == nil {
			states[i] = sim.NewArea(def, sim.AreaID(i), o.Seed)
		}
	}
	if o.Open != nil {
		for _, change := range sim.Reconcile(states) {
			o.Log.Warn("restored areas contradict each other because their logs are damaged or have gaps; repaired", "change", change)
		}
	}
	w := newWorld(def, o, logs, func(id sim.AreaID) stepper { return states[id] })
	w.restored = restoredPlayers(states)
	for i, a := range states {
		w.areas[i].restore(a)
	}
	return w
}

// newSourceWorld returns a world whose areas take their batches from sources (Options.Source), because several processes step
// them.
func newSourceWorld(def *sim.World, o Options) *World {
	sources := make([]Source, len(def.Areas))
	w := newWorld(def, o, nil, func(id sim.AreaID) stepper {
		sources[id] = o.Source(id)
		return sources[id].State()
	})
	for i, r := range w.areas {
		r.source = sources[i]
		a := r.sim.(*sim.Area)
		r.tick, r.hash = a.Now(), a.Hash()
		if o.Tape != nil {
			r.tape = o.Tape(r.id)
		}
		if r.recorder != nil {
			r.recorder.start(r.sim)
		}
	}
	return w
}

// newWorld returns a world. The parameter build creates the initial state of an area; it is called once for each area.
func newWorld(def *sim.World, o Options, logs []Log, build func(sim.AreaID) stepper) *World {
	o.fill()
	w := &World{
		opt: o, log: o.Log,
		period: time.Second / time.Duration(def.TicksPerSecond),
		halted: make(chan struct{}), unwatched: make(chan struct{}),
		done: make(chan struct{}),
	}
	w.def.Store(def)
	for i := range def.Areas {
		id, name := sim.AreaID(i), def.Areas[i].Name
		r := &runner{
			world: w, id: id, name: name,
			inbox:  newInbox(o.MaxInbox, o.MaxIntentsTick),
			stats:  newStatsRecorder(o.Metrics, id, name),
			sim:    build(id),
			ended:  make(chan struct{}),
			pauses: make(chan pause, 1),

			released: &releasedFrames{},
		}
		r.feeds.Store(&[]*Feed{})
		if logs != nil {
			r.log = logs[i]
		}
		if o.ReplayDir != "" {
			r.recorder = new(recorder)
		}
		w.areas = append(w.areas, r)
	}
	return w
}

// Start steps every area until Stop is called or ctx ends. Even when ctx has ended, the caller must call Stop, because only
// Stop publishes the records of the players. Calls of Start after the first do nothing.
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
		// The areas are due at different times within a tick, so that they do not all compete for the cores at once.
		first := now.Add(w.period + w.period*time.Duration(i)/time.Duration(len(w.areas)))
		go r.run(w.halted, first)
	}
	w.wg.Go(w.watch)
}

// Restored returns the players that were in the restored states from which the areas started, even if they have left
// since.
func (w *World) Restored() []RestoredPlayer { return w.restored }

// Def implements Host: it returns the definition of the world.
func (w *World) Def() *sim.World { return w.def.Load() }

// NowMS implements Host. The world's time continues from the restored areas: it is the milliseconds since Start, plus the latest
// time of any restored state. Before Start it is 0.
func (w *World) NowMS() int64 {
	if w.opt.Clock != nil {
		return w.opt.Clock()
	}
	begun := w.begun.Load()
	if begun == nil {
		return 0
	}
	return w.baseMS + time.Since(*begun).Milliseconds()
}

// Durable implements Host: it returns the newest tick of an area that survives a loss of power.
func (w *World) Durable(a sim.AreaID) sim.Tick {
	if a < 0 || int(a) >= len(w.areas) {
		return math.MaxUint64
	}
	return w.areas[a].durable()
}

// Storable implements Host: it returns the newest tick of an area up to which records may be stored.
func (w *World) Storable(a sim.AreaID) sim.Tick {
	if a >= 0 && int(a) < len(w.areas) && w.areas[a].log != nil {
		return w.areas[a].log.Storable()
	}
	return math.MaxUint64
}

// Saved implements Host: it tells the log of an area that the store has all character records that the area emitted up to a
// tick.
func (w *World) Saved(a sim.AreaID, tick sim.Tick) {
	if a >= 0 && int(a) < len(w.areas) && w.areas[a].log != nil {
		w.areas[a].log.Saved(tick)
	}
}

// Owner implements Host: this process owns every area, and no other process can.
func (w *World) Owner(sim.AreaID) (epoch uint64, own bool) { return 0, true }

// SavedTick implements Host. It returns the greatest possible tick, because no other process can own an area.
func (w *World) SavedTick(sim.AreaID) sim.Tick { return math.MaxUint64 }

// Missed implements Host. It does nothing, because no other process could store the records of the missed ticks.
func (w *World) Missed(sim.AreaID, sim.Tick) {}

// Barrier implements Host. It returns at once, because this process publishes every frame.
func (w *World) Barrier(context.Context) ([]sim.Tick, error) { return nil, nil }

// Find implements Host. It always finds nothing, because all players are known without it: they entered through the sessions of
// this process, or Restored lists them.
func (w *World) Find(context.Context, sim.CharacterID) (RestoredPlayer, bool, error) {
	return RestoredPlayer{}, false, nil
}

// CloseLogs closes the logs and tapes of the areas. Call it after Stop. The parameter clean must be true only if Stop returned no
// error and the store has every record. Then the next start restores nothing from the logs.
func (w *World) CloseLogs(clean bool) error {
	errs := make([]error, len(w.areas))
	var wg sync.WaitGroup // close all logs concurrently, so that a slow disk delays Stop only once
	for i, r := range w.areas {
		switch {
		case r.isHung():
		case r.log != nil:
			wg.Go(func() { errs[i] = r.log.Close(clean && r.err == nil) })
		case r.tape != nil:
			wg.Go(func() { errs[i] = r.tape.Close() })
		}
	}
	wg.Wait()
	return errors.Join(errs...)
}

// Submit implements Host. The area executes the intent in the next tick in which the player's limit of intents per tick allows
// it; intents of the server and of operators have no limit. Submit does not verify in.Who. Errors: ErrFull, ErrClosed.
func (w *World) Submit(a sim.AreaID, in sim.Intent) error {
	if a < 0 || int(a) >= len(w.areas) {
		return ErrClosed
	}
	r := w.areas[a]
	err := r.inbox.put(in)
	if errors.Is(err, ErrFull) {
		r.stats.addFull()
	}
	return err
}

// Err returns the first error of the world, or nil. It is the error of an area that failed because of a panic or of a tick that did
// not end, or the error of a call of Fail.
func (w *World) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Done returns a channel that is closed when an area has failed (see Err) or the world has stopped. After the failure of one
// area the others continue until Stop, so that their players are saved.
func (w *World) Done() <-chan struct{} { return w.done }

// Fail records err as the error of the world (see Err) and closes the channel of Done, as a panic of an area does. The areas continue
// until Stop. The implementation of a Source calls Fail if it cannot supply further batches.
func (w *World) Fail(err error) { w.fail(err) }

func (w *World) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
	w.finish()
}

// finish closes the channel that Done returns, unless it is closed already. The caller holds w.mu.
func (w *World) finish() {
	if !w.isDone {
		w.isDone = true
		close(w.done)
	}
}
