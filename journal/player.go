package journal

import (
	"math"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// Bounds of what one player may add to the journal. No decision is dropped because of them: beyond them decisions are
// merged into the player's last entry of the same verdict and reason.
const (
	mergeWindow        = time.Second      // decisions of one verdict and reason within it are one entry; see Entry.Times
	longMergeWindow    = 60 * time.Second // the same once the player has used up its budget  guess: an operator reads minutes
	entryBurst         = 30               // new entries at once...                           guess: twice what one bad step brings
	entriesPerSecond   = 1                // ...and then per second
	maxQueuedPerPlayer = 128              // entries queued for the writer   guess: half a minute of a bad player

	nearbyBurst     = 40          // nearby events at once...   guess: ten seconds of a fight
	nearbyPerSecond = 2           // ...and then per second
	ringSize        = 16          // last events that are remembered in case an entry follows
	stanceWindow    = time.Second // stance changes within it are one event: fighting changes the gait all the time

	// NearbyWindow is how long before and after an entry events are stored with it.
	NearbyWindow = 5 * time.Second
)

// openEntry is an entry into which later decisions may still be merged.
type openEntry struct {
	entry  Entry
	player *playerState
	queued bool // in Journal.queue
	stored bool // the writer has inserted it; later writes update it
}

// playerState is what the journal remembers of a player in the world. Guarded by Journal.mu.
type playerState struct {
	id            sim.EntityID
	identity      Identity     // as last known; UTF-8
	lastSeen      time.Time    // time of the last event
	leftAt        time.Time    // when the player left; zero: still here
	openEntries   []*openEntry // the newest entry of each verdict and reason
	counts        []Count      // in the same order
	entryBudget   tokenBucket  // of entries
	nearbyBudget  tokenBucket  // of events around them
	queuedEntries int          // how many of openEntries are in Journal.queue

	ring        [ringSize]playerEvent
	ringTotal   int       // events ever put into ring
	ringHandled int       // of those, how many are queued or skipped for good
	nearbyUntil time.Time // events until then are queued at once

	stanceAt time.Time // the last stance change that was remembered
}

// playerEvent is something that happened to a player. It is stored only if an entry is near.
type playerEvent struct {
	at    time.Time
	tick  sim.Tick
	area  sim.AreaID
	kind  eventKind
	other string // name of another actor or of an area
	n     int32
}

// tokenBucket allows a burst and then a rate per second.
type tokenBucket struct {
	used float64 // tokens used of the burst
	at   time.Time
}

// allow reports whether one more is allowed, and uses a token if so.
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

// kindIndex returns the index of a verdict and reason in openEntries and counts, which it extends if needed. There are few
// of them, so the search is linear.
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

// merge counts e in the open entry, which takes e's values but keeps its own ID and First.
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
