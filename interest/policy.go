// Package interest decides what each viewer of an area is told, and how often. It is pure: frame and viewer in, indices
// into the frame out; it knows no packet and no clock.
//
// A door describes its habits as a Policy. Once per frame and area it builds a Crowd; for each viewer it asks the
// Schedule whether his broadcast is due, and then collects:
//
//	crowd.Build(frame, &pol)
//	for each viewer {
//		if due, middle := sched.Due(viewer.ID, viewer.served, frame.Tick); due {
//			near = crowd.Collect(near[:0], viewer.index, middle, &pol)
//			... send frame.Actors[i] for i in near
//		}
//	}
//
// A View remembers what one viewer has been told of who is there. It compares tables and not events, so a reader that
// missed frames heals itself with the next one.
//
// A built Crowd is only read by Collect, View.Sync and View.Update: workers may share it. A View belongs to one worker.
package interest

import (
	"errors"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Policy is how a door keeps its viewers up to date. It is plain data. Distances are on the ground plane (X and Z), in
// world units.
//
//	distance d             told
//	d <  CloseRadius       in every broadcast
//	d <= FarRadius         in broadcasts with the middle gate open
//	beyond                 never, unless he is in view still
//
// Whom one fights, one's party, one's mount or rider, and oneself are always close.
type Policy struct {
	CloseRadius   float32 // > 0
	FarRadius     float32 // >= CloseRadius
	IntervalMS    int32   // between two broadcasts to a viewer, > 0
	MiddleEveryMS int32   // the middle gate opens in the first broadcast that comes so long after the last opening

	// Who is shown at all, for View. An actor comes into view at EnterRadius or nearer, and leaves it only beyond
	// LeaveRadius, so that nobody flickers at the edge. Between the two he is told of with the middle ones: a door that
	// tells changes alone would leave him where he was when he comes nearer again. 0 and 0: everybody in the area is shown.
	EnterRadius float32
	LeaveRadius float32 // >= EnterRadius >= FarRadius, unless both are 0
}

// Seed is the policy of RealmCrafter: close within 500 units, middle up to 1000 in every other broadcast, a broadcast
// each 200 ms, the whole area shown. Source: seed P_StandardUpdate, server broadcast scheduler ("mid-range updates skip
// every other tick to halve bandwidth"); the figures are those of docs/wire/rcce.md 5.2. The old server's own constant
// for the middle gate is 1000 ms.
func SeedPolicy() Policy {
	return Policy{CloseRadius: 500, FarRadius: 1000, IntervalMS: 200, MiddleEveryMS: 400}
}

// Check returns what is wrong with the policy, nil if it can be used. The other functions rely on it.
func (p *Policy) Check() error {
	whole := p.EnterRadius == 0 && p.LeaveRadius == 0
	switch {
	case !(p.CloseRadius > 0) || !geom.Finite(p.CloseRadius):
		return errors.New("close radius must be above 0")
	case !(p.FarRadius >= p.CloseRadius) || !geom.Finite(p.FarRadius):
		return errors.New("far radius must not be below the close radius")
	case p.IntervalMS <= 0:
		return errors.New("interval must be above 0 ms")
	case p.MiddleEveryMS < 0:
		return errors.New("middle interval must not be negative")
	case whole:
		return nil
	case !(p.EnterRadius >= p.FarRadius):
		return errors.New("enter radius must not be below the far radius: nobody is updated who is not shown")
	case !(p.LeaveRadius >= p.EnterRadius) || !geom.Finite(p.LeaveRadius):
		return errors.New("leave radius must not be below the enter radius")
	}
	return nil
}

// Schedule spreads the broadcasts of many viewers over the ticks. Each viewer gets one every IntervalMS exactly, on
// average where a tick does not divide it; which tick of the interval is his follows from his id.
type Schedule struct {
	perSecond int64 // ticks
	interval  int64 // ms
	phases    int64 // ticks in an interval, rounded up: so many groups of viewers
	every     int64 // the middle gate is open in one of so many broadcasts
}

// NewSchedule is the schedule of a checked policy in a world of so many ticks per second (> 0).
func NewSchedule(p *Policy, ticksPerSecond int) Schedule {
	s := Schedule{perSecond: int64(ticksPerSecond), interval: int64(p.IntervalMS)}
	s.phases = max((s.interval*s.perSecond+999)/1000, 1)
	s.every = max((int64(p.MiddleEveryMS)+s.interval-1)/s.interval, 1)
	return s
}

// Due tells whether a broadcast of viewer falls after the tick was and not after now, and whether the middle gate is open
// in it. was is the tick of the frame that he was last asked for, 0 at first; a reader that missed frames in between
// loses no broadcast and no opening, though several that were missed become one.
func (s *Schedule) Due(viewer sim.EntityID, was, now sim.Tick) (due, middle bool) {
	phase, group := int64(uint64(viewer)%uint64(s.phases)), int64(uint64(viewer)/uint64(s.phases)%uint64(s.every))
	from, to := s.broadcasts(was, phase), s.broadcasts(now, phase)
	if to <= from {
		return false, false
	}
	// Openings up to broadcast n number (n+group)/every.
	return true, (to+group)/s.every > (from+group)/s.every
}

// broadcasts is how many there were up to and with tick t.
func (s *Schedule) broadcasts(t sim.Tick, phase int64) int64 {
	return (int64(t) + phase) * 1000 / (s.perSecond * s.interval)
}
