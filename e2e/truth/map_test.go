//go:build linux

package truth

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

func TestLiveMapReturnsFirstAndNewestStateOfActors(t *testing.T) {
	m := newMap(2)
	if err := m.readText([]byte(`{"type":"actors","add":[{"id":7,"name":"Ann"},{"id":8,"name":"Bob"}]}`)); err != nil {
		t.Fatal(err)
	}
	m.addFrame(&console.LiveFrame{Area: 0, Tick: 10, Actors: []console.LiveActor{{ID: 7, Pos: geom.Vec{X: 1}, Health: 255}, {ID: 8, Flags: console.LiveDead}}})
	if _, ok := m.Ticks(); ok {
		t.Error("an area without a frame counts as shown")
	}
	began := m.Began(0)
	if began.IsZero() || !m.Began(1).IsZero() {
		t.Errorf("first frames at %v and %v, want a time and none", began, m.Began(1))
	}
	m.addFrame(&console.LiveFrame{Area: 1, Tick: 20, Actors: []console.LiveActor{{ID: 7, Pos: geom.Vec{X: 2}, Health: 100}}})
	ticks, ok := m.Ticks()
	if !ok || ticks[0] != 10 || ticks[1] != 20 {
		t.Errorf("ticks are %v, %v", ticks, ok)
	}
	if list := m.Bodies("Ann"); len(list) != 2 || list[0].Area != 0 || list[1].Area != 1 || list[1].Health != 100 {
		t.Errorf("bodies of Ann, who is shown in two areas: %+v", list)
	}
	m.addFrame(&console.LiveFrame{Area: 0, Tick: 11})
	if m.Began(0) != began {
		t.Error("the time of the first frame has changed")
	}
	if list := m.Bodies("Ann"); len(list) != 1 || list[0].Pos.X != 2 {
		t.Errorf("bodies of Ann: %+v", list)
	}
	if _, players, npcs, ok := m.Frame(1); !ok || len(players)+len(npcs) != 1 || npcs["Ann"] != 1 {
		t.Errorf("frame of area 1: players %v, NPCs %v", players, npcs)
	}
	m.addFrame(&console.LiveFrame{Area: 0, Tick: 12, Actors: []console.LiveActor{{ID: 8, Flags: console.LivePlayer}}})
	if tick, players, npcs, ok := m.Frame(0); !ok || tick != 12 || len(players) != 1 || players[0] != "Bob" || len(npcs) > 0 {
		t.Errorf("frame of area 0: tick %d, players %v, NPCs %v", tick, players, npcs)
	}
	if first := m.First("Ann"); first.ID != 7 || first.Pos.X != 1 || first.At.IsZero() {
		t.Errorf("first body of Ann: %+v", first)
	}
	if m.HasDied("Ann") || !m.HasDied("Bob") {
		t.Error("not Bob alone has died")
	}
	if m.ForgetDeaths(); m.HasDied("Bob") {
		t.Error("the death of Bob is not forgotten")
	}
}

func TestLongestPauseOfAreaCountsTimeSinceNewestFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMap(2)
		show := func(area sim.AreaID) { m.addFrame(&console.LiveFrame{Area: area}) }
		time.Sleep(time.Minute)
		if p := m.Pause(0); p != 0 {
			t.Errorf("an area without a frame has paused for %v", p)
		}
		show(0)
		show(1)
		time.Sleep(3 * time.Second)
		show(0)
		time.Sleep(time.Second)
		if a, b := m.Pause(0), m.Pause(1); a != 3*time.Second || b != 4*time.Second {
			t.Errorf("pauses of %v and %v, want 3s and 4s", a, b)
		}
		m.ForgetPauses()
		time.Sleep(time.Second)
		if a, b := m.Pause(0), m.Pause(1); a != 2*time.Second || b != 5*time.Second {
			t.Errorf("after ForgetPauses: pauses of %v and %v, want 2s and 5s", a, b)
		}
	})
}

func TestComparePlaceAcceptsActorNearExpectedPositionOrBehindNearbyPortal(t *testing.T) {
	const tolerance = 30
	to := sim.AreaID(1)
	a := &Area{ID: 0, Name: "Glade", Portals: []struct {
		X, Z float32
		To   *sim.AreaID
	}{{X: 100, To: &to}, {X: -100}}}
	for _, c := range []struct {
		what  string
		shown float32
		is    Body
		ok    bool
	}{
		{"within the tolerance", 0, Body{Pos: geom.Vec{X: 29}}, true},
		{"beyond the tolerance", 0, Body{Pos: geom.Vec{X: 31}}, false},
		{"behind an entrance that is near", 63, Body{Area: 1, Pos: geom.Vec{X: 900}}, true},
		{"behind an entrance that is too far", 61, Body{Area: 1}, false},
		{"in an area to which no entrance leads", 100, Body{Area: 2}, false},
		{"behind a portal within the area", -100, Body{Area: 1}, false},
	} {
		if err := a.ComparePlace("Ann", geom.Vec{X: c.shown}, &c.is, tolerance); (err == nil) != c.ok {
			t.Errorf("%s: error %v", c.what, err)
		}
	}
}
