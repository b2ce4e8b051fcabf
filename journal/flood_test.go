package journal

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// refusals returns n refusals of one player, each for a different reason.
func refusals(who sim.EntityID, n int) []sim.Event {
	list := make([]sim.Event, n)
	for i := range list {
		list[i] = sim.Event{Kind: sim.EventRefused, Who: who, Reason: reason.All()[1+i]}
	}
	return list
}

// timesOf returns the sum of Entry.Times of all entries in a list.
func timesOf(list []Entry) (sum int) {
	for i := range list {
		sum += int(list[i].Times)
	}
	return sum
}

func TestRejectedMovementsWithinOneSecondAreMergedIntoOneEntry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		ann := []sim.ActorState{r.player(7, "Ann")}
		for i := range 25 {
			e := tooFast
			e.Asked = float32(i)
			r.frame(ann, e)
			time.Sleep(50 * time.Millisecond)
		}
		r.flush()
		list := r.entries(Query{})
		if len(list) != 2 || list[1].Times != 20 || list[1].Asked != 19 || list[0].Times != 5 || list[0].Asked != 24 {
			t.Fatalf("%+v", list)
		}
		if d := list[1].At.Sub(list[1].First); d != 950*time.Millisecond {
			t.Errorf("the first entry spans %v", d)
		}
	})
}

// A player is refused for twelve reasons in every tick of a minute. Every refusal is counted, and the number of entries stays
// within the bounds.
func TestFloodOfRefusalsIsMergedIntoLimitedNumberOfEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		actors := []sim.ActorState{r.player(7, "Flood"), r.player(8, "Calm")}
		const kinds, minutes = 12, 1
		n := 0
		for i := range minutes * 60 * 20 {
			events := refusals(7, kinds)
			n += kinds
			if i%1200 == 600 {
				events = append(events, sim.Event{Kind: sim.EventRefused, Who: 8, Reason: reason.TooSoon, Asked: 1, Allowed: 2})
			}
			r.frame(actors, events...)
			time.Sleep(50 * time.Millisecond)
		}
		r.flush()
		var all []Entry
		for q := (Query{Player: "flood", Limit: MaxLimit}); ; q.Before = all[len(all)-1].ID {
			list := r.entries(q)
			if all = append(all, list...); len(list) < q.Limit {
				break
			}
		}
		if got := timesOf(all); got != n {
			t.Errorf("entries count %d of %d refusals", got, n)
		}
		if most := entryBurst + minutes*60*entriesPerSecond + kinds*(minutes+1); len(all) > most {
			t.Errorf("%d entries, the bound is %d", len(all), most)
		}
		if calm := r.entries(Query{Player: "calm"}); len(calm) != minutes || timesOf(calm) != minutes {
			t.Errorf("%d entries of the other player", len(calm))
		}
	})
}

// A player's entry limit also limits how many nearby events are stored for the player.
func TestNumberOfStoredEventsNearEntriesIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		actors := []sim.ActorState{r.player(7, "Ann"), r.player(8, "Bob")}
		r.frame(actors, sim.Event{Kind: sim.EventJoined, Who: 7, N: 1}, sim.Event{Kind: sim.EventJoined, Who: 8, N: 1})
		const seconds = 30
		for i := range seconds * 20 {
			events := []sim.Event{{Kind: sim.EventAttacked, Who: 7, Other: 8, N: 1}, {Kind: sim.EventAttacked, Who: 8, Other: 7, N: -1}}
			if i%20 == 0 {
				events = append(events, tooFast)
			}
			r.frame(actors, events...)
			time.Sleep(50 * time.Millisecond)
		}
		r.flush()
		var n int
		if err := r.j.db.QueryRow("SELECT count(*) FROM around").Scan(&n); err != nil {
			t.Fatal(err)
		}
		if most := nearbyBurst + (seconds+1)*nearbyPerSecond; n > most || n < most/2 {
			t.Errorf("%d events are stored, want about %d", n, most)
		}
		_, around, err := r.j.Entry(t.Context(), 1)
		if err != nil || len(around) > 2*2*maxAround+1 {
			t.Errorf("%v: %d nearby events of one entry", err, len(around))
		}
	})
}

// Only events within NearbyWindow of an entry are stored.
func TestEventsMoreThanFiveSecondsFromAnyEntryAreNotStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		actors := []sim.ActorState{r.player(7, "Ann"), r.player(8, "Bob"), {ID: 1 << 41, Body: &sim.Body{Name: "Wolf"}}}
		r.frame(actors, sim.Event{Kind: sim.EventJoined, Who: 7, N: 1}, sim.Event{Kind: sim.EventJoined, Who: 8, N: 1})
		step := func(events ...sim.Event) {
			r.frame(actors, events...)
			time.Sleep(time.Second)
		}
		for range 6 { // more than NearbyWindow before the entry
			step(sim.Event{Kind: sim.EventAttacked, Who: 1 << 41, Other: 7, N: 3})
		}
		step(tooFast, sim.Event{Kind: sim.EventDied, Who: 7, Other: 1 << 41})
		for range 6 { // the last of these events are more than NearbyWindow after the entry
			step(sim.Event{Kind: sim.EventAttacked, Who: 8, Other: 1 << 41, N: 3}, sim.Event{Kind: sim.EventPlaced, Who: 7})
		}
		r.flush()
		_, around, err := r.j.Entry(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range around {
			got = append(got, a.Kind+": "+a.Text)
		}
		want := []string{
			"struck: was struck by Wolf for 3", "struck: was struck by Wolf for 3", "struck: was struck by Wolf for 3",
			"struck: was struck by Wolf for 3", "struck: was struck by Wolf for 3",
			"died: was killed by Wolf", "held: held: too fast, 61.2 units asked, 8.4 allowed",
			"moved: was moved by the server", "moved: was moved by the server",
			"moved: was moved by the server", "moved: was moved by the server",
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q\nwant %q", got, want)
		}
	})
}

func TestNumberOfMissedFramesIsStoredAsEventNearEntry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		ann := []sim.ActorState{r.player(7, "Ann")}
		r.missed(ann, 12)
		r.frame(ann, tooFast)
		r.flush()
		_, around, err := r.j.Entry(t.Context(), 1)
		if err != nil || len(around) != 2 || around[0].Kind != "missed" || around[0].Text != "the journal missed 12 frames of the area; their events are not known" {
			t.Errorf("%v, %+v", err, around)
		}
		if n := r.metrics.Journal.With("missed_frames").Load(); n != 12 {
			t.Errorf("the metric counts %d missed frames", n)
		}
	})
}

func TestJournalStateOfPlayerThatLeftTheWorldIsFreed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		actors := []sim.ActorState{r.player(7, "Ann"), r.player(8, "Bob")}
		r.frame(actors, tooFast, sim.Event{Kind: sim.EventJoined, Who: 8, N: 1})
		r.frame(actors[1:], sim.Event{Kind: sim.EventLeft, Who: 7})
		delete(r.identities, 8) // as if the frame in which Bob left was missed
		time.Sleep(forgetAfterLeave + sweepInterval + time.Second)
		if got := r.j.DecisionCounts(7); got != nil {
			t.Errorf("DecisionCounts after the player left: %v", got)
		}
		time.Sleep(maxSilence)
		r.j.mu.Lock()
		n := len(r.j.players)
		r.j.mu.Unlock()
		if n != 0 {
			t.Errorf("%d players are remembered", n)
		}
	})
}

// Stance changes within one second are merged, so that they do not push other events out of the ring buffer.
func TestStanceChangesWithinOneSecondAreMergedIntoOneEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		ann := []sim.ActorState{r.player(7, "Ann")}
		r.frame(ann, sim.Event{Kind: sim.EventJoined, Who: 7, N: 1})
		for range 40 {
			r.frame(ann, sim.Event{Kind: sim.EventStance, Who: 7})
			time.Sleep(50 * time.Millisecond)
		}
		r.frame(ann, tooFast)
		r.flush()
		if _, around, err := r.j.Entry(t.Context(), 1); err != nil || len(around) != 4 || around[0].Kind != "joined" || around[1].Kind != "stance" {
			t.Errorf("%v, %+v", err, around)
		}
	})
}
