//go:build linux

package main

import (
	"context"
	"errors"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/e2e/truth"
)

// history records deaths and area changes of the players during a run. At the end, missing reports the kinds of event that the
// test must cover but that did not happen.
type history struct {
	players   []player
	dead      map[string]time.Time   // earliest possible time of death of each dead player
	areas     map[string]*truth.Area // area of each player
	crossings int
	deaths    int
}

func newHistory(players []player) *history {
	return &history{players: players, dead: map[string]time.Time{}, areas: map[string]*truth.Area{}}
}

// watch observes the players for the duration d, or until ctx ends.
func (h *history) watch(ctx context.Context, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end) && ctx.Err() == nil; wait(ctx, min(polls, time.Until(end))) {
		h.observeAll(time.Now())
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
