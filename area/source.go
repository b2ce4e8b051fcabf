package area

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Source supplies the batches (the intents of each tick) of an area that several processes step. The processes agree on the
// batches, so every process steps the same batches in the same order. The Source replaces the area's own inbox and timer. The
// goroutine of the area calls its methods. Only during a call may the Source access the state that it receives or returns.
type Source interface {
	// State returns the state from which the area starts. It is called once.
	State() *sim.Area
	// Next returns the next batch as soon as the processes have agreed on it. It returns false if stop is closed or no
	// further batch will come.
	Next(stop <-chan struct{}) (Agreed, bool)
	// Stepped informs the source that the frame f of a batch has been published. The parameter a is the state of the area after
	// the batch.
	Stepped(a *sim.Area, f *sim.Frame)
	// Restore returns the state before a batch that made the area panic. The area skips that batch and continues from the returned
	// state with the next batch. An error stops the area.
	Restore() (*sim.Area, error)
}

// Agreed is the result of Source.Next, on which all processes have agreed: either the intents of the next tick, or a state that
// replaces the area's present state.
type Agreed struct {
	Intents []sim.Intent // intents of the next tick, in order of processing; valid until the next call of Next
	AtMS    int64        // time of the tick in ms since 1970 UTC, equal in all processes unless the clock of the leader is wrong; may decrease
	State   *sim.Area    // if not nil: the area was too far behind and continues from this state; no tick is stepped
}

// stepAgreedBatches steps the batches of the source until the world stops.
func (r *runner) stepAgreedBatches(stop <-chan struct{}) {
	r.continueTape()
	for {
		in, ok := r.source.Next(stop)
		switch {
		case !ok:
			return
		case in.State != nil:
			r.replaceState(in.State)
		default:
			r.stepAgreed(in)
		}
	}
}

// stepAgreed advances the area by one tick with a batch of the source. A batch that panics does so in every process, and
// every process skips it.
func (r *runner) stepAgreed(in Agreed) {
	began := time.Now()
	r.reclaim()
	r.intents, r.atMS = in.Intents, max(r.atMS, in.AtMS)
	if r.tape != nil {
		r.tape.Seal(Batch{Tick: r.tick + 1, PrevHash: r.hash, Intents: in.Intents, AtMS: r.atMS})
	}
	if r.recorder != nil {
		r.recorder.before(r.sim, r.intents)
	}
	f := r.stepOrRestore()
	if f == nil {
		return
	}
	r.commit(f)
	r.publish(f, nil)
	if r.tape != nil {
		r.tape.Commit()
		r.tapeSnapshot()
	}
	r.due = time.Now().Add(r.world.period)
	r.source.Stepped(r.sim.(*sim.Area), f)
	r.stats.addTick(f, len(r.intents), r.world.NowMS(), time.Since(began))
	r.intents = nil // the slice belongs to the source
}

// stepOrRestore steps the simulation. If the step panics, it restores the state before the step from the source and
// returns nil.
func (r *runner) stepOrRestore() (f *sim.Frame) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		stack := debug.Stack()
		if !r.endPanicked() {
			r.logLatePanic(v, stack)
			runtime.Goexit()
		}
		state, err := r.source.Restore()
		if err != nil {
			panic(fmt.Sprintf("%v; the state before the tick that panicked cannot be restored: %v", v, err))
		}
		r.world.log.Error("a tick panicked; the area continues without the intents of the tick", telemetry.FieldArea, r.name,
			telemetry.FieldTick, r.tick+1, telemetry.FieldPanic, fmt.Sprint(v), telemetry.FieldStack, string(stack))
		if r.recorder != nil {
			r.save(fmt.Sprint(v), string(stack))
		}
		r.replaceState(state)
	}()
	return r.stepSim()
}

// replaceState makes the area continue from another state. Frames of the old state are not reused. Every feed counts a missed
// frame, so that its reader learns that ticks are missing.
func (r *runner) replaceState(state *sim.Area) {
	tick, hash := state.Now(), state.Hash()
	moved := tick != r.tick || hash != r.hash // false after a panic
	r.sim = state
	r.due = time.Time{}
	r.tick, r.hash = tick, hash
	if moved {
		r.continueTape()
	}
	r.released = &releasedFrames{}
	r.spare, r.returned = nil, nil
	if r.last != nil {
		r.last.release()
		r.last = nil
	}
	for _, feed := range *r.feeds.Load() {
		feed.miss(r.id, moved)
		r.stats.addMissed()
	}
	if r.recorder != nil {
		r.recorder.start(r.sim)
	}
}

// continueTape makes the tape continue from the present state.
func (r *runner) continueTape() {
	if r.tape != nil {
		r.tape.Continue(r.tick)
		r.tapeSnapshot()
	}
}

// tapeSnapshot passes a copy of the area to the tape if the tape needs a snapshot.
func (r *runner) tapeSnapshot() {
	if memory := r.tape.SnapshotBuffer(); memory != nil {
		r.sim.CloneInto(memory)
		r.tape.Snapshot(memory)
	}
}

// Drain appends the waiting intents of an area's inbox to dst and removes them from the inbox. A Source calls it. A call with
// newRound begins a new round; in one round Drain takes at most Options.MaxIntentsTick intents of each player.
func (w *World) Drain(a sim.AreaID, dst []sim.Intent, newRound bool) []sim.Intent {
	return w.areas[a].inbox.drain(dst, newRound)
}
