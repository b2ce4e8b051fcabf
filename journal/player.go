package journal

import (
	"math"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// Bounds of what one player may put into the journal. Nothing is left out because of them: beyond them an entry stands
// for more of its kind.
const (
	mergeWindow        = time.Second      // entries of one kind within it are one            the contract of Entry.Times
	longMergeWindow    = 60 * time.Second // the same for a player who has used up his share  guess: an operator reads minutes
	entryBurst         = 30               // new entries at once...                           guess: twice what one bad step brings
	entriesPerSecond   = 1                // ...and then per second
	maxQueuedPerPlayer = 128              // entries that wait for the disk                   guess: half a minute of a bad player

	nearbyBurst     = 40          // events around entries at once...  guess: ten seconds of a fight
	nearbyPerSecond = 2           // ...and then per second
	ringSize        = 16          // events that are remembered in case an entry follows
	stanceWindow    = time.Second // changes of stance within it are one event: who fights changes his gait all the time

	// NearbyWindow is how long before and after an entry the events around it are kept.
	NearbyWindow = 5 * time.Second
)

// openEntry is an entry that may still stand for more.
type openEntry struct {
	entry  Entry
	player *playerState
	queued bool // it waits for the writer
	stored bool // the writer has had it once
}

// playerState is what the journal remembers of a player in the world. It needs the lock of the journal.
type playerState struct {
	id            sim.EntityID
	identity      Identity     // as last known; UTF-8
	lastSeen      time.Time    // when anything happened to him last
	leftAt        time.Time    // when he left; zero: he is here
	openEntries   []*openEntry // the newest entry of each verdict and reason
	counts        []Count      // in the same order
	entryBudget   tokenBucket  // of entries
	nearbyBudget  tokenBucket  // of events around them
	queuedEntries int          // of items that are queued

	ring        [ringSize]playerEvent
	ringTotal   int       // moments that were put into ring
	ringHandled int       // of those, how many are stored or never will be
	nearbyUntil time.Time // moments are stored at once until then

	stanceAt time.Time // his last change of stance that was remembered
}

// playerEvent is something that happened to a player, before anybody knows whether it will be stored.
type playerEvent struct {
	at    time.Time
	tick  sim.Tick
	area  sim.AreaID
	kind  eventKind
	other string // name of another actor or of an area, bytes as the world has them
	n     int32
}

// tokenBucket grants a burst and then so many a second.
type tokenBucket struct {
	used float64 // of the burst
	at   time.Time
}

// allow tells whether one more is granted.
func (b *tokenBucket) allow(now time.Time, burst, perSecond float64) bool {
	if past := now.Sub(b.at).Seconds(); past > 0 {
		b.used = max(b.used-past*perSecond, 0)
		b.at = now
	}
	if b.used > burst-1 {
		return false
	}
	b.used++
	return true
}

// kindIndex is the index of a verdict and reason in items and counts, which it makes if there is none. There are as many as
// reasons, so a walk is short.
func (v *playerState) kindIndex(verdict Verdict, why reason.Reason) int {
	for i := range v.counts {
		if c := &v.counts[i]; c.Verdict == verdict && c.Reason == why {
			return i
		}
	}
	v.counts = append(v.counts, Count{Verdict: verdict, Reason: why})
	v.openEntries = append(v.openEntries, nil)
	return len(v.counts) - 1
}

// merge lets an entry stand for one more, whose figures it takes.
func (it *openEntry) merge(e *Entry) {
	e.ID, e.First, e.Times = it.entry.ID, it.entry.First, it.entry.Times
	if e.Times < math.MaxInt32 {
		e.Times++
	}
	it.entry = *e
}

// pushEvent remembers a moment.
func (v *playerState) pushEvent(m playerEvent) {
	v.ring[v.ringTotal%ringSize] = m
	v.ringTotal++
	v.lastSeen = m.at
}
