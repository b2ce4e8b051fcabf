package journal

import (
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// see reads one frame.
func (j *Journal) see(p area.Published) {
	f := p.Frame
	if len(f.Events) == 0 && p.Missed == 0 {
		return
	}
	now := time.Now()
	j.mu.Lock()
	defer j.mu.Unlock()
	if p.Missed > 0 {
		j.gap(f, p.Missed, now)
	}
	for i := range f.Events {
		j.event(f, &f.Events[i], now)
	}
}

func (j *Journal) event(f *sim.Frame, e *sim.Event, now time.Time) {
	switch e.Kind {
	case sim.EventHeld:
		j.judged(f, e, Held, now)
	case sim.EventCorrected:
		j.judged(f, e, Corrected, now)
	case sim.EventRefused, sim.EventExpelled:
		j.judged(f, e, Refused, now)
	case sim.EventTeleported: // one with a reason is a correction that would have come too late otherwise
		if e.Reason != reason.None {
			j.judged(f, e, Corrected, now)
			return
		}
		j.both(f, e, now)
	case sim.EventJoined:
		j.joined(f, e, now)
	case sim.EventLeft:
		if v := j.visits[e.Who]; v != nil {
			j.note(v, moment{at: now, tick: f.Tick, area: f.Area, kind: hasLeft})
			v.gone = now
		}
	case sim.EventDeparted:
		if v := j.visits[e.Who]; v != nil {
			j.note(v, moment{at: now, tick: f.Tick, area: f.Area, kind: hasDeparted, other: j.areaName(e.To)})
		}
	default:
		j.both(f, e, now)
	}
}

// joined begins the visit of a player, unless he comes from another area.
func (j *Journal) joined(f *sim.Frame, e *sim.Event, now time.Time) {
	v := j.visits[e.Who]
	if v == nil {
		if x := f.Find(e.Who); x == nil || !x.Is(sim.FlagPlayer) {
			return
		}
		v = j.visit(f, e.Who, now)
	}
	m := moment{at: now, tick: f.Tick, area: f.Area, kind: hasArrived}
	if e.N == 1 {
		m.kind = hasLoggedIn
	}
	j.note(v, m)
}

// both notes an event for those of its two actors who are players.
func (j *Journal) both(f *sim.Frame, e *sim.Event, now time.Time) {
	who, other := happened(e)
	if who == 0 {
		return
	}
	if v := j.visits[e.Who]; v != nil {
		name := nameIn(f, e.Other)
		if e.Kind == sim.EventAttacked {
			name = e.Text // the blow may have been the last
		}
		j.note(v, moment{at: now, tick: f.Tick, area: f.Area, kind: who, other: name, n: e.N})
	}
	if v := j.visits[e.Other]; v != nil && other != 0 && e.Other != e.Who {
		name := nameIn(f, e.Who)
		if e.Kind == sim.EventDied {
			name = e.Text
		}
		j.note(v, moment{at: now, tick: f.Tick, area: f.Area, kind: other, other: name, n: e.N})
	}
}

// gap notes that frames were missed, and looks for players who came in one of them.
func (j *Journal) gap(f *sim.Frame, n uint64, now time.Time) {
	j.lostFrames += n
	j.queueNote(&moment{at: now, tick: f.Tick, area: f.Area, kind: hasMissed, n: int32(min(n, 1<<30))}, 0, "")
	for i := range f.Actors {
		if x := &f.Actors[i]; x.Is(sim.FlagPlayer) && j.visits[x.ID] == nil {
			j.visit(f, x.ID, now)
		}
	}
}

// visit begins a visit.
func (j *Journal) visit(f *sim.Frame, id sim.EntityID, now time.Time) *visit {
	v := &visit{id: id, seen: now}
	v.who.RTT = -1
	v.who.Name = j.opt.Text(nameIn(f, id))
	j.visits[id] = v
	j.ask(v)
	return v
}

// ask brings what is known of a player up to date. Who has left keeps what was known.
func (j *Journal) ask(v *visit) {
	w, ok := j.opt.Who(v.id)
	if !ok {
		return
	}
	if w.Name != "" {
		v.who.Name = j.opt.Text(w.Name)
	}
	v.who.Account, v.who.Door, v.who.RTT = j.opt.Text(w.Account), w.Door, w.RTT
}

// judged enters what was decided against a player. What he still asked for when he was gone says nothing of him.
func (j *Journal) judged(f *sim.Frame, e *sim.Event, verdict Verdict, now time.Time) {
	if e.Reason == reason.Unknown && f.Find(e.Who) == nil {
		return
	}
	v := j.visits[e.Who]
	if v == nil {
		v = j.visit(f, e.Who, now)
	} else {
		j.ask(v)
	}
	v.seen = now
	entry := Entry{
		At: now, First: now, Area: j.areaName(f.Area), AreaID: f.Area, Tick: f.Tick, Verdict: verdict, Reason: e.Reason,
		Entity: e.Who, Player: v.who.Name, Account: v.who.Account, Door: v.who.Door, RTT: v.who.RTT, Times: 1,
	}
	if e.Rewind != nil && e.Rewind.RTT > 0 {
		entry.RTT = int32(e.Rewind.RTT)
	}
	if e.Other != 0 {
		entry.Other = j.opt.Text(nameIn(f, e.Other))
	}
	j.figures(&entry, e)
	j.places(&entry, f, e)
	j.enter(v, &entry)
	j.surround(v, now)
}

// figures copies what the rule compared. A speed that was mispredicted comes with the distance, which was not the point.
func (j *Journal) figures(to *Entry, e *sim.Event) {
	to.Asked, to.Allowed, to.Unit = tame(e.Asked), tame(e.Allowed), unitOf(e)
	if e.Reason == reason.MispredictedSpeed && e.Rewind != nil && j.def != nil {
		to.Asked = tame(geom.Sqrt(geom.Dist2(e.Rewind.Velocity, e.Rewind.State.Vel)))
		to.Allowed, to.Unit = tame(j.def.Rules.Predict.VelocityThreshold), "blocks/tick"
	}
	if e.Reason == reason.Landing && e.Rewind != nil && e.Asked <= e.Allowed { // it was the speed that differed
		to.Asked = tame(geom.Sqrt(geom.Dist2(e.Rewind.Velocity, e.Rewind.State.Vel)))
		to.Allowed, to.Unit = move.VelocityTolerance, "blocks/tick"
	}
}

// places finds out where the player wanted to be and where he was. Refusals leave most of it out.
func (j *Journal) places(to *Entry, f *sim.Frame, e *sim.Event) {
	to.From, to.Pos = tameVec(e.From), tameVec(e.Pos)
	switch e.Kind {
	case sim.EventHeld, sim.EventCorrected:
		to.Placed = true
	case sim.EventRefused:
		to.Placed = e.From != geom.Vec{} // only where a way was asked for
	case sim.EventTeleported:
		to.Stood = true
	}
	if to.Placed || to.Stood {
		to.Stood = true
		return
	}
	if x := f.Find(e.Who); x != nil {
		to.Pos, to.Stood = tameVec(x.Pos), true
	}
	to.From = geom.Vec{}
}

// nameIn is the name of an actor in a frame, "" if it is not there.
func nameIn(f *sim.Frame, id sim.EntityID) string {
	if id == 0 {
		return ""
	}
	if x := f.Find(id); x != nil && x.Body != nil {
		return x.Body.Name
	}
	return ""
}

func (j *Journal) areaName(id sim.AreaID) string {
	if id < 0 || int(id) >= len(j.areas) {
		return ""
	}
	return j.areas[id]
}
