// Package interest is the area-of-interest management. It decides which actors of an area a viewer is sent updates about,
// and how often. It is pure: its input is a frame and a viewer, its output are indices into the frame; it reads no clock.
//
// A door describes its rates and radii as a Policy. Once per frame and area it builds a FrameIndex; for each viewer
// it asks the Schedule whether a broadcast is due, and then collects:
//
//	index.Build(frame, &pol)
//	for each viewer {
//		if due, middle := sched.Due(viewer.ID, viewer.served, frame.Tick); due {
//			near = index.Collect(near[:0], viewer.index, middle, &pol)
//			... send frame.Actors[i] for i in near
//		}
//	}
//
// A View records which actors one viewer has been told about. It compares the actors of a frame with those that the viewer
// knows, instead of following events. So a reader that missed frames is correct again with the next one.
//
// Collect, View.Sync and View.Update only read a built FrameIndex: workers may share it. A View belongs to one
// worker.
package interest

import (
	"fmt"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Policy sets the update rates and radii of a door. It is plain data. Distances are on the ground plane (X and Z), in
// world units.
//
//	distance d             updated
//	d <  CloseRadius       in every broadcast
//	d <= FarRadius         only in broadcasts that include these actors, called middle actors: see MiddleEveryMS
//	d >  FarRadius         never; but actors still in view beyond EnterRadius are updated like middle actors
//
// The viewer itself, its target and attackers, its party, and its mount or rider always count as close.
type Policy struct {
	CloseRadius   float32 // radius within which actors are close, world units, > 0
	FarRadius     float32 // radius within which actors that are not close are middle actors, world units, >= CloseRadius
	IntervalMS    int32   // ms between two broadcasts to a viewer, > 0
	MiddleEveryMS int32   // minimum ms between two broadcasts to a viewer that include middle actors; 0: every broadcast does

	// The area of interest of View, with hysteresis: an actor enters the view at EnterRadius and leaves it only beyond
	// LeaveRadius. Between the two radii it is updated as often as a middle actor, because its position must not be outdated when
	// it comes closer again. If both radii are 0, every actor in the area is in view.
	EnterRadius float32 // radius within which actors enter the view, world units; >= FarRadius, or 0 together with LeaveRadius
	LeaveRadius float32 // radius beyond which actors leave the view, world units; >= EnterRadius, or 0 if EnterRadius is 0
}

// OriginalPolicy returns the policy of RealmCrafter: actors within 500 units are close, those up to 1000 are middle actors.
// There is a broadcast every 200 ms, and every other one includes the middle actors. The whole area is in view. Source:
// specification P_StandardUpdate, server broadcast scheduler ("mid-range updates skip every other tick to halve bandwidth"),
// and for the numbers docs/wire/rcce.md 5.4. The RealmCrafter server differs from its specification: it updates actors at
// middle distance every 1000 ms.
func OriginalPolicy() Policy {
	return Policy{CloseRadius: 500, FarRadius: 1000, IntervalMS: 200, MiddleEveryMS: 400}
}

// Check returns an error if the policy is invalid. The other functions require a valid policy.
func (p *Policy) Check() error {
	whole := p.EnterRadius == 0 && p.LeaveRadius == 0
	switch {
	case !(p.CloseRadius > 0) || !geom.Finite(p.CloseRadius):
		return fmt.Errorf("interest policy: CloseRadius is %v, must be a finite number above 0", p.CloseRadius)
	case !(p.FarRadius >= p.CloseRadius) || !geom.Finite(p.FarRadius):
		return fmt.Errorf("interest policy: FarRadius is %v, must be a finite number and at least CloseRadius, %v", p.FarRadius, p.CloseRadius)
	case p.IntervalMS <= 0:
		return fmt.Errorf("interest policy: IntervalMS is %d, must be above 0", p.IntervalMS)
	case p.MiddleEveryMS < 0:
		return fmt.Errorf("interest policy: MiddleEveryMS is %d, must not be negative", p.MiddleEveryMS)
	case whole:
		return nil
	case !(p.EnterRadius >= p.FarRadius):
		return fmt.Errorf("interest policy: EnterRadius is %v, must be at least FarRadius, %v, because an actor between the two would not be in view and would get no updates", p.EnterRadius, p.FarRadius)
	case !(p.LeaveRadius >= p.EnterRadius) || !geom.Finite(p.LeaveRadius):
		return fmt.Errorf("interest policy: LeaveRadius is %v, must be a finite number and at least EnterRadius, %v", p.LeaveRadius, p.EnterRadius)
	}
	return nil
}

// Schedule spreads the broadcasts to the viewers over the ticks. Each viewer gets one broadcast per IntervalMS. If IntervalMS is
// not a whole number of ticks, the time between two broadcasts varies by one tick and is IntervalMS on average. The viewer's id
// determines in which tick of the interval its broadcast is due.
type Schedule struct {
	perSecond int64 // ticks per second
	interval  int64 // ms between two broadcasts to a viewer
	phases    int64 // ticks per interval, rounded up; viewers are divided into this many groups, one per tick
	every     int64 // one of this many broadcasts includes actors at middle distance
}

// NewSchedule returns the schedule of a valid policy in a world with the given number of ticks per second (at least 1).
func NewSchedule(p *Policy, ticksPerSecond int) Schedule {
	s := Schedule{perSecond: int64(ticksPerSecond), interval: int64(p.IntervalMS)}
	s.phases = max((s.interval*s.perSecond+999)/1000, 1)
	s.every = max((int64(p.MiddleEveryMS)+s.interval-1)/s.interval, 1)
	return s
}

// Due reports whether a broadcast to a viewer is due in one of the ticks last+1..now, and whether it includes actors at middle
// distance. The parameter last is the tick of the previous call for this viewer, 0 for the first call. A caller that skipped
// frames sends only one broadcast, even if several were due; it includes the actors at middle distance if one of the due
// broadcasts does.
func (s *Schedule) Due(viewer sim.EntityID, last, now sim.Tick) (due, middle bool) {
	phase, group := int64(uint64(viewer)%uint64(s.phases)), int64(uint64(viewer)/uint64(s.phases)%uint64(s.every))
	from, to := s.broadcasts(last, phase), s.broadcasts(now, phase)
	if to <= from {
		return false, false
	}
	// Of the first n broadcasts to this viewer, (n+group)/s.every include actors at middle distance. If this number has grown
	// since the tick last, one of the due broadcasts includes them.
	return true, (to+group)/s.every > (from+group)/s.every
}

// broadcasts returns the number of broadcasts that are due to a viewer up to and including tick t. The phase of a viewer,
// 0..phases-1, determines in which tick of the interval its broadcasts are due.
func (s *Schedule) broadcasts(t sim.Tick, phase int64) int64 {
	return (int64(t) + phase) * 1000 / (s.perSecond * s.interval)
}
