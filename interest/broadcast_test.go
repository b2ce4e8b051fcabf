package interest

import (
	"slices"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// These tests cover the section "Server broadcast scheduler" of the RealmCrafter specification P_StandardUpdate. The viewer is
// always the first actor, at the origin.

func at(x, z float32) sim.ActorState { return sim.ActorState{Pos: geom.Vec{X: x, Z: z}} }

// crowdOf returns the index of a frame that contains the given actors. It numbers the actors 1, 2 and so on.
func crowdOf(actors ...sim.ActorState) *FrameIndex {
	for i := range actors {
		actors[i].ID = sim.EntityID(i + 1)
	}
	pol := OriginalPolicy()
	c := new(FrameIndex)
	c.Build(&sim.Frame{Actors: actors}, &pol)
	return c
}

// told returns the indices of the actors in two broadcasts to viewer 0, ascending. The broadcast shut excludes the actors at middle
// distance, the broadcast open includes them.
func told(c *FrameIndex) (shut, open []int32) {
	pol := OriginalPolicy()
	shut = c.Collect(nil, 0, false, &pol)
	open = c.Collect(nil, 0, true, &pol)
	slices.Sort(shut)
	slices.Sort(open)
	return shut, open
}

func TestBroadcastDistancesAreMeasuredHorizontally(t *testing.T) {
	for _, c := range []struct {
		name       string
		other      sim.ActorState
		shut, open bool
	}{
		{"close: always", at(300, -399), true, true},
		{"just below the close radius: always", at(499.99997, 0), true, true},
		{"at the close radius: middle, d < UpdateDistance is close", at(300, 400), false, true},
		{"middle: only in broadcasts with middle actors", at(0, 800), false, true},
		{"at the far radius: still middle, d <= UpdateFarDistance", at(-600, 800), false, true},
		{"beyond the far radius: never", at(1000.0001, 0), false, false},
		{"height does not count", sim.ActorState{Pos: geom.Vec{X: 3, Y: 5000, Z: 4}}, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			shut, open := told(crowdOf(at(0, 0), c.other))
			if got := slices.Contains(shut, 1); got != c.shut {
				t.Errorf("in the broadcast without middle actors: %v, want %v", got, c.shut)
			}
			if got := slices.Contains(open, 1); got != c.open {
				t.Errorf("in the broadcast with middle actors: %v, want %v", got, c.open)
			}
		})
	}
}

// By the specification a viewer is in its own broadcast, because that broadcast carries the viewer's energy.
func TestBroadcastToViewerIncludesItsOwnActor(t *testing.T) {
	shut, open := told(crowdOf(at(70, 70)))
	if !slices.Equal(shut, []int32{0}) || !slices.Equal(open, []int32{0}) {
		t.Errorf("collected %v and %v", shut, open)
	}
}

func TestTargetAndPartyAreInBroadcastAtAnyDistance(t *testing.T) {
	far := at(9000, 9000)
	with := func(a sim.ActorState, change func(*sim.ActorState)) sim.ActorState {
		change(&a)
		return a
	}
	for _, c := range []struct {
		name          string
		viewer, other sim.ActorState
	}{
		{"the viewer's target", with(at(0, 0), func(a *sim.ActorState) { a.Target = 2 }), far},
		{"an attacker of the viewer", at(0, 0), with(far, func(a *sim.ActorState) { a.Target = 1 })},
		{"the mount", with(at(0, 0), func(a *sim.ActorState) { a.Mount = 2 }), far},
		{"the rider", at(0, 0), with(far, func(a *sim.ActorState) { a.Mount = 1 })},
		{
			"the party", with(at(0, 0), func(a *sim.ActorState) { a.Party = 7 }),
			with(far, func(a *sim.ActorState) { a.Party = 7 }),
		},
		{
			"all at once, reported once",
			with(at(0, 0), func(a *sim.ActorState) { a.Party, a.Target, a.Mount = 7, 2, 2 }),
			with(far, func(a *sim.ActorState) { a.Party, a.Target = 7, 1 }),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			stranger := with(far, func(a *sim.ActorState) { a.Party = 8 })
			crowd := crowdOf(c.viewer, c.other, stranger)
			shut, open := told(crowd)
			if want := []int32{0, 1}; !slices.Equal(shut, want) || !slices.Equal(open, want) {
				t.Errorf("collected %v and %v, want %v", shut, open, want)
			}
			var v View
			pol := OriginalPolicy()
			if u := v.Update(crowd, 0, true, &pol); !slices.Contains(u.Close, 1) {
				t.Errorf("update %+v does not have it in Close", u)
			}
		})
	}
}

func TestPartyMemberInRangeIsBroadcastOnlyOnce(t *testing.T) {
	viewer, other := at(0, 0), at(10, 0)
	viewer.Target, other.Target, viewer.Party, other.Party = 2, 1, 5, 5
	shut, open := told(crowdOf(viewer, other))
	if want := []int32{0, 1}; !slices.Equal(shut, want) || !slices.Equal(open, want) {
		t.Errorf("collected %v and %v, want %v", shut, open, want)
	}
}

// serve runs a schedule for a number of ticks. It returns the ticks with a broadcast, and those whose broadcast includes actors
// at middle distance.
func serve(s Schedule, viewer sim.EntityID, ticks sim.Tick) (due, open []sim.Tick) {
	for now := sim.Tick(1); now <= ticks; now++ {
		d, m := s.Due(viewer, now-1, now)
		if d {
			due = append(due, now)
		}
		if m {
			open = append(open, now)
		}
	}
	return due, open
}

func TestEveryViewerGetsBroadcastEvery200ms(t *testing.T) {
	pol := OriginalPolicy()
	for viewer := sim.EntityID(1); viewer <= 50; viewer++ {
		due, _ := serve(NewSchedule(&pol, 20), viewer, 400)
		if len(due) != 100 {
			t.Errorf("viewer %d got %d broadcasts in 20 s, want 100", viewer, len(due))
		}
		for i := 1; i < len(due); i++ {
			if due[i]-due[i-1] != 4 {
				t.Fatalf("viewer %d was served at ticks %d and %d, want 4 ticks apart", viewer, due[i-1], due[i])
			}
		}
	}
}

func TestActorsAtMiddleDistanceAreInEveryOtherBroadcast(t *testing.T) {
	pol := OriginalPolicy()
	for viewer := sim.EntityID(1); viewer <= 8; viewer++ {
		due, open := serve(NewSchedule(&pol, 20), viewer, 400)
		if len(open)*2 != len(due) {
			t.Errorf("viewer %d: %d openings in %d broadcasts, want half", viewer, len(open), len(due))
		}
		for i, tick := range open {
			if n := slices.Index(due, tick); n != slices.Index(due, open[0])+2*i {
				t.Fatalf("viewer %d: opening %d is in broadcast %d", viewer, i, n)
			}
		}
	}
}

// The interval of one second is CompleteUpdateMS of the RealmCrafter server. Source: docs/wire/rcce.md 5.4.
func TestActorsAtMiddleDistanceAreBroadcastOncePerSecondIfConfigured(t *testing.T) {
	pol := OriginalPolicy()
	pol.MiddleEveryMS = 1000
	due, open := serve(NewSchedule(&pol, 20), 1, 400)
	if len(due) != 100 || len(open) != 20 {
		t.Errorf("%d openings in %d broadcasts of 20 s, want 20 in 100", len(open), len(due))
	}
	for i := 1; i < len(open); i++ {
		if open[i]-open[i-1] != 20 {
			t.Errorf("openings at ticks %d and %d", open[i-1], open[i])
		}
	}
}

func TestBroadcastsOfViewersAreSpreadOverTicks(t *testing.T) {
	pol := OriginalPolicy()
	s := NewSchedule(&pol, 20)
	for now := sim.Tick(101); now <= 108; now++ {
		var due, open int
		for viewer := sim.EntityID(1); viewer <= 800; viewer++ {
			d, m := s.Due(viewer, now-1, now)
			if d {
				due++
			}
			if m {
				open++
			}
		}
		if due != 200 || open != 100 {
			t.Errorf("tick %d serves %d of 800 viewers, %d with middle actors; want 200 and 100", now, due, open)
		}
	}
}

func TestAverageBroadcastRateIsExactIfIntervalIsNotWholeNumberOfTicks(t *testing.T) {
	pol := OriginalPolicy()
	for _, perSecond := range []int{5, 7, 20, 30, 60} {
		for viewer := sim.EntityID(0); viewer < 20; viewer++ {
			due, open := serve(NewSchedule(&pol, perSecond), viewer, sim.Tick(60*perSecond))
			if len(due) < 299 || len(due) > 300 || len(open) < 149 || len(open) > 150 {
				t.Errorf("%d ticks/s: viewer %d got %d broadcasts, %d open, in 60 s; want 300 and 150",
					perSecond, viewer, len(due), len(open))
			}
		}
	}
}

func TestBroadcastDueInMissedFrameIsSentWithNextFrame(t *testing.T) {
	pol := OriginalPolicy()
	s := NewSchedule(&pol, 20)
	if due, middle := s.Due(3, 100, 140); !due || !middle {
		t.Errorf("after 40 missed ticks: due %v, middle %v; want both", due, middle)
	}
	if due, middle := s.Due(3, 140, 140); due || middle {
		t.Errorf("the same frame twice: due %v, middle %v; want neither", due, middle)
	}
}

func TestInvalidInterestPoliciesAreRefused(t *testing.T) {
	good := OriginalPolicy()
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Policy){
		"close 0":           func(p *Policy) { p.CloseRadius = 0 },
		"far below close":   func(p *Policy) { p.FarRadius = 499 },
		"interval 0":        func(p *Policy) { p.IntervalMS = 0 },
		"negative middle":   func(p *Policy) { p.MiddleEveryMS = -1 },
		"enter below far":   func(p *Policy) { p.EnterRadius, p.LeaveRadius = 999, 1200 },
		"leave below enter": func(p *Policy) { p.EnterRadius, p.LeaveRadius = 1200, 1100 },
		"only leave":        func(p *Policy) { p.LeaveRadius = 1100 },
	} {
		p := OriginalPolicy()
		if change(&p); p.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
