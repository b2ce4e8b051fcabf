package journal

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// lateFrame passes a frame of a late area to the journal.
func (r *harness) lateFrame(late time.Duration, actors []sim.ActorState, events ...sim.Event) {
	r.tick++
	r.j.readFrame(area.Published{Frame: &sim.Frame{Tick: r.tick, Actors: actors, Events: events}, Late: late})
}

func TestDecisionsMadeWhileServerIsLateAreStoredButNotCountedAgainstPlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		ann := []sim.ActorState{r.player(7, "Ann")}
		r.lateFrame(320*time.Millisecond+500, ann, tooFast)
		r.lateFrame(90*time.Millisecond, ann, tooFast)
		r.flush()
		list := r.entries(Query{})
		if len(list) != 1 || list[0].Times != 2 || list[0].LateTimes != 2 || list[0].Late != 320*time.Millisecond || !list[0].Excused() {
			t.Fatalf("entry of a late server: %+v", list)
		}
		if got := r.j.DecisionCounts(7); len(got) != 1 || got[0] != (Count{Held, reason.TooFast, 0, 2}) {
			t.Errorf("counts: %+v", got)
		}
		r.frame(ann, tooFast)
		r.flush()
		list = r.entries(Query{})
		if len(list) != 1 || list[0].Times != 3 || list[0].LateTimes != 2 || list[0].Excused() {
			t.Errorf("entry with a decision of a server on time: %+v", list)
		}
		if got := r.j.DecisionCounts(7); len(got) != 1 || got[0] != (Count{Held, reason.TooFast, 1, 2}) {
			t.Errorf("counts: %+v", got)
		}
	})
}

func TestEntriesWithSamePlayerAndReasonFormOneGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		all := []sim.ActorState{r.player(1, "Ann"), r.player(2, "Bob")}
		start := time.Now()
		r.frame(all, sim.Event{Kind: sim.EventHeld, Who: 2, Reason: reason.TooFast, Asked: 9, Allowed: 8})
		for i := range 40 {
			time.Sleep(2 * time.Second)
			r.frame(all, sim.Event{Kind: sim.EventHeld, Who: 1, Reason: reason.TooFast, Asked: float32(10 + i), Allowed: 8})
		}
		r.lateFrame(time.Second, all, sim.Event{Kind: sim.EventRefused, Who: 1, Reason: reason.TooSoon})
		end := time.Now()
		r.flush()
		list, err := r.j.Groups(t.Context(), Query{})
		if err != nil || len(list) != 3 {
			t.Fatalf("%d groups, %v: %+v", len(list), err, list)
		}
		// The two groups of Ann have their newest entries at the same time.
		slices.SortStableFunc(list[:2], func(a, b Group) int { return int(a.Entries - b.Entries) })
		soon, fast, bob := list[0], list[1], list[2]
		if soon.Last.Reason != reason.TooSoon || soon.Times != 1 || soon.LateTimes != 1 {
			t.Errorf("group of refusals: %+v", soon)
		}
		if fast.Last.Player != "Ann" || fast.Last.Asked != 49 || fast.Times != 40 || fast.LateTimes != 0 || fast.Entries < 2 ||
			!fast.First.Equal(start.Add(2*time.Second)) || !fast.Last.At.Equal(end) {
			t.Errorf("group of holds: %+v", fast)
		}
		if bob.Last.Player != "Bob" || bob.Times != 1 || !bob.First.Equal(start) || !bob.Last.At.Equal(start) {
			t.Errorf("group of another player: %+v", bob)
		}
		for name, c := range map[string]struct {
			q    Query
			want int
		}{
			"limit": {Query{Limit: 2}, 2}, "a player": {Query{Player: "ANN"}, 2}, "an account": {Query{Account: "bob's"}, 1},
			"a reason": {Query{Reasons: []reason.Reason{reason.TooFast}}, 2}, "since": {Query{Since: start.Add(time.Second)}, 2},
			"suspicious": {Query{Weights: []reason.Weight{reason.Suspicious}}, 2}, "harmless": {Query{Weights: []reason.Weight{reason.Harmless, reason.Operator}}, 1},
		} {
			if list, err := r.j.Groups(t.Context(), c.q); err != nil || len(list) != c.want {
				t.Errorf("%s: %d groups, want %d (%v)", name, len(list), c.want, err)
			}
		}
	})
}

func TestEntriesAreSortedByTimeOfLastDecision(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		all := []sim.ActorState{r.player(1, "Ann"), r.player(2, "Bob")}
		held := func(who sim.EntityID) sim.Event {
			return sim.Event{Kind: sim.EventHeld, Who: who, Reason: reason.TooFast, Asked: 9, Allowed: 8}
		}
		r.frame(all, held(1))
		time.Sleep(300 * time.Millisecond)
		r.frame(all, held(2))
		time.Sleep(300 * time.Millisecond)
		r.frame(all, held(1)) // merged into the first entry, which thereby becomes the newest
		r.flush()
		list := r.entries(Query{})
		if len(list) != 2 || list[0].Player != "Ann" || list[0].ID != 1 || list[1].Player != "Bob" {
			t.Fatalf("%+v", list)
		}
		if rest := r.entries(Query{Before: list[0].ID}); len(rest) != 1 || rest[0].Player != "Bob" {
			t.Errorf("after the first: %+v", rest)
		}
		if rest := r.entries(Query{Before: list[1].ID}); len(rest) != 0 {
			t.Errorf("after the last: %+v", rest)
		}
	})
}

func TestEntryWithUnknownReasonCountsAsUnusual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		r.frame([]sim.ActorState{r.player(7, "Ann")}, tooFast)
		r.flush()
		if _, err := r.j.db.ExecContext(t.Context(), "UPDATE entries SET reason = 'of_tomorrow'"); err != nil {
			t.Fatal(err)
		}
		for _, w := range []reason.Weight{reason.Operator, reason.Harmless, reason.Unusual, reason.Suspicious} {
			if n := len(r.entries(Query{Weights: []reason.Weight{w}})); (n == 1) != (w == reason.Unusual) {
				t.Errorf("%s: %d entries", w, n)
			}
		}
	})
}

func TestNumberAndItsLimitAreFormattedWithEnoughDecimalsToDiffer(t *testing.T) {
	for _, c := range []struct {
		asked, allowed float32
		a, b           string
	}{
		{0.504, 0.5, "0.504", "0.5"}, {0.5000001, 0.5, "0.5000001", "0.5"}, {61.23, 8.4, "61.2", "8.4"}, {100.04, 100, "100.04", "100"}, {3, 3, "3", "3"},
		{12.31, 12.34, "12.31", "12.34"}, {1e8, 1.0001e8, "100000000", "100010000"},
	} {
		if a, b := FormatPair(c.asked, c.allowed); a != c.a || b != c.b {
			t.Errorf("%v and %v: %s and %s, want %s and %s", c.asked, c.allowed, a, b, c.a, c.b)
		}
	}
	e := Entry{Verdict: Corrected, Reason: reason.Landing, Asked: 0.504, Allowed: 0.5, Unit: "blocks"}
	if got := e.Figures(); got != "0.504 blocks apart, 0.5 allowed" {
		t.Error(got)
	}
}
