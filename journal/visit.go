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
	window     = time.Second      // entries of one kind within it are one            the contract of Entry.Times
	longWindow = 60 * time.Second // the same for a player who has used up his share  guess: an operator reads minutes
	burst      = 30               // new entries at once...                           guess: twice what one bad step brings
	perSecond  = 1                // ...and then per second
	queued     = 128              // entries that wait for the disk                   guess: half a minute of a bad player

	noteBurst     = 40          // events around entries at once...  guess: ten seconds of a fight
	notePerSecond = 2           // ...and then per second
	ringSize      = 16          // events that are remembered in case an entry follows
	stanceWindow  = time.Second // changes of stance within it are one event: who fights changes his gait all the time

	// Nearby is how long before and after an entry the events around it are kept.
	Nearby = 5 * time.Second
)

// item is an entry that may still stand for more.
type item struct {
	entry  Entry
	visit  *visit
	queued bool // it waits for the writer
	stored bool // the writer has had it once
}

// visit is what the journal remembers of a player in the world. It needs the lock of the journal.
type visit struct {
	id      sim.EntityID
	who     Who       // as last known; UTF-8
	seen    time.Time // when anything happened to him last
	gone    time.Time // when he left; zero: he is here
	items   []*item   // the newest entry of each verdict and reason
	counts  []Count   // in the same order
	share   bucket    // of entries
	notes   bucket    // of events around them
	waiting int       // of items that are queued

	ring  [ringSize]moment
	total int       // moments that were put into ring
	kept  int       // of those, how many are stored or never will be
	until time.Time // moments are stored at once until then

	hurried time.Time // his last change of stance that was remembered
}

// moment is something that happened to a player, before anybody knows whether it will be stored.
type moment struct {
	at    time.Time
	tick  sim.Tick
	area  sim.AreaID
	kind  happening
	other string // name of another actor or of an area, bytes as the world has them
	n     int32
}

// bucket grants a burst and then so many a second.
type bucket struct {
	spent float64 // of the burst
	at    time.Time
}

// take tells whether one more is granted.
func (b *bucket) take(now time.Time, burst, perSecond float64) bool {
	if past := now.Sub(b.at).Seconds(); past > 0 {
		b.spent = max(b.spent-past*perSecond, 0)
		b.at = now
	}
	if b.spent > burst-1 {
		return false
	}
	b.spent++
	return true
}

// find is the index of a verdict and reason in items and counts, which it makes if there is none. There are as many as
// reasons, so a walk is short.
func (v *visit) find(verdict Verdict, why reason.Reason) int {
	for i := range v.counts {
		if c := &v.counts[i]; c.Verdict == verdict && c.Reason == why {
			return i
		}
	}
	v.counts = append(v.counts, Count{Verdict: verdict, Reason: why})
	v.items = append(v.items, nil)
	return len(v.counts) - 1
}

// absorb lets an entry stand for one more, whose figures it takes.
func (it *item) absorb(e *Entry) {
	e.ID, e.First, e.Times = it.entry.ID, it.entry.First, it.entry.Times
	if e.Times < math.MaxInt32 {
		e.Times++
	}
	it.entry = *e
}

// push remembers a moment.
func (v *visit) push(m moment) {
	v.ring[v.total%ringSize] = m
	v.total++
	v.seen = m.at
}
