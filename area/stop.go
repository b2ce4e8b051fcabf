package area

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/sim"
)

const (
	// stopRounds bounds the steps of Stop: one for those who wait in inboxes, one for everybody's leave, and some for
	// travellers between areas.
	stopRounds = 20
	// stopTime bounds how long the last frames wait for slow readers, all together. A server stops in 3 s, and what is
	// in these frames must be stored in the rest of them.
	stopTime = 1500 * time.Millisecond
)

// Stop takes nothing more in, makes every player leave, steps until the frames with their records are out, and closes
// the feeds. These frames wait for slow readers, but no longer than ctx, a second for each, and 1.5 s in all. It returns
// Err, joined by an error that says how many players could not be saved if there are any. Later calls wait for the
// first and return the same.
func (w *World) Stop(ctx context.Context) error {
	w.once.Do(func() { w.result = w.end(ctx) })
	return w.result
}

func (w *World) end(ctx context.Context) error {
	w.halt()
	w.wg.Wait() // from here on all areas belong to this goroutine
	ctx, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	left := w.empty(ctx.Done())

	w.mu.Lock()
	if w.unhook != nil {
		w.unhook()
	}
	w.stopped = true
	feeds := *w.feeds.Load()
	w.finish()
	err := w.err
	w.mu.Unlock()
	for _, feed := range feeds {
		feed.end()
	}
	if left > 0 {
		err = errors.Join(err, fmt.Errorf("%d players could not be saved", left))
	}
	return err
}

// halt shuts the inboxes and ends the goroutines of the areas after the step that they are in.
func (w *World) halt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopping {
		return
	}
	w.stopping = true
	for _, r := range w.areas {
		r.inbox.raise(inboxShut)
	}
	close(w.halted)
}

// Stopping tells whether nothing more is taken in: whoever leaves from now on does so because the world ends.
func (w *World) Stopping() bool {
	select {
	case <-w.halted:
		return true
	default:
		return false
	}
}

// empty makes everybody leave and returns how many did not.
func (w *World) empty(wait <-chan struct{}) (left int) {
	for range stopRounds {
		for _, r := range w.areas {
			r.evacuate(wait)
		}
		left = 0
		for _, r := range w.areas {
			left += r.inside()
		}
		if left == 0 {
			break
		}
	}
	return left
}

// evacuate steps the area once with a leave for everybody in it.
func (r *runner) evacuate(wait <-chan struct{}) {
	if r.err != nil {
		return
	}
	defer r.guard()
	var leaves []sim.Intent
	for _, id := range r.players() {
		leaves = append(leaves, sim.Intent{Kind: sim.IntentLeave, Who: id, AtMS: r.world.NowMS()})
	}
	r.step(leaves, wait)
}

// inside is how many players are still in the area or about to enter it; 0 if it is broken and cannot let them go.
func (r *runner) inside() int {
	if r.err != nil {
		return 0
	}
	return len(r.players()) + r.inbox.len()
}

// players are those in the area after its last tick.
func (r *runner) players() (ids []sim.EntityID) {
	if r.last == nil {
		return nil
	}
	for i := range r.last.frame.Actors {
		if a := &r.last.frame.Actors[i]; a.Is(sim.FlagPlayer) {
			ids = append(ids, a.ID)
		}
	}
	return ids
}
