package journal

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// Excess entries are deleted from the account with the most entries; all entries of other accounts stay.
func TestExcessEntriesAreDeletedFromAccountWithMostEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, func(o *Options) { o.MaxEntries = 100 })
		actors := []sim.ActorState{r.player(7, "Flood"), r.player(8, "Ann"), r.player(9, "Bob")}
		for i := range 160 {
			events := []sim.Event{{Kind: sim.EventRefused, Who: 7, Reason: reason.TooSoon}}
			if i < 20 {
				events = append(events, sim.Event{Kind: sim.EventRefused, Who: 8, Reason: reason.TooSoon})
			}
			if i < 5 {
				events = append(events, sim.Event{Kind: sim.EventRefused, Who: 9, Reason: reason.TooSoon})
			}
			r.frame(actors, events...)
			time.Sleep(time.Second)
		}
		r.flush()
		for name, want := range map[string]int{"": 100, "Flood": 75, "Ann": 20, "Bob": 5} {
			if list := r.entries(Query{Player: name, Limit: 1000}); len(list) != want {
				t.Errorf("%q has %d entries, want %d", name, len(list), want)
			}
		}
		if list := r.entries(Query{Player: "Flood"}); list[0].ID != 185 {
			t.Errorf("the newest is %d", list[0].ID)
		}
	})
}

// Entries from before a restart count towards the limit and towards their account.
func TestEntriesOfPreviousRunsCountTowardsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		flood, ann := []sim.ActorState{r.player(7, "Flood")}, []sim.ActorState{r.player(8, "Ann")}
		for range 50 {
			r.frame(flood, sim.Event{Kind: sim.EventRefused, Who: 7, Reason: reason.TooSoon})
			time.Sleep(2 * time.Second)
		}
		r.flush()
		r.close()
		r.open(func(o *Options) { o.MaxEntries = 30 })
		for range 10 {
			r.frame(ann, sim.Event{Kind: sim.EventRefused, Who: 8, Reason: reason.TooSoon})
			time.Sleep(2 * time.Second)
		}
		r.flush()
		for name, want := range map[string]int{"Flood": 20, "Ann": 10} {
			if list := r.entries(Query{Player: name, Limit: 1000}); len(list) != want {
				t.Errorf("%q has %d entries, want %d", name, len(list), want)
			}
		}
	})
}

func TestEntriesOlderThanMaxAgeAreDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, func(o *Options) { o.MaxAge = time.Hour })
		ann := []sim.ActorState{r.player(7, "Ann")}
		r.frame(ann, sim.Event{Kind: sim.EventJoined, Who: 7, N: 1})
		const n = 2 * 250 // more rows than one DELETE statement deletes
		for range n {
			r.frame(ann, tooFast)
			time.Sleep(time.Second)
		}
		if list := r.entries(Query{Limit: 1000}); len(list) < n-2 {
			t.Errorf("%d entries after %d s", len(list), n)
		}
		time.Sleep(time.Hour - 2*agePruneInterval)
		if list := r.entries(Query{Limit: 1000}); len(list) == 0 || len(list) == n {
			t.Errorf("%d entries at a time when some of them are older than MaxAge", len(list))
		}
		time.Sleep(4 * agePruneInterval)
		var around int
		if err := r.j.db.QueryRow("SELECT count(*) FROM around").Scan(&around); err != nil {
			t.Fatal(err)
		}
		if list := r.entries(Query{}); len(list) != 0 || around != 0 {
			t.Errorf("%d entries and %d events around them after the hour", len(list), around)
		}
	})
}

func TestEntryIDsAreNeverReused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, func(o *Options) { o.MaxAge = time.Minute })
		ann := []sim.ActorState{r.player(7, "Ann")}
		r.frame(ann, tooFast)
		time.Sleep(5 * time.Minute)
		if list := r.entries(Query{}); len(list) != 0 {
			t.Fatalf("%+v", list)
		}
		r.close()
		r.open(nil)
		r.frame(ann, tooFast)
		r.flush()
		if list := r.entries(Query{}); len(list) != 1 || list[0].ID != 2 {
			t.Errorf("%+v", list)
		}
	})
}

// Entity ids start again with each run of the server, so a query by id finds entries of this run only.
func TestQueryByEntityFindsOnlyEntriesOfCurrentRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		r.frame([]sim.ActorState{r.player(7, "Ann")}, tooFast)
		r.flush()
		r.close()
		clear(r.identities)
		r.open(nil)
		r.frame([]sim.ActorState{r.player(7, "Bob")}, tooFast)
		r.flush()
		if list := r.entries(Query{Entity: 7}); len(list) != 1 || list[0].Player != "Bob" {
			t.Errorf("%+v", list)
		}
		if _, around, err := r.j.Entry(t.Context(), 2); err != nil || len(around) != 1 {
			t.Errorf("%v: around Bob's entry is %+v", err, around)
		}
	})
}

// recordAction records an action of an operator.
func (r *harness) recordAction(operator, detail string) {
	r.t.Helper()
	d := OperatorAction{Operator: operator, Role: "moderator", Action: "kick", Player: "Bob", Account: "bob", Detail: detail, Result: "ok"}
	if err := r.j.RecordAction(r.t.Context(), d); err != nil {
		r.t.Fatal(err)
	}
}

func TestOperatorActionsAreReturnedInPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		for i := range 3 {
			r.recordAction("ann", fmt.Sprint("why ", i))
		}
		r.recordAction("\xff", strings.Repeat("x", 5000))
		list, err := r.j.OperatorActions(t.Context(), 0, 3)
		if err != nil || len(list) != 3 || len(list[0].Detail) != maxActionText || list[0].Operator != "" || list[1].Detail != "why 2" || list[1].At != storedTime(time.Now()) {
			t.Errorf("%v, %+v", err, list)
		}
		rest, err := r.j.OperatorActions(t.Context(), list[2].ID, 0)
		if err != nil || len(rest) != 1 || rest[0].Detail != "why 0" {
			t.Errorf("%v, %+v", err, rest)
		}
	})
}

func TestExcessActionsOfBusiestOperatorAreDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		for i := range 3 {
			r.recordAction("ann", fmt.Sprint("ann ", i))
		}
		_, err := r.j.db.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO deeds (at_ms, operator, role, action, player, account, detail, result) SELECT i, 'eve', '', '', '', '', i, '' FROM n`, 2*actionPruneRows)
		if err != nil {
			t.Fatal(err)
		}
		r.close()
		r.open(nil)
		if n := r.j.actionCount.Load(); n != 2*actionPruneRows+3 { // the actions already in the file are counted
			t.Errorf("%d", n)
		}
		r.j.actionCount.Store(maxActions - 1)
		for _, c := range []struct{ eve, least, count int64 }{
			{2 * actionPruneRows, 1, maxActions},
			{actionPruneRows, actionPruneRows + 1, maxActions + 1 - actionPruneRows},
			{actionPruneRows, actionPruneRows + 1, maxActions + 2 - actionPruneRows},
		} {
			r.recordAction("bo", "bo")
			var eve, least, ann int64
			err := r.j.db.QueryRow(`SELECT count(*) FILTER (WHERE operator = 'eve'), min(at_ms) FILTER (WHERE operator = 'eve'),
				count(*) FILTER (WHERE operator = 'ann') FROM deeds`).Scan(&eve, &least, &ann)
			if err != nil || eve != c.eve || least != c.least || ann != 3 || r.j.actionCount.Load() != c.count {
				t.Errorf("eve has %d from %d on, ann %d, of %d, %v; want %+v", eve, least, ann, r.j.actionCount.Load(), err, c)
			}
		}
	})
}
