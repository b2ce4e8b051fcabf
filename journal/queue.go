package journal

import (
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Maximum numbers of rows that wait to be written to the file, of all players together.
const (
	maxQueue       = 4096 // maximum number of queued entries (enough for a minute in which 60 players are constantly refused)
	maxNearbyQueue = 8192 // maximum number of queued nearby events (twice as many as entries)
)

// nearbyRow is a nearby event that waits to be written.
type nearbyRow struct {
	at      time.Time
	tick    sim.Tick
	area    sim.AreaID
	entity  sim.EntityID
	account string
	kind    string
	text    string
}

// addEntry queues an entry, or merges it into the player's last entry with the same verdict and reason.
func (j *Journal) addEntry(v *playerState, e *Entry) {
	i := v.kindIndex(e.Verdict, e.Reason)
	if e.LateTimes > 0 {
		v.counts[i].Late++
	} else {
		v.counts[i].N++
	}
	if last := v.openEntries[i]; last != nil && !j.startsNewEntry(v, last, e) {
		last.merge(e)
		j.enqueue(last)
		return
	} else if last == nil {
		v.allowEntry(e) // the result is ignored: the first entry of each verdict and reason is always added, because few combinations exist
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

// startsNewEntry reports whether the decision e becomes a new entry. Otherwise it is merged into last, the player's
// newest entry with the same verdict and reason.
func (j *Journal) startsNewEntry(v *playerState, last *openEntry, e *Entry) bool {
	age := e.At.Sub(last.entry.First)
	switch {
	case age < mergeWindow && last.entry.AreaID == e.AreaID, len(j.queue) >= maxQueue:
		return false
	case age >= longMergeWindow:
		return true
	}
	return v.queuedEntries < maxQueuedPerPlayer && v.allowEntry(e)
}

// enqueue queues an entry for the writer, unless it is already queued. It does not check the limit maxQueue: addEntry does that
// for new entries. Changed entries need no limit, because at most one per player, verdict and reason can change.
func (j *Journal) enqueue(it *openEntry) {
	if it.queued {
		return
	}
	it.queued = true
	it.player.queuedEntries++
	j.queue = append(j.queue, it)
}

// addPlayerEvent adds an event to the last events of the player (playerState.ring). If the player had an entry within
// the last NearbyWindow, it also queues the event for the file.
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

// startNearbyWindow begins to store the events near a new entry. It queues the player's events of the NearbyWindow before the
// entry; addPlayerEvent then queues those of the NearbyWindow after it.
func (j *Journal) startNearbyWindow(v *playerState, now time.Time) {
	v.nearbyUntil = now.Add(NearbyWindow)
	j.queueNearbyEvents(v)
}

// queueNearbyEvents queues those of the player's last events (playerState.ring) that are near an entry and not queued yet, as
// many as the player's limit on nearby events allows.
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
	j.nearbyQueue = append(j.nearbyQueue, nearbyRow{m.at, m.tick, m.area, id, account, eventKindNames[m.kind], m.sentence()})
}
