package journal

import (
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// Limits on the entries about hits by lag compensation. These entries have limits of their own, because in a fight nearly every hit
// is by lag compensation: they cannot displace holds, corrections and refusals.
const (
	// minRewound is the minimum distance, in world units, between the earlier position by which an attack was judged and the target's
	// present position. A hit with a smaller distance gets no entry. The value is less than half of a player's width.
	minRewound = 0.5

	hitBurst      = 8   // new entries about hits that a player may add at once (about the number of hits in a duel)
	hitsPerSecond = 0.1 // new entries about hits per second that a player may add after the burst
	hitShare      = 4   // the file may have one entry about a hit for every hitShare other entries, see Options.MaxEntries
)

// isRewoundHit reports whether an event is an attack that hit its target at an earlier position, by lag compensation, and the target
// has moved by at least minRewound since.
func isRewoundHit(e *sim.Event) bool {
	return e.Kind == sim.EventAttacked && e.AgoMS > 0 && e.N >= 0 && geom.Dist2(e.Pos, e.From) >= minRewound*minRewound
}

// addRewoundHit adds two entries for a hit by lag compensation (see isRewoundHit): one about the victim and one about the attacker, if
// they are players. It does not store the events around the hit, because there are too many such hits.
func (j *Journal) addRewoundHit(f *sim.Frame, e *sim.Event, late time.Duration, now time.Time) {
	if !isRewoundHit(e) || j.players[e.Other] == nil {
		return
	}
	j.addHit(f, e, e.Other, reason.RewoundHitTaken, actorName(f, e.Who), late, now)
	j.addHit(f, e, e.Who, reason.RewoundHit, e.Text, late, now)
}

// addHit adds an entry about a hit to the player with the given id. The reason says whether the player dealt or took the hit. The
// parameter other is the name of the other actor.
func (j *Journal) addHit(f *sim.Frame, e *sim.Event, id sim.EntityID, why reason.Reason, other string, late time.Duration, now time.Time) {
	v := j.players[id]
	if v == nil {
		return
	}
	j.refreshIdentity(v)
	entry := Entry{
		At: now, First: now, Area: j.areaName(f.Area), AreaID: f.Area, Tick: f.Tick, Verdict: Hit, Reason: why,
		Entity: id, Player: v.identity.Name, Account: v.identity.Account, Door: v.identity.Door, RTT: v.identity.RTT, Times: 1,
		Other: other, AgoMS: int32(e.AgoMS), Seen: finiteVec(e.Pos), OtherPos: finiteVec(e.From),
	}
	if x := f.Find(id); x != nil {
		entry.Pos, entry.HasPos = finiteVec(x.Pos), true
	}
	entry.setLate(late)
	j.addEntry(v, &entry)
}
