//go:build linux

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim/geom"
)

func TestLostHealthIsBoundedByTimeForWhichClientWasShownNothing(t *testing.T) {
	p := &playerBefore{shown: shown{health: 1}}
	for _, c := range []struct {
		before, after time.Duration
		health        uint8
		ok            bool
	}{
		{0, 0, 102, true}, // 40 % of full health
		{0, 0, 101, false},
		{600 * time.Millisecond, 400 * time.Millisecond, 101, false},
		{time.Second, 250 * time.Millisecond, 64, true},
		{time.Second, 250 * time.Millisecond, 63, false},
		{0, 2 * time.Second, 26, true}, // 10 %: never all
		{0, 2 * time.Second, 25, false},
		{time.Minute, time.Minute, 25, false},
		{time.Since(time.Time{}), time.Second, 25, false}, // the client never had an update
	} {
		if err := compareHealth("Ann", p, &truth.Body{Health: c.health}, c.before, c.after); (err == nil) != c.ok {
			t.Errorf("health %d/255 after %v and %v: %v", c.health, c.before, c.after, err)
		}
	}
	if err := compareHealth("Ann", &playerBefore{shown: shown{health: 0.5}}, &truth.Body{Health: 129}, time.Minute, time.Minute); err == nil {
		t.Error("a player may regain health while its client is shown nothing")
	}
}

func TestMovementIsBoundedByTimeForWhichClientWasShownNothing(t *testing.T) {
	killed := time.Now()
	for _, c := range []struct {
		unseen time.Duration
		x      float32
		ok     bool
	}{{0, 29, true}, {time.Second, 31, false}, {2 * time.Second, 59, true}, {2 * time.Second, 61, false}, {time.Minute, 89, true}, {time.Minute, 91, false}} {
		p := &playerBefore{shown: shown{area: &truth.Area{}}, seen: killed.Add(-c.unseen)}
		if err := p.comparePlace("Ann", &truth.Body{Pos: geom.Vec{X: c.x}}, killed); (err == nil) != c.ok {
			t.Errorf("%v units from the last position, shown %v before the kill: %v", c.x, c.unseen, err)
		}
	}
}

func TestClientWithoutUpdateBeforeKillIsReported(t *testing.T) {
	b := &before{at: time.Now()}
	b.players = map[string]playerBefore{
		"Ann": {seen: b.at.Add(-maxUnseen)},
		"Bob": {seen: b.at.Add(-maxUnseen - time.Millisecond)},
		"Cid": {}, // its client never had an update
	}
	errs := b.compareUpdates()
	if len(errs) != 2 || !strings.Contains(errs[0].Error(), "Bob") || !strings.Contains(errs[1].Error(), "Cid") {
		t.Errorf("errors are %q, want one for Bob and one for Cid", errs)
	}
}

func TestMaximumOfUnseenTimeHoldsForClientThatNeverHadUpdate(t *testing.T) {
	if got := unseen(time.Since(time.Time{}), time.Second); got != 3 {
		t.Errorf("unseen time is %v, want 3", got)
	}
}
