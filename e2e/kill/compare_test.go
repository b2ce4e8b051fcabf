//go:build linux

package main

import (
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
		{0, 2 * time.Second, 0, true},
	} {
		if err := compareHealth("Ann", p, &truth.Body{Health: c.health}, unseen(c.before, c.after)); (err == nil) != c.ok {
			t.Errorf("health %d/255 after %v and %v: %v", c.health, c.before, c.after, err)
		}
	}
	if err := compareHealth("Ann", &playerBefore{shown: shown{health: 0.5}}, &truth.Body{Health: 129}, unseen(time.Minute, time.Minute)); err == nil {
		t.Error("a player may regain health while its client is shown nothing")
	}
}

func TestMovementIsBoundedByTimeForWhichClientWasShownNothing(t *testing.T) {
	killed := time.Now()
	for _, c := range []struct {
		unseen time.Duration
		x      float32
		ok     bool
	}{{0, 29, true}, {time.Second, 31, false}, {2 * time.Second, 59, true}, {2 * time.Second, 61, false}} {
		p := &playerBefore{shown: shown{area: &truth.Area{}}, seen: killed.Add(-c.unseen)}
		if err := p.comparePlace("Ann", &truth.Body{Pos: geom.Vec{X: c.x}}, killed); (err == nil) != c.ok {
			t.Errorf("%v units from the last position, shown %v before the kill: %v", c.x, c.unseen, err)
		}
	}
}
