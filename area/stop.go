package area

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
)

const (
	// stopRounds is the maximum number of ticks that Stop steps in each area. One tick executes the intents in the inbox and
	// one removes the players. Players on the way between two areas arrive and leave in further ticks.
	stopRounds = 20
	// stopTime is the maximum total wait for slow readers of the last frames. A server must stop within 3 s and store the
	// records in these frames in the remaining time.
	stopTime = 1500 * time.Millisecond
)

// Stop closes the inboxes, removes every player, steps the areas until the frames with the players' records are
// published, and closes the feeds. It waits for slow readers of these frames until ctx ends, but at most 1 s per reader
// and 1.5 s in total. It returns the error of Err, joined with an error if players could not be saved. Later calls wait
// for the first one and return its result.
func (w *World) Stop(ctx context.Context) error {
	w.once.Do(func() { w.result = w.end(ctx) })
	return w.result
}

func (w *World) end(ctx context.Context) error {
	w.halt()
	w.awaitAreas() // from here on this goroutine owns all areas that do not hang
	ctx, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	left := 0
	if w.opt.Source == nil && (w.begun.Load() != nil || len(w.restored) == 0) { // restored players of a world that was never started must stay on the tape
		left = w.removeAllPlayers(ctx.Done())
	}

	w.mu.Lock()
	if w.unhook != nil {
		w.unhook()
	}
	w.stopped = true
	feeds := slices.Clone(w.feeds) // readers that close their feed change w.feeds while the loop below runs
	w.finish()
	err := w.err
	w.mu.Unlock()
	for _, feed := range feeds {
		feed.end()
	}
	if left > 0 {
		err = errors.Join(err, fmt.Errorf("stop the world: %d players could not be removed from it, and their last changes are not saved", left))
	}
	return err
}

// awaitAreas waits until the goroutine of each area has ended, or was abandoned because its tick does not end.
func (w *World) awaitAreas() {
	if w.begun.Load() != nil {
		for _, r := range w.areas {
			<-r.ended
		}
	}
	close(w.unwatched)
	w.wg.Wait()
}

// halt makes the areas stop: it closes the inboxes, and the goroutines of the areas end after their current step.
func (w *World) halt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopping {
		return
	}
	w.stopping = true
	for _, r := range w.areas {
		r.inbox.raise(inboxTravellerOnly)
	}
	close(w.halted)
}

// Stopping implements Host: it reports whether the world no longer accepts intents of players.
func (w *World) Stopping() bool {
	select {
	case <-w.halted:
		return true
	default:
		return false
	}
}

// removeAllPlayers makes every player leave the world and returns the number of players that could not leave.
func (w *World) removeAllPlayers(wait <-chan struct{}) (left int) {
	for range stopRounds {
		for _, r := range w.living() {
			r.removePlayers(wait)
		}
		left = 0
		for _, r := range w.living() {
			left += r.playersLeft()
		}
		if left == 0 {
			break
		}
		w.awaitTravellers(wait)
	}
	return left
}

const (
	syncPoll = time.Millisecond       // interval at which a stopping world asks the logs whether departures are durable
	syncTime = 500 * time.Millisecond // maximum wait until departures are durable; then travellers arrive anyway, so that they are saved
)

// awaitTravellers waits until all players that have departed from an area are in the inbox of the next area. After
// syncTime, or when wait is closed, it puts the remaining players there even if their departures are not durable.
func (w *World) awaitTravellers(wait <-chan struct{}) {
	began := time.Now()
	for {
		waiting := 0
		for _, r := range w.living() {
			r.submitCrossings()
			waiting += r.travellers()
		}
		if waiting == 0 {
			return
		}
		late := time.Since(began) >= syncTime
		select {
		case <-wait:
			late = true
		case <-time.After(syncPoll):
		}
		if late {
			for _, r := range w.living() {
				r.submitAllCrossings()
			}
			return
		}
	}
}

// removePlayers steps the area once with a leave intent for each of its players.
func (r *runner) removePlayers(wait <-chan struct{}) {
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

// playersLeft returns the number of players that still have to leave: those in the area, those that wait in its inbox, and those
// that have departed and not yet reached the next area. For an area that has stopped after a panic, it counts only the departed
// ones.
func (r *runner) playersLeft() int {
	if r.err != nil {
		return r.travellers()
	}
	return len(r.players()) + r.inbox.joins() + r.travellers()
}

// players returns the ids of the players that are in the area according to its newest frame.
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
