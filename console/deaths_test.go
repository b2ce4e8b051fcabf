package console

import (
	"fmt"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

func TestDeathsOfPlayersAreListedByAreaAndTime(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		f := &sim.Frame{Area: 1, Actors: []sim.ActorState{
			{ID: 7, Body: &sim.Body{Name: "Ann"}, Flags: sim.FlagPlayer | sim.FlagDead}, {ID: 8, Body: &sim.Body{Name: "Rat"}},
		}}
		for i := range 3 {
			for _, id := range []sim.EntityID{7, 8, 9} {
				r.frames.deaths.record(f, &sim.Event{Kind: sim.EventDied, Who: id}, anyTime.Add(time.Duration(i)*time.Second))
			}
		}
		died := &sim.Frame{Area: 2, Tick: 1, Actors: f.Actors, Events: []sim.Event{{Kind: sim.EventDied, Who: 7}}}
		r.frames.readFrame(area.Published{Frame: died, AtMS: anyTime.UnixMilli()}) // AtMS marks a tick of the past, see area.Published
		if list := get[deathList](r, Viewer, "/deaths?area=2").Deaths; len(list) != 1 || !time.Time(list[0].At).Equal(anyTime) {
			t.Errorf("death in a tick of the past: %+v", list)
		}
		path := fmt.Sprintf("/deaths?area=1&since=%d", anyTime.Add(time.Second).UnixMilli())
		list := get[deathList](r, Viewer, path).Deaths
		if len(list) != 2 || list[0].Name != "Ann" || list[0].Entity != 7 || !time.Time(list[0].At).Equal(anyTime.Add(time.Second)) {
			t.Errorf("the deaths are %+v", list)
		}
		if list := get[deathList](r, Viewer, "/deaths?area=0").Deaths; len(list) != 0 {
			t.Errorf("in another area: %+v", list)
		}
		if a := r.call(Viewer, "GET", "/deaths", ""); a.status != 400 {
			t.Errorf("without area: %d", a.status)
		}
	})
}

func TestDeathListAtMaximumLengthDropsOldestDeath(t *testing.T) {
	var d deaths
	f := &sim.Frame{Actors: []sim.ActorState{{ID: 7, Body: &sim.Body{Name: "Ann"}, Flags: sim.FlagPlayer}}}
	for i := range maxDeaths + 10 {
		d.record(f, &sim.Event{Kind: sim.EventDied, Who: 7}, anyTime.Add(time.Duration(i)*time.Second))
	}
	list := d.since(0, time.Time{})
	if len(list) != maxDeaths || !list[0].at.Equal(anyTime.Add(10*time.Second)) || !list[maxDeaths-1].at.Equal(anyTime.Add((maxDeaths+9)*time.Second)) {
		t.Errorf("%d deaths, the oldest at %v", len(list), list[0].at)
	}
}
