package journal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/sqlitefile"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// filledJournal returns a journal with 60 entries. Three players take turns, with one entry each second.
func filledJournal(t *testing.T) *harness {
	r := newHarness(t, nil)
	actors := []sim.ActorState{r.player(1, "Ann"), r.player(2, "Bob"), r.player(3, "Cid")}
	for i := range 60 {
		e := sim.Event{Kind: sim.EventRefused, Who: sim.EntityID(1 + i%3), Reason: reason.TooSoon}
		if i%2 == 0 {
			e.Kind, e.Reason = sim.EventHeld, reason.TooFast
		}
		r.frame(actors, e)
		time.Sleep(time.Second)
	}
	r.flush()
	return r
}

func TestJournalQueryReturnsOnlyEntriesThatMatchEveryField(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		r := filledJournal(t)
		for _, c := range []struct {
			name string
			q    Query
			want int
		}{
			{"all", Query{}, 60}, {"a player", Query{Player: "aNN"}, 20}, {"nobody", Query{Player: "An"}, 0}, {"an entity", Query{Entity: 2}, 20},
			{"a reason", Query{Reasons: []reason.Reason{reason.TooFast}}, 30}, {"two", Query{Reasons: []reason.Reason{reason.TooFast, reason.TooSoon, reason.TooSoon}}, 60},
			{"a verdict", Query{Verdicts: []Verdict{Corrected, Refused}}, 30}, {"an area", Query{Area: "Vale"}, 60}, {"another", Query{Area: "Moor"}, 0},
			{"since", Query{Since: began.Add(50 * time.Second)}, 10}, {"until", Query{Until: began.Add(50 * time.Second)}, 50},
			{"between", Query{Since: began.Add(10 * time.Second), Until: began.Add(20 * time.Second), Player: "bob"}, 4},
			{"limit", Query{Limit: 7}, 7}, {"before", Query{Before: 11}, 10},
		} {
			list := r.entries(c.q)
			if len(list) != c.want {
				t.Errorf("%s: %d entries, want %d", c.name, len(list), c.want)
			}
			for i := range list[min(1, len(list)):] {
				if list[i].ID <= list[i+1].ID {
					t.Errorf("%s: %d before %d", c.name, list[i].ID, list[i+1].ID)
				}
			}
		}
		if _, _, err := r.j.Entry(t.Context(), 61); !errors.Is(err, ErrNotFound) {
			t.Errorf("%v", err)
		}
		if names, err := r.j.Players(t.Context(), 2); err != nil || fmt.Sprint(names) != "[Cid Bob]" {
			t.Errorf("%v, %v", names, err)
		}
	})
}

func TestQueriedPagesHaveNoMissingOrRepeatedEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := filledJournal(t)
		next, last, n := int64(0), int64(math.MaxInt64), 0
		for {
			list := r.entries(Query{Before: next, Limit: 7})
			for i := range list {
				if list[i].ID != last-1 && n > 0 {
					t.Errorf("%d after %d", list[i].ID, last)
				}
				last = list[i].ID
				n++
			}
			if len(list) < 7 {
				break
			}
			next = last
		}
		if n != 60 || last != 1 {
			t.Errorf("%d entries down to %d", n, last)
		}
	})
}

func TestOnEntryIsCalledForStoredAndMergedEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		ann := []sim.ActorState{r.player(7, "Ann")}
		var notified []Entry
		cancel := r.j.OnEntry(func(e Entry) {
			if stored, _, err := r.j.Entry(context.Background(), e.ID); err != nil || stored != e {
				t.Errorf("%v: notified %+v, stored %+v", err, e, stored)
			}
			notified = append(notified, e)
		})
		other := r.j.OnEntry(func(Entry) {})
		defer other()
		r.frame(ann, tooFast, tooFast)
		r.flush()
		r.frame(ann, tooFast) // a repeated hold, merged into the same entry
		time.Sleep(2 * time.Second)
		r.flush() // nothing was merged, so notify is not called
		r.frame(ann, tooFast)
		r.flush()
		cancel()
		cancel()
		time.Sleep(2 * time.Second)
		r.frame(ann, tooFast)
		r.flush()
		var seen [][2]int64
		for _, e := range notified {
			seen = append(seen, [2]int64{e.ID, int64(e.Times)})
		}
		if want := [][2]int64{{1, 2}, {1, 3}, {2, 1}}; !slices.Equal(seen, want) {
			t.Errorf("notified %v, want %v", seen, want)
		}
		if list := r.entries(Query{}); len(list) != 3 || list[2].Times != 3 {
			t.Errorf("%+v", list)
		}
	})
}

// All queries are safe from many goroutines while frames arrive and the file is written and pruned.
func TestQueriesSucceedDuringConcurrentWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, func(o *Options) { o.MaxEntries = 5 })
		ann := []sim.ActorState{r.player(7, "Ann")}
		reader, err := OpenReader(r.path)
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		stop := make(chan struct{})
		var queries sync.WaitGroup
		for _, reader := range []*Reader{reader, r.j.Reader} {
			queries.Go(func() {
				for {
					select {
					case <-stop:
						return
					case <-time.After(100 * time.Millisecond):
					}
					list, err := reader.Entries(context.Background(), Query{Limit: 5})
					if err != nil {
						t.Error(err)
					}
					for _, e := range list[:min(len(list), 1)] {
						if _, _, err := reader.Entry(context.Background(), e.ID); err != nil && !errors.Is(err, ErrNotFound) {
							t.Error(err)
						}
					}
					r.j.DecisionCounts(7)
					if err := r.j.RecordAction(context.Background(), OperatorAction{Operator: "o"}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for range 10 {
			r.frame(ann, tooFast)
			time.Sleep(500 * time.Millisecond)
		}
		close(stop)
		queries.Wait()
	})
}

// Any query returns only entries that match it and never a database error.
func FuzzQuery(f *testing.F) {
	f.Add("ann", "", uint8(reason.TooFast), uint8(Held), int64(0), int64(1<<50), int64(5), 3, uint64(7))
	f.Add("' OR 1=1 --", "\xff\x00", uint8(200), uint8(9), int64(math.MinInt64), int64(math.MaxInt64), int64(-1), -1, uint64(math.MaxUint64))
	path := filepath.Join(f.TempDir(), FileName)
	j, err := Open(Options{Path: path, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		f.Fatal(err)
	}
	ann := []sim.ActorState{{ID: 7, Flags: sim.FlagPlayer, Body: &sim.Body{Name: "Ann"}}}
	j.readFrame(area.Published{Frame: &sim.Frame{Tick: 1, Actors: ann, Events: []sim.Event{tooFast}}})
	if err := j.Close(context.Background()); err != nil {
		f.Fatal(err)
	}
	reader, err := OpenReader(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { reader.Close() })
	f.Fuzz(func(t *testing.T, player, where string, why, verdict uint8, since, until, before int64, limit int, entity uint64) {
		q := Query{
			Player: player, Area: where, Reasons: []reason.Reason{reason.Reason(why)}, Verdicts: []Verdict{Verdict(verdict)},
			Since: time.UnixMilli(since), Until: time.UnixMilli(until), Before: before, Limit: limit, Entity: sim.EntityID(entity),
		}
		list, err := reader.Entries(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if list[i].Player != "Ann" || player != "" && sqlitefile.LowerASCII(player) != "ann" {
				t.Errorf("%+v was found for %+v", list[i], q)
			}
		}
	})
}
