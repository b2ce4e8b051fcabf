package journal

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

func TestTokenBucketForJournalEntriesAllowsBurstThenFixedRate(t *testing.T) {
	t.Parallel()
	var b tokenBucket
	now := time.UnixMilli(1767323045678)
	granted := func(n int, now time.Time) (of int) {
		for range n {
			if b.allow(now, entryBurst, entriesPerSecond) {
				of++
			}
		}
		return of
	}
	if n := granted(entryBurst+20, now); n != entryBurst {
		t.Errorf("%d allowed at once", n)
	}
	if n := granted(20, now.Add(500*time.Millisecond)); n != 0 {
		t.Errorf("%d allowed half a second later", n)
	}
	if n := granted(20, now.Add(time.Second)); n != entriesPerSecond {
		t.Errorf("%d allowed a second later", n)
	}
	if n := granted(20, now.Add(-time.Hour)); n != 0 {
		t.Errorf("%d allowed after the clock was set back", n)
	}
	if n := granted(entryBurst+20, now.Add(time.Hour)); n != entryBurst {
		t.Errorf("%d allowed an hour later", n)
	}
}

func TestEntryWithManyMergedDecisionsIsQueuedForWritingOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		ann := []sim.ActorState{r.player(7, "Ann")}
		r.flush()
		for range 100 {
			r.frame(ann, tooFast)
		}
		r.j.mu.Lock()
		waiting, of := len(r.j.queue), r.j.players[7].queuedEntries
		r.j.mu.Unlock()
		if waiting != 1 || of != 1 {
			t.Errorf("%d entries are queued, %d of the player", waiting, of)
		}
		r.flush()
		last := tooFast
		last.Pos, last.From, last.Asked = geom.Vec{X: 1, Y: 2, Z: 3}, geom.Vec{X: 4, Y: 5, Z: 6}, 7
		r.frame(ann, last)
		r.flush()
		list := r.entries(Query{})
		if len(list) != 1 || list[0].Times != 101 || list[0].Pos != last.Pos || list[0].From != last.From || list[0].Asked != 7 {
			t.Errorf("%+v", list)
		}
	})
}

// For a player that has reached its limit of entries, the journal still stores one entry per minute for each verdict and reason.
func TestPlayerBeyondEntryLimitStillGetsOneEntryPerReasonAndMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		ann := []sim.ActorState{r.player(7, "Ann")}
		r.frame(ann, tooFast)
		v := r.j.players[7]
		for range 5 * 60 {
			time.Sleep(time.Second)
			r.j.mu.Lock()
			v.entryBudget = tokenBucket{used: 2 * entryBurst, at: time.Now()} // the budget is used up, as by refusals for other reasons
			r.j.mu.Unlock()
			r.frame(ann, tooFast)
		}
		r.flush()
		list := r.entries(Query{})
		if len(list) != 6 {
			t.Fatalf("%d entries in five minutes", len(list))
		}
		for _, e := range list[1:] { // skip the newest entry: the minute in which decisions are merged into it is not over yet
			if e.Times != 60 {
				t.Errorf("entry %d counts %d", e.ID, e.Times)
			}
		}
		r.frame(ann, sim.Event{Kind: sim.EventRefused, Who: 7, Reason: reason.TooSoon})
		r.flush()
		if list := r.entries(Query{Reasons: []reason.Reason{reason.TooSoon}}); len(list) != 1 {
			t.Errorf("the first entry with another reason: %+v", list)
		}
	})
}

// Events that were stored because they happened near an entry are deleted after MaxAge, batch after batch without a
// pause, even if no entry is that old.
func TestEventsOlderThanMaxAgeAreDeletedEvenIfNoEntryIsOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, func(o *Options) { o.MaxAge = time.Hour })
		r.flush()
		_, err := r.j.db.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO around (at_ms, area_id, tick, entity, account, kind, text) SELECT i, 0, 0, 7, 'x', '', '' FROM n`, 2500)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(agePruneInterval + 12*writeInterval)
		var n int
		if err := r.j.db.QueryRow("SELECT count(*) FROM around").Scan(&n); err != nil || n != 0 {
			t.Errorf("%d rows are left, %v", n, err)
		}
	})
}
