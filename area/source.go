package area

import (
	"fmt"
	"runtime/debug"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Source gives an area its batches when several processes agree on them, in place of the area's own inbox and timer. Every
// process steps the same batches in the same order. The goroutine of the area calls its methods; a state that a method gets
// or returns belongs to the area again when the method has returned.
type Source interface {
	// State returns the state that the area starts from.
	State() *sim.Area
	// Next returns the next batch as soon as the processes have agreed on it. It returns false when stop is closed, or if there
	// will be no further batch.
	Next(stop <-chan struct{}) (Agreed, bool)
	// Stepped is called after the frame of a batch was published. a is the state after the batch.
	Stepped(a *sim.Area, f *sim.Frame)
	// Restore returns the state before the last batch, which made the area panic. The area continues from it with the
	// next batch. An error stops the area.
	Restore() (*sim.Area, error)
}

// Agreed is what Source.Next returns: a batch, or a state.
type Agreed struct {
	Intents []sim.Intent // of the next tick, in order of processing; valid until the next call of Next
	State   *sim.Area    // if not nil, it replaces the state of the area, which was too far behind, and nothing is stepped
}

// stepAgreedBatches steps the batches of the source until the world stops.
func (r *runner) stepAgreedBatches(stop <-chan struct{}) {
	for {
		in, ok := r.source.Next(stop)
		switch {
		case !ok:
			return
		case in.State != nil:
			r.replaceState(in.State)
		default:
			r.stepAgreed(in.Intents)
		}
	}
}

// stepAgreed advances the area once with a batch of the source. If the step panics, it does so in every process, and all of
// them leave out the batch.
func (r *runner) stepAgreed(intents []sim.Intent) {
	began := time.Now()
	r.reclaim()
	r.intents = intents
	if r.recorder != nil {
		r.recorder.before(r.sim, r.intents)
	}
	f := r.stepOrRestore()
	if f == nil {
		return
	}
	r.commit(f)
	r.publish(f, nil)
	r.due = time.Now().Add(r.world.period)
	r.source.Stepped(r.sim.(*sim.Area), f)
	r.stats.addTick(f, len(r.intents), r.world.NowMS(), time.Since(began))
	r.intents = nil // of the source
}

// stepOrRestore steps the simulation. It returns nil after a panic, if the source has restored the state before it.
func (r *runner) stepOrRestore() (f *sim.Frame) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		stack := debug.Stack()
		r.stepping.CompareAndSwap(uint64(r.tick+1), notStepping)
		state, err := r.source.Restore()
		if err != nil {
			panic(fmt.Sprintf("%v; and the state before it cannot be restored: %v", v, err))
		}
		r.world.log.Error("the intents of a tick made the area panic; they are left out", telemetry.FieldArea, r.name,
			telemetry.FieldTick, r.tick+1, telemetry.FieldPanic, fmt.Sprint(v), telemetry.FieldStack, string(stack))
		if r.recorder != nil {
			r.save(fmt.Sprint(v), string(stack))
		}
		r.replaceState(state)
	}()
	return r.stepSim()
}

// replaceState continues the area from another state. Frames of the old state are not reused. The readers of the area are told that they
// have missed frames.
func (r *runner) replaceState(state *sim.Area) {
	r.sim = state
	r.due = time.Time{}
	r.tick, r.hash = state.Now(), state.Hash()
	r.released = &releasedFrames{}
	r.spare, r.returned = nil, nil
	if r.last != nil {
		r.last.release()
		r.last = nil
	}
	for _, feed := range *r.feeds.Load() {
		feed.miss(r.id)
		r.stats.addMissed()
	}
	if r.recorder != nil {
		r.recorder.start(r.sim)
	}
}

// Drain moves the waiting intents of an area to the end of dst, for a Source. In one round it takes at most
// Options.MaxIntentsTick intents of each player; newRound begins another one.
func (w *World) Drain(a sim.AreaID, dst []sim.Intent, newRound bool) []sim.Intent {
	return w.areas[a].inbox.drain(dst, newRound)
}

// Full counts an intent that was refused because its player has too many unprocessed ones.
func (w *World) Full(a sim.AreaID) { w.areas[a].stats.addFull() }
