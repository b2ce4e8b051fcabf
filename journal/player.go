package journal

import (
	"math"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// Limits on what one player may add to the journal, so that it cannot displace the entries of other players. Decisions beyond a
// limit are not lost: they are merged into the player's last entry with the same verdict and reason.
const (
	mergeWindow = time.Second // decisions with the same verdict and reason that follow within this time are one entry; see Entry.Times
	// longMergeWindow is the longest time for which decisions with the same verdict and reason are merged into one entry. It
	// applies to a player that has used up its budget of entries (entryBurst, entriesPerSecond). The value is chosen for
	// operators, who need to know the minute of such a decision, not its second.
	longMergeWindow    = 60 * time.Second
	entryBurst         = 30  // new entries that a player may add at once (chosen as twice the number that one impossible move causes)
	entriesPerSecond   = 1   // new entries per second that a player may add after the burst
	maxQueuedPerPlayer = 128 // maximum number of waiting entries of one player (enough for half a minute of constant refusals)

	nearbyBurst     = 40          // nearby events of one player stored at once (enough for ten seconds of a fight)
	nearbyPerSecond = 2           // nearby events per second stored after the burst
	ringSize        = 16          // number of a player's last events that are remembered in case an entry follows
	stanceWindow    = time.Second // stance changes within this time are one event, because a player in a fight often changes between walking and running

	// NearbyWindow is the time before and after an entry in which events of its player are stored as nearby events.
	NearbyWindow = 5 * time.Second
)

// openEntry is an entry into which later decisions may still be merged.
type openEntry struct {
	entry  Entry
	player *playerState
	queued bool // the entry is in Journal.queue
	stored bool // the writer has inserted the entry; later writes update its row
}

// playerState is what the journal remembers about a player that is in the world or has left recently. It is guarded by
// Journal.mu.
type playerState struct {
	id            sim.EntityID
	identity      Identity     // last known identity, in UTF-8
	lastSeen      time.Time    // time of the player's last event
	leftAt        time.Time    // time at which the player left; zero while it is in the world
	openEntries   []*openEntry // newest entry of each verdict and reason, with which later decisions are merged
	counts        []Count      // number of decisions of each verdict and reason, with the same indices as openEntries
	entryBudget   tokenBucket  // limits new entries about decisions
	hitBudget     tokenBucket  // limits new entries about hits
	nearbyBudget  tokenBucket  // limits nearby events
	queuedEntries int          // number of openEntries that are in Journal.queue

	ring        [ringSize]playerEvent
	ringTotal   int       // number of events added to ring so far
	ringHandled int       // number of events added to ring that need no further work: they were queued, or will never be queued
	nearbyUntil time.Time // events before this time are queued at once, because they follow an entry closely

	stanceAt time.Time // time of the last stance change that was recorded as an event
}

// playerEvent is an event of a player. It is written to the file only if it happens within NearbyWindow of an entry.
type playerEvent struct {
	at    time.Time
	tick  sim.Tick
	area  sim.AreaID
	kind  eventKind
	other string   // name of the other actor or of the area, see eventKind
	n     int32    // damage or number of frames, see eventKind
	agoMS uint16   // with lag compensation: how many ms before the attack the target was at the position seen; else 0
	seen  geom.Vec // position of the target by which the attack was judged, world units
}

// tokenBucket is a rate limit that allows a burst at once and then a number of tokens per second.
type tokenBucket struct {
	used float64 // number of tokens in use; 0 means that the full burst is available
	at   time.Time
}

// allow consumes a token and reports true, or reports false if none is left.
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

// allowEntry reports whether the player may add the entry e now, and counts it against the player's limit.
func (v *playerState) allowEntry(e *Entry) bool {
	if e.Verdict == Hit {
		return v.hitBudget.allow(e.At, hitBurst, hitsPerSecond)
	}
	return v.entryBudget.allow(e.At, entryBurst, entriesPerSecond)
}

// kindIndex returns the index of a pair of verdict and reason in the lists openEntries and counts, which have the same order. A
// new pair is appended to both lists. The lists are short, so the search is linear.
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

// merge merges the decision e into the open entry. (1) The entry keeps its ID and First. (2) Times and LateTimes
// increase, and Late becomes the larger value. (3) All other fields get the values of e. merge overwrites fields of e,
// so the caller must not use e afterwards.
func (it *openEntry) merge(e *Entry) {
	e.ID, e.First, e.Times = it.entry.ID, it.entry.First, it.entry.Times
	if e.Times < math.MaxInt32 {
		e.Times++
		e.LateTimes += it.entry.LateTimes
	}
	e.Late = max(e.Late, it.entry.Late)
	it.entry = *e
}

// pushEvent adds an event to the last events of the player (playerState.ring), where it replaces the oldest one.
func (v *playerState) pushEvent(m playerEvent) {
	v.ring[v.ringTotal%ringSize] = m
	v.ringTotal++
	v.lastSeen = m.at
}
