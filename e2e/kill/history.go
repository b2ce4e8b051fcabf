//go:build linux

package main

import (
	"context"
	"errors"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/e2e/truth"
)

// history records deaths and area changes of the players during a run, and when their clients were last shown the world. At the end,
// missing reports the kinds of event that the test must cover but that did not happen.
type history struct {
	players   []player
	dead      map[string]time.Time   // earliest possible time of death of each dead player
	areas     map[string]*truth.Area // area of each player
	updates   map[string]update      // newest update of the world that each client was shown
	crossings int
	deaths    int
}

// update is the number of updates of the world that a client was shown, and the time at which that number was last seen to grow.
type update struct {
	number uint64
	at     time.Time
}

func newHistory(players []player) *history {
	return &history{players: players, dead: map[string]time.Time{}, areas: map[string]*truth.Area{}, updates: map[string]update{}}
}

// watch observes the players for the duration d, or until ctx ends.
func (h *history) watch(ctx context.Context, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end) && ctx.Err() == nil; wait(ctx, min(polls, time.Until(end))) {
		h.observeAll(time.Now())
		h.observeUpdates(time.Now())
	}
}

// observeUpdates records which clients were shown an update of the world since the last call. It uses the parameter at as the time of these
// updates. A new connection counts from 0: until its first update, the last one of the connection before stays recorded.
func (h *history) observeUpdates(at time.Time) {
	for _, p := range h.players {
		if n := p.updates(); n > 0 && n != h.updates[p.name()].number {
			h.updates[p.name()] = update{n, at}
		}
	}
}

// observeAll records in which area each player is and whether it is dead. The parameter since becomes the time of death of each
// player that has died since the last observation: the player cannot have died earlier.
func (h *history) observeAll(since time.Time) {
	for _, p := range h.players {
		h.observe(p.name(), p.shown(), since)
	}
}

func (h *history) observe(name string, s shown, since time.Time) {
	_, wasDead := h.dead[name]
	switch {
	case s.dead && !wasDead:
		h.dead[name] = since
		h.deaths++
	case !s.dead:
		delete(h.dead, name)
	}
	if s.area != nil {
		if was := h.areas[name]; was != nil && was != s.area {
			h.crossings++
		}
		h.areas[name] = s.area
	}
}

// diedAt returns the earliest possible time at which a dead player died, or the zero time if the player lives.
func (h *history) diedAt(name string) time.Time { return h.dead[name] }

// upToDate reports whether every client in the world was shown an update in the time recent before now.
func (h *history) upToDate(now time.Time, recent time.Duration) bool {
	for _, p := range h.players {
		if p.playing() == nil && now.Sub(h.seen(p.name())) > recent {
			return false
		}
	}
	return true
}

// seen returns the latest time at which a client was shown the world, as far as it was observed.
func (h *history) seen(name string) time.Time { return h.updates[name].at }

// missing returns an error for each kind of event that the test must cover and that has not happened in the run.
func (h *history) missing() (errs []error) {
	var trades, parties, points int
	for _, p := range h.players {
		if p, ok := p.(*rccePlayer); ok && p.client != nil {
			p.client.Inspect(func(*rcce.World) { trades, parties, points = trades+p.trades, parties+p.parties, points+p.points })
		}
	}
	for _, t := range []struct {
		n    int
		what string
	}{{h.crossings, "no player crossed into another area"}, {h.deaths, "no player died"}, {trades, "no item was picked up"},
		{parties, "no player was in a party"}, {points, "no player received experience"}} {
		if t.n == 0 {
			errs = append(errs, errors.New(t.what))
		}
	}
	return errs
}
