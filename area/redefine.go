package area

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
)

const (
	// pauseTime is the maximum time that Redefine holds the areas until the world is replaced or the call is given up.   guess: a
	// player notices it as a short lag, and no client times out
	pauseTime = 2 * time.Second
	// snapshotTime is the maximum additional time until the logs have the states of the new world.
	snapshotTime = time.Second
)

// ErrShared is the error of World.Redefine if several processes step the areas.
var ErrShared = errors.New("the nodes of a cluster step one world, each of which would have to change it at the same tick")

// Redefine replaces the definition of the world while players are in it. All areas stop between two ticks, and either all of
// them continue under the new definition, or none. While they stand still, Redefine calls settle with the tick of each area;
// settle returns nil when the records of all frames up to these ticks are stored. settle may be nil if the areas have no
// logs. Each log begins a segment with the new definition. The areas continue when all segments are durable, or after
// snapshotTime if the disk is slow. def must meet the conditions of sim.Area.Redefine and must not change afterwards.
// Errors: ErrShared, that of settle, and those of sim.Area.Redefine; nothing is changed then.
func (w *World) Redefine(ctx context.Context, def *sim.World, settle func(context.Context, []sim.Tick) error) error {
	if w.opt.Source != nil {
		return ErrShared
	}
	w.redefining.Lock()
	defer w.redefining.Unlock()
	if w.begun.Load() == nil {
		return errors.New("the world has not been started")
	}
	if err := w.Err(); err != nil {
		return err
	}
	limited, cancel := w.untilHalted(ctx, pauseTime)
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

// untilHalted returns a context that ends when ctx ends, after the duration most, or when the world stops.
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

// pauseAreas holds all areas between two ticks until resume is called, also after an error.
func (w *World) pauseAreas(ctx context.Context) (resume func(), err error) {
	p := pause{arrived: make(chan struct{}, len(w.areas)), over: make(chan struct{})}
	resume = func() { close(p.over) }
	for _, r := range w.areas {
		select {
		case r.pauses <- p:
		case <-ctx.Done():
			return resume, fmt.Errorf("area %q has not finished its tick in time", r.name)
		}
	}
	for range w.areas {
		select {
		case <-p.arrived:
		case <-w.done:
			return resume, errors.New("an area has stopped")
		case <-ctx.Done():
			return resume, errors.New("an area has not finished its tick in time")
		}
	}
	return resume, nil
}

// pause makes areas wait between two ticks.
type pause struct {
	arrived chan struct{} // receives a value from each area that waits; has room for all
	over    chan struct{} // closed when the areas go on
}

// wait holds the area until the pause is over.
func (p pause) wait() {
	p.arrived <- struct{}{}
	<-p.over
}

// syncedTicks asks the logs to make all ticks durable, and returns the tick of each area. All areas are paused.
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

// redefineAreas returns the states of all areas under another definition. All areas are paused.
func (w *World) redefineAreas(def *sim.World) ([]*sim.Area, error) {
	states := make([]*sim.Area, len(w.areas))
	var errs []error
	for i, r := range w.areas {
		a, err := r.sim.(*sim.Area).Redefine(def)
		states[i], errs = a, append(errs, err)
	}
	return states, errors.Join(errs...)
}

// continueFrom makes the area continue from another state of the same tick. The area is paused.
func (r *runner) continueFrom(a *sim.Area) {
	r.sim, r.hash = a, a.Hash()
	if r.recorder != nil {
		r.recorder.start(r.sim)
	}
}

// redefineLogs makes all logs continue from the present states, under another definition. All areas are paused.
func (w *World) redefineLogs(ctx context.Context, def *sim.World) {
	ctx, cancel := w.untilHalted(ctx, snapshotTime)
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
