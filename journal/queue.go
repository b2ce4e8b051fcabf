package journal

import (
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Bounds of what waits for the disk, for all players together.
const (
	maxQueue       = 4096 // entries                guess: 60 players who are refused all the time, for a minute
	maxNearbyQueue = 8192 // events around entries  guess: twice as many
)

// nearbyRow is an event around an entry, on its way into the file.
type nearbyRow struct {
	at      time.Time
	tick    sim.Tick
	area    sim.AreaID
	entity  sim.EntityID
	account string
	kind    string
	text    string
}

// addEntry puts an entry into the queue, or lets the last of its kind stand for it, too.
func (j *Journal) addEntry(v *playerState, e *Entry) {
	i := v.kindIndex(e.Verdict, e.Reason)
	v.counts[i].N++
	if last := v.openEntries[i]; last != nil && !j.startsNewEntry(v, last, e) {
		last.merge(e)
		j.enqueue(last)
		return
	} else if last == nil {
		v.entryBudget.allow(e.At, entryBurst, entriesPerSecond) // the first of a kind is always granted: there are few kinds
	}
	if len(j.queue) >= maxQueue {
		j.lostEntries++
		return
	}
	e.ID = j.nextID
	j.nextID++
	v.openEntries[i] = &openEntry{entry: *e, player: v}
	j.enqueue(v.openEntries[i])
}

// startsNewEntry tells whether an entry stands for itself rather than the last of its kind for it.
func (j *Journal) startsNewEntry(v *playerState, last *openEntry, e *Entry) bool {
	age := e.At.Sub(last.entry.First)
	switch {
	case age < mergeWindow && last.entry.AreaID == e.AreaID, len(j.queue) >= maxQueue:
		return false
	case age >= longMergeWindow:
		return true
	}
	return v.queuedEntries < maxQueuedPerPlayer && v.entryBudget.allow(e.At, entryBurst, entriesPerSecond)
}

// enqueue puts an item into the queue unless it is there. One that changed always finds room: there are not more of them
// than players times reasons.
func (j *Journal) enqueue(it *openEntry) {
	if it.queued {
		return
	}
	it.queued = true
	it.player.queuedEntries++
	j.queue = append(j.queue, it)
}

// addPlayerEvent remembers a moment, and stores it if an entry was made a moment ago.
func (j *Journal) addPlayerEvent(v *playerState, m playerEvent) {
	if m.kind == eventStanceChanged {
		if m.at.Sub(v.stanceAt) < stanceWindow {
			return
		}
		v.stanceAt = m.at
	}
	v.pushEvent(m)
	if m.at.Before(v.nearbyUntil) {
		j.queueNearbyEvents(v)
	}
}

// startNearbyWindow stores what happened shortly before an entry, and what will happen after it.
func (j *Journal) startNearbyWindow(v *playerState, now time.Time) {
	v.nearbyUntil = now.Add(NearbyWindow)
	j.queueNearbyEvents(v)
}

// queueNearbyEvents stores the moments of a visit that are recent and not stored yet, as far as its share goes.
func (j *Journal) queueNearbyEvents(v *playerState) {
	for n := max(v.ringHandled, v.ringTotal-ringSize); n < v.ringTotal; n++ {
		m := &v.ring[n%ringSize]
		if v.nearbyUntil.Sub(m.at) <= 2*NearbyWindow && v.nearbyBudget.allow(v.lastSeen, nearbyBurst, nearbyPerSecond) {
			j.queueNearbyRow(m, v.id, v.identity.Account)
		}
	}
	v.ringHandled = v.ringTotal
}

func (j *Journal) queueNearbyRow(m *playerEvent, id sim.EntityID, account string) {
	if len(j.nearbyQueue) >= maxNearbyQueue {
		j.lostNearby++
		return
	}
	j.nearbyQueue = append(j.nearbyQueue, nearbyRow{m.at, m.tick, m.area, id, account, eventKindNames[m.kind], m.sentence(j.opt.Text)})
}
