package journal

import (
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// readFrame processes the events of a frame. It adds entries for holds (rejected claims), corrections, refusals and hits by lag
// compensation, and stores the other events of players in case an entry follows. It ignores frames that are not newer than the
// area's newest entry of earlier runs, because a node of a cluster simulates its last ticks a second time after a restart.
func (j *Journal) readFrame(p area.Published) {
	f := p.Frame
	if len(f.Events) == 0 && p.Missed == 0 {
		return
	}
	if p.AtMS != 0 && p.AtMS <= j.loadedMS[j.areaName(f.Area)] {
		return
	}
	now := p.Time()
	j.mu.Lock()
	defer j.mu.Unlock()
	if p.Missed > 0 {
		if p.CatchUp {
			j.pastFrames += p.Missed
		}
		j.addMissedFrames(f, p.Missed, now)
	}
	for i := range f.Events {
		j.readEvent(f, &f.Events[i], p.Late, now)
	}
}

// readEvent processes one event of a frame. The parameter late is how far the area was behind its schedule, 0 if it was
// on time.
func (j *Journal) readEvent(f *sim.Frame, e *sim.Event, late time.Duration, now time.Time) {
	if verdict := VerdictOf(e); verdict != 0 {
		j.addDecision(f, e, verdict, late, now)
		return
	}
	switch e.Kind {
	case sim.EventJoined, sim.EventResumed:
		j.playerJoined(f, e, now)
	case sim.EventLeft:
		if v := j.players[e.Who]; v != nil {
			j.addPlayerEvent(v, playerEvent{at: now, tick: f.Tick, area: f.Area, kind: eventLeft})
			v.leftAt = now
		}
	case sim.EventDeparted:
		if v := j.players[e.Who]; v != nil {
			j.addPlayerEvent(v, playerEvent{at: now, tick: f.Tick, area: f.Area, kind: eventDeparted, other: j.areaName(e.To)})
		}
	default:
		j.addEventForBoth(f, e, now)
		j.addRewoundHit(f, e, late, now)
	}
}

// playerJoined begins tracking a player and records that it logged in or arrived from another area.
func (j *Journal) playerJoined(f *sim.Frame, e *sim.Event, now time.Time) {
	v := j.players[e.Who]
	if v == nil {
		if x := f.Find(e.Who); x == nil || !x.Is(sim.FlagPlayer) {
			return
		}
		v = j.addPlayer(f, e.Who, now)
	}
	m := playerEvent{at: now, tick: f.Tick, area: f.Area, kind: eventArrived}
	if e.N == 1 || e.Kind == sim.EventResumed {
		m.kind = eventLoggedIn
	}
	j.addPlayerEvent(v, m)
}

// addEventForBoth adds an event to the recent events of its actors Who and Other, if these are players.
func (j *Journal) addEventForBoth(f *sim.Frame, e *sim.Event, now time.Time) {
	who, other := playerEventKinds(e)
	if who == 0 {
		return
	}
	if v := j.players[e.Who]; v != nil {
		name := actorName(f, e.Other)
		if e.Kind == sim.EventAttacked || e.Kind == sim.EventOrderDone {
			name = e.Text // the name is in the event, because a target that died is no longer in the frame
		}
		j.addPlayerEvent(v, playerEvent{at: now, tick: f.Tick, area: f.Area, kind: who, other: name, n: e.N, agoMS: e.AgoMS, seen: finiteVec(e.Pos)})
	}
	if v := j.players[e.Other]; v != nil && other != 0 && e.Other != e.Who {
		name := actorName(f, e.Who)
		if e.Kind == sim.EventDied {
			name = e.Text
		}
		j.addPlayerEvent(v, playerEvent{at: now, tick: f.Tick, area: f.Area, kind: other, other: name, n: e.N, agoMS: e.AgoMS, seen: finiteVec(e.Pos)})
	}
}

// addMissedFrames records that the journal missed n frames of the area before the frame f, and begins tracking the players that joined
// during the missed frames.
func (j *Journal) addMissedFrames(f *sim.Frame, n uint64, now time.Time) {
	j.lostFrames += n
	j.queueNearbyRow(&playerEvent{at: now, tick: f.Tick, area: f.Area, kind: eventFramesMissed, n: int32(min(n, 1<<30))}, 0, "")
	for i := range f.Actors {
		if x := &f.Actors[i]; x.Is(sim.FlagPlayer) && j.players[x.ID] == nil {
			j.addPlayer(f, x.ID, now)
		}
	}
}

// addPlayer begins to record the decisions about a player and the player's events.
func (j *Journal) addPlayer(f *sim.Frame, id sim.EntityID, now time.Time) *playerState {
	v := &playerState{id: id, lastSeen: now}
	v.identity.RTT = -1
	v.identity.Name = actorName(f, id)
	j.players[id] = v
	j.refreshIdentity(v)
	return v
}

// refreshIdentity updates the identity of a player. If the player has left, it retains the last known identity.
func (j *Journal) refreshIdentity(v *playerState) {
	w, ok := j.opt.Identify(v.id)
	if !ok {
		return
	}
	if w.Name != "" {
		v.identity.Name = w.Name
	}
	v.identity.Account, v.identity.Door, v.identity.RTT = w.Account, w.Door, w.RTT
}

// addDecision adds an entry for a hold, correction or refusal. It ignores refused intents of players that had already
// left.
func (j *Journal) addDecision(f *sim.Frame, e *sim.Event, verdict Verdict, late time.Duration, now time.Time) {
	if e.Reason == reason.Unknown && f.Find(e.Who) == nil {
		return
	}
	v := j.players[e.Who]
	if v == nil {
		v = j.addPlayer(f, e.Who, now)
	} else {
		j.refreshIdentity(v)
	}
	v.lastSeen = now
	entry := newEntry(j.def(), f, e, verdict, v.identity, now)
	entry.Area = j.areaName(f.Area)
	entry.setLate(late)
	j.addEntry(v, &entry)
	j.startNearbyWindow(v, now)
}

// setLate stores in the entry how far the area was behind its schedule at the time of the decision.
func (to *Entry) setLate(late time.Duration) {
	if late = late.Truncate(time.Millisecond); late > 0 {
		to.Late, to.LateTimes = late, 1
	}
}

// EntryOf returns the journal entry of an event. The result ok is false if the event is not a hold, correction or refusal. The
// fields Account and Door, and usually RTT, stay unset, because a frame does not contain them; ID is 0. The parameter w is the
// world of the frame.
func EntryOf(w *sim.World, f *sim.Frame, e *sim.Event, at time.Time) (entry Entry, ok bool) {
	verdict := VerdictOf(e)
	if verdict == 0 || e.Reason == reason.Unknown && f.Find(e.Who) == nil {
		return Entry{}, false
	}
	entry = newEntry(w, f, e, verdict, Identity{Name: actorName(f, e.Who), RTT: -1}, at)
	entry.Area = w.Areas[f.Area].Name
	return entry, true
}

// VerdictOf returns the verdict of an event, or 0 if the event is not a hold, correction or refusal.
func VerdictOf(e *sim.Event) Verdict {
	switch e.Kind {
	case sim.EventHeld:
		return Held
	case sim.EventCorrected:
		return Corrected
	case sim.EventRefused, sim.EventExpelled:
		return Refused
	case sim.EventTeleported: // a teleport with a reason replaces a correction that would reach the client too late
		if e.Reason != reason.None {
			return Corrected
		}
	}
	return 0
}

// newEntry returns the journal entry of a decision. The caller must set the name of the area. The parameter w is the world, from
// which setFigures takes a limit that some events lack; w may be nil.
func newEntry(w *sim.World, f *sim.Frame, e *sim.Event, verdict Verdict, who Identity, at time.Time) Entry {
	entry := Entry{
		At: at, First: at, AreaID: f.Area, Tick: f.Tick, Verdict: verdict, Reason: e.Reason,
		Entity: e.Who, Player: who.Name, Account: who.Account, Door: who.Door, RTT: who.RTT, Times: 1,
	}
	if e.Rewind != nil && e.Rewind.RTT > 0 {
		entry.RTT = int32(e.Rewind.RTT)
	}
	if e.Other != 0 {
		entry.Other = actorName(f, e.Other)
	}
	entry.setFigures(w, e)
	entry.setPositions(f, e)
	return entry
}

// setFigures sets Asked and Allowed, the two numbers that the rule compared. Usually they are in the event. An event about a
// predicted player that had the right position but the wrong speed contains distances; then setFigures computes the difference
// between the two speeds (Asked) and its limit (Allowed).
func (to *Entry) setFigures(w *sim.World, e *sim.Event) {
	to.Asked, to.Allowed, to.Unit = clampFinite(e.Asked), clampFinite(e.Allowed), figureUnit(e)
	if e.Reason == reason.MispredictedSpeed && e.Rewind != nil && w != nil {
		to.Asked = clampFinite(geom.Sqrt(geom.Dist2(e.Rewind.Velocity, e.Rewind.State.Vel)))
		to.Allowed, to.Unit = clampFinite(w.Rules.Predict.VelocityThreshold), "blocks/tick"
	}
	if e.Reason == reason.Landing && e.Rewind != nil && e.Asked <= e.Allowed { // the velocity of the client differed, not its position
		to.Asked = clampFinite(geom.Sqrt(geom.Dist2(e.Rewind.Velocity, e.Rewind.State.Vel)))
		to.Allowed, to.Unit = move.VelocityTolerance, "blocks/tick"
	}
}

// setPositions sets the position that was asked for and the position of the player. Most refusals have no position that
// was asked for.
func (to *Entry) setPositions(f *sim.Frame, e *sim.Event) {
	to.From, to.Pos = finiteVec(e.From), finiteVec(e.Pos)
	if e.AgoMS > 0 { // the event is an attack, and its positions are those of the target
		to.AgoMS, to.Seen, to.OtherPos = int32(e.AgoMS), to.Pos, to.From
		to.From, to.Pos = geom.Vec{}, geom.Vec{}
	}
	switch e.Kind {
	case sim.EventHeld, sim.EventCorrected:
		to.HasFrom = true
	case sim.EventRefused:
		to.HasFrom = to.From != geom.Vec{} // among refused intents, only path requests have a position
	case sim.EventTeleported:
		to.HasPos = true
	}
	if to.HasFrom || to.HasPos {
		to.HasPos = true
		return
	}
	if x := f.Find(e.Who); x != nil {
		to.Pos, to.HasPos = finiteVec(x.Pos), true
	}
	to.From = geom.Vec{}
}

// actorName returns the name of an actor, or "" if the frame does not contain the actor.
func actorName(f *sim.Frame, id sim.EntityID) string {
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
