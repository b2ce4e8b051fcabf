package area

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// pauseTime is the default of Options.PauseTime. The value was chosen, not measured: a player should notice the pause only as a short
// lag, and no client should time out.
const pauseTime = 2 * time.Second

// ErrShared is the error that World.Redefine returns if several processes step the areas.
var ErrShared = errors.New("the definition of the world cannot be replaced in a cluster, because every node would have to replace it at the same tick")

// Redefine replaces the definition of the world while players are in it. (1) It pauses all areas between two ticks. (2) It
// calls the function settle with the tick of each area. That function must return nil once the records of all frames up to
// these ticks are stored; settle may be nil if the areas have no logs. (3) All areas get the new definition, and each log
// begins a segment with it. (4) The areas continue when all segments are durable, or after half of Options.PauseTime if the disk is
// slow.
// The parameter def must meet the conditions of sim.Area.Redefine and must not change afterwards. Errors: ErrShared, that of
// settle, and those of sim.Area.Redefine; after an error all areas continue under the old definition.
func (w *World) Redefine(ctx context.Context, def *sim.World, settle func(context.Context, []sim.Tick) error) error {
	if w.opt.Source != nil {
		return ErrShared
	}
	w.redefining.Lock()
	defer w.redefining.Unlock()
	if w.begun.Load() == nil {
		return errors.New("the definition of the world cannot be replaced: the world has not been started")
	}
	if err := w.Err(); err != nil {
		return err
	}
	limited, cancel := w.untilHalted(ctx, w.opt.PauseTime)
	defer cancel()
	resume, err := w.pauseAreas(limited)
	defer resume()
	if err != nil {
		return err
	}
	if settle != nil {
		if err := settle(limited, w.syncedTicks()); err != nil {
			return err
		}
	}
	states, err := w.redefineAreas(def)
	if err != nil {
		return err
	}
	w.def.Store(def)
	for i, r := range w.areas {
		r.continueFrom(states[i])
	}
	w.redefineLogs(ctx, def)
	return nil
}

// untilHalted returns a context that ends (1) when ctx ends, (2) after the duration given by the parameter most, or (3) when the
// world stops.
func (w *World) untilHalted(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, most)
	go func() {
		select {
		case <-w.halted:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// pauseAreas makes all areas wait between two ticks until the caller calls resume. The caller must call resume even if there is an
// error.
func (w *World) pauseAreas(ctx context.Context) (resume func(), err error) {
	p := pause{arrived: make(chan struct{}, len(w.areas)), over: make(chan struct{})}
	resume = func() { close(p.over) }
	for _, r := range w.areas {
		select {
		case r.pauses <- p:
		case <-ctx.Done():
			return resume, fmt.Errorf("cannot pause the world: area %q has not finished its tick in time", r.name)
		}
	}
	for range w.areas {
		select {
		case <-p.arrived:
		case <-w.done:
			return resume, errors.New("cannot pause the world: an area has stopped")
		case <-ctx.Done():
			return resume, errors.New("cannot pause the world: an area has not finished its tick in time")
		}
	}
	return resume, nil
}

// pause is a request to all areas to wait between two ticks, because Redefine replaces the definition of the world.
type pause struct {
	arrived chan struct{} // receives a value from each area that waits; its capacity is the number of areas
	over    chan struct{} // closed when the areas may continue
}

// wait blocks the goroutine of the area until the pause is over.
func (p pause) wait() {
	p.arrived <- struct{}{}
	<-p.over
}

// syncedTicks asks the logs to make all ticks durable, and returns the newest tick of each area. It must be called while all
// areas are paused.
func (w *World) syncedTicks() []sim.Tick {
	ticks := make([]sim.Tick, len(w.areas))
	for i, r := range w.areas {
		ticks[i] = r.tick
		if r.log != nil {
			r.log.Sync()
		}
	}
	return ticks
}

// redefineAreas returns the new states of all areas, in which they continue under the definition def. It must be called while all
// areas are paused.
func (w *World) redefineAreas(def *sim.World) ([]*sim.Area, error) {
	states := make([]*sim.Area, len(w.areas))
	var errs []error
	for i, r := range w.areas {
		a, err := r.sim.(*sim.Area).Redefine(def)
		states[i], errs = a, append(errs, err)
	}
	return states, errors.Join(errs...)
}

// continueFrom makes the area continue from a state of the same tick under a new definition of the world. It must be called while
// the area is paused.
func (r *runner) continueFrom(a *sim.Area) {
	r.sim, r.hash = a, a.Hash()
	if r.recorder != nil {
		r.recorder.start(r.sim)
	}
}

// redefineLogs makes all logs continue from the present states, under the new definition of the world. It must be called while
// all areas are paused.
func (w *World) redefineLogs(ctx context.Context, def *sim.World) {
	ctx, cancel := w.untilHalted(ctx, w.opt.PauseTime/2)
	defer cancel()
	var wg sync.WaitGroup
	for _, r := range w.areas {
		if r.log != nil {
			memory := new(sim.Area)
			r.sim.CloneInto(memory)
			wg.Go(func() { r.log.Redefine(ctx, def, memory) })
		}
	}
	wg.Wait()
}
