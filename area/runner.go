package area

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// stepper is the part of *sim.Area that a runner uses. It is an interface so that tests can replace the area by a simpler type.
type stepper interface {
	Step(intents []sim.Intent) *sim.Frame
	Recycle(f *sim.Frame)
	CloneInto(dst *sim.Area)
	Arrived(from sim.AreaID) uint64
}

// runner owns one area and its goroutine. The fields of the last group, from sim on, are accessed only by that goroutine, by
// Redefine while the area is paused, and by Stop after the goroutine has ended.
type runner struct {
	world    *World
	id       sim.AreaID
	name     string
	inbox    *inbox
	released *releasedFrames
	stats    *statsRecorder
	feeds    atomic.Pointer[[]*Feed] // replaced under World.mu, never changed in place

	stepping  atomic.Uint64          // number of the tick that is being stepped, or notStepping or hung
	goroutine atomic.Pointer[string] // words that begin the stack trace of the area's goroutine; see ownGoroutine
	ended     chan struct{}          // closed when the area's goroutine has ended or is abandoned
	pauses    chan pause             // requests of Redefine to pause the area between two ticks

	sim       stepper
	source    Source    // nil if the area has its own timer and inbox
	log       Log       // nil if the area's ticks are not logged
	tape      Tape      // nil if the ticks of an area with a source are not recorded
	recorder  *recorder // nil if no replay is recorded
	intents   []sim.Intent
	crossings []crossing  // intents to submit to other areas, in order of their ticks
	tick      sim.Tick    // tick of the state of sim
	hash      uint64      // Frame.Hash of the state of sim; 0 for a new area
	atMS      int64       // newest Agreed.AtMS; 0 if the area has no source
	last      *frameRef   // the newest frame, referenced until the next frame is published; nil before the first frame
	spare     []*frameRef // unused frame references, retained for reuse
	returned  []*frameRef // frame references that readers have returned; working memory of reclaim
	err       error       // the panic that stopped the area, nil if none did
	due       time.Time   // when the current tick should have begun; zero for a tick without a schedule, as in a stopping world
	lateness  lateness
}

// run steps the area until the world stops or a step panics. If the area has a source, run steps the batches of the source.
// Otherwise it steps the intents of the inbox at the world's tick rate; the parameter first is the time at which the first tick
// is due.
func (r *runner) run(stop <-chan struct{}, first time.Time) {
	defer func() {
		if !r.isHung() { // if the area hung, abandon has already closed r.ended
			close(r.ended)
		}
	}()
	defer r.guard()
	id := ownGoroutine()
	r.goroutine.Store(&id)
	if r.source != nil {
		r.stepAgreedBatches(stop)
	} else {
		r.stepOnSchedule(stop, first)
	}
}

// stepOnSchedule steps the intents of the inbox at the world's tick rate until the world stops. Tick n is due at first
// plus n periods, even if earlier ticks were late, so that the rate does not drift.
func (r *runner) stepOnSchedule(stop <-chan struct{}, first time.Time) {
	period := r.world.period
	due := first
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	for {
		select {
		case <-stop:
			return
		case p := <-r.pauses:
			p.wait()
			continue
		case <-timer.C:
		}
		select {
		case <-stop: // check again: the timer of an area that is behind is always ready, so the first select may never choose stop
			return
		default:
		}
		r.due = due
		took := r.step(nil, nil)
		r.due = time.Time{}
		due = due.Add(period)
		if skip := r.ticksToSkip(time.Since(due)); took > period || skip > 0 {
			r.stats.addOverrun(skip)
			due = due.Add(time.Duration(skip) * period)
		}
		timer.Reset(time.Until(due))
	}
}

// maxCatchUp is the maximum number of overdue ticks that an area steps without a pause. If more are overdue, the others are
// skipped, so that no long burst follows a long stall.
const maxCatchUp = 3

// ticksToSkip returns how many overdue ticks an area must skip (see maxCatchUp). The parameter late is how long the next tick is
// overdue.
func (r *runner) ticksToSkip(late time.Duration) int {
	return max(int(late/r.world.period)-maxCatchUp+1, 0)
}

// step advances the area by one tick and returns how long that took. (1) It takes the intents of the inbox, and then those of
// the parameter extra. (2) The simulation steps them while the log writes them. (3) When the log has written them, step
// publishes the frame; the parameter wait is passed to Feed.offer. (4) It sends intents to other areas if the ticks that caused
// them are durable.
func (r *runner) step(extra []sim.Intent, wait <-chan struct{}) time.Duration {
	began := time.Now()
	r.reclaim()
	r.intents = append(r.inbox.drain(r.intents[:0], true), extra...)
	r.record()
	f := r.stepSim()
	r.commit(f)
	r.publish(f, wait)
	r.collectCrossings(f)
	r.submitCrossings()
	r.logSnapshot()
	took := time.Since(began)
	r.stats.addTick(f, len(r.intents), r.world.NowMS(), took)
	clear(r.intents) // release the texts and characters of the intents
	return took
}

// record passes the intents of the next step to the log and to the recorder of replays.
func (r *runner) record() {
	if r.log != nil {
		r.log.Seal(Batch{Tick: r.tick + 1, PrevHash: r.hash, Intents: r.intents})
	}
	if r.recorder != nil {
		r.recorder.before(r.sim, r.intents)
	}
}

// commit waits until the log has written the intents of the last step, and records the hash of the resulting frame. It runs
// before the frame is published.
func (r *runner) commit(f *sim.Frame) {
	r.tick, r.hash = f.Tick, f.Hash
	if r.log != nil {
		r.log.Commit()
	}
	if r.recorder != nil {
		r.recorder.after(f.Hash)
	}
}

// logSnapshot passes a copy of the area to the log if the log needs a snapshot.
func (r *runner) logSnapshot() {
	if r.log == nil {
		return
	}
	if memory := r.log.SnapshotBuffer(); memory != nil {
		r.sim.CloneInto(memory)
		r.log.Snapshot(memory)
	}
}

// durable returns the newest tick that survives a loss of power. Without a log every tick counts as durable, because then no tick
// survives the end of the process anyway.
func (r *runner) durable() sim.Tick {
	if r.log == nil {
		return math.MaxUint64
	}
	return r.log.Durable()
}

// reclaim gives the frames that all readers have released back to the area, which reuses them.
func (r *runner) reclaim() {
	r.returned = r.released.swap(r.returned)
	for i, h := range r.returned {
		r.sim.Recycle(h.frame)
		h.frame = nil
		r.spare = append(r.spare, h)
		r.returned[i] = nil
	}
}

// publish sends the frame to every feed that subscribes to the area.
func (r *runner) publish(f *sim.Frame, wait <-chan struct{}) {
	h := r.newRef(f)
	h.late, h.atMS = r.lateness.update(r.due, time.Now(), r.world.period), r.atMS
	for _, feed := range *r.feeds.Load() {
		h.refs.Add(1)
		if !feed.offer(h, wait) {
			h.refs.Add(-1) // never reaches 0, because the area itself holds a reference
			r.stats.addMissed()
		}
	}
	if r.last != nil {
		r.last.release()
	}
	r.last = h
}

// newRef returns a reference to the frame f with a reader count of 1: the area itself counts as a reader.
func (r *runner) newRef(f *sim.Frame) *frameRef {
	var h *frameRef
	if n := len(r.spare); n > 0 {
		h = r.spare[n-1]
		r.spare = r.spare[:n-1]
	} else {
		h = &frameRef{pool: r.released}
	}
	h.frame = f
	h.refs.Store(1)
	return h
}

// guard is deferred in the goroutine of the area. It recovers from a panic, which means that an invariant is broken: it stops the
// area and saves the area's replay.
func (r *runner) guard() {
	v := recover()
	if v == nil {
		return
	}
	stack := debug.Stack()
	if !r.endPanicked() {
		r.logLatePanic(v, stack)
		return
	}
	r.err = fmt.Errorf("area %q stopped: %v%s", r.name, v, gameIn(string(stack)))
	r.inbox.raise(inboxClosed)
	r.world.log.Error("area stopped after a panic", telemetry.FieldArea, r.name,
		telemetry.FieldPanic, fmt.Sprint(v), telemetry.FieldStack, string(stack))
	if r.recorder != nil {
		if path := r.save(fmt.Sprint(v), string(stack)); path != "" {
			r.err = fmt.Errorf("%w; the replay of its last ticks is %s", r.err, path)
		}
	}
	r.stats.setFailed(r.err)
	r.world.fail(r.err)
}

// logLatePanic logs a panic in a tick that did not end in time, so that abandon has already stopped the area.
func (r *runner) logLatePanic(v any, stack []byte) {
	r.world.log.Error("a tick that had exceeded its time limit has panicked; its area was stopped before", telemetry.FieldArea, r.name,
		telemetry.FieldPanic, fmt.Sprint(v), telemetry.FieldStack, string(stack))
}

// save writes the replay of the area after a panic and returns the path of the file, or "" if writing failed.
func (r *runner) save(panicked, stack string) string {
	def := r.world.Def()
	p := &Replay{
		World: def.Name, Digest: def.Digest(), Area: r.name,
		Snapshot: r.recorder.snapshot(), Seed: r.world.opt.Seed, Ticks: r.recorder.ticks[:r.recorder.n],
		Panic: panicked, Stack: stack,
	}
	path, err := p.write(r.world.opt.ReplayDir, time.Now())
	level, text := slog.LevelInfo, "replay of the stopped area saved"
	if err != nil {
		level, text = slog.LevelError, "replay of the stopped area could not be written completely"
	}
	r.world.log.Log(context.Background(), level, text,
		telemetry.FieldArea, r.name, telemetry.FieldFile, path, telemetry.FieldErr, err)
	if err != nil {
		return ""
	}
	return path
}
