package journal

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// rewoundHit is an attack of Ann that hit Bob at the position where Bob had been 120 ms before.
var rewoundHit = sim.Event{Kind: sim.EventAttacked, Who: 7, Other: 8, N: 4, Text: "Bob", AgoMS: 120, Pos: geom.Vec{X: 10, Z: 2}, From: geom.Vec{X: 10.5, Z: 2}}

func TestHitByLagCompensationIsFoundInQueriesForAttackerAndForVictim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		both := []sim.ActorState{r.player(7, "Ann"), r.player(8, "Bob")}
		r.frame(both, sim.Event{Kind: sim.EventJoined, Who: 7, N: 1}, sim.Event{Kind: sim.EventJoined, Who: 8, N: 1})
		time.Sleep(time.Minute) // no entry is near
		at := time.Now()
		r.frame(both, rewoundHit)
		r.flush()
		want := Entry{
			At: storedTime(at), First: storedTime(at), Area: "Vale", Tick: 2, Verdict: Hit, RTT: 43, Door: "rcce", HasPos: true,
			AgoMS: 120, Seen: rewoundHit.Pos, OtherPos: rewoundHit.From, Times: 1,
		}
		taken, dealt := want, want
		taken.ID, taken.Reason, taken.Entity, taken.Player, taken.Account, taken.Pos, taken.Other = 1, reason.RewoundHitTaken, 8, "Bob", "Bob's", both[1].Pos, "Ann"
		dealt.ID, dealt.Reason, dealt.Entity, dealt.Player, dealt.Account, dealt.Pos, dealt.Other = 2, reason.RewoundHit, 7, "Ann", "Ann's", both[0].Pos, "Bob"
		for name, want := range map[string]Entry{"bob": taken, "ann": dealt} {
			if got := r.entries(Query{Player: name}); len(got) != 1 || got[0] != want {
				t.Errorf("entries of %s: %+v, want\n%+v", name, got, want)
			}
			if !want.Records(&rewoundHit) {
				t.Errorf("the entry of %s does not record its event", name)
			}
		}
		taken.At = time.Date(2026, 1, 2, 20, 15, 3, 0, time.UTC)
		const text = "At 20:15:03 in Vale, Bob (rcce) was hit by Ann. The player was hit at the position at which the attacker's client showed it (rewound_hit_taken). " +
			"Lag compensation allows that, up to the limit of [rules] rewind in the world file. " +
			"Bob (rcce) was 0.12 s ago at (10, 0, 2), where the attacker saw it; by that the attack was judged. It was at (10.5, 0, 2) then. The round trip was 43 ms."
		if got := Explain(taken); got != text {
			t.Errorf("%q, want\n%q", got, text)
		}
		if got := dealt.Summary(); got != "hit: rewound hit, Bob 0.12 s ago" {
			t.Errorf("summary %q", got)
		}
	})
}

// An attack that needs no explanation gets no entry: a miss, a hit that was judged by the target's present position or one close to it,
// and a hit in which the attacker or the target is an NPC.
func TestHitGetsEntryOnlyIfTargetHasMovedSinceDisplayedPosition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		actors := []sim.ActorState{r.player(7, "Ann"), r.player(8, "Bob"), {ID: 1 << 41, Body: &sim.Body{Name: "Wolf"}}}
		r.frame(actors, sim.Event{Kind: sim.EventJoined, Who: 7, N: 1}, sim.Event{Kind: sim.EventJoined, Who: 8, N: 1})
		missed, present, near, wolf, of := rewoundHit, rewoundHit, rewoundHit, rewoundHit, rewoundHit
		missed.N = -1
		present.AgoMS, present.Pos, present.From = 0, geom.Vec{}, geom.Vec{}
		near.From.X = near.Pos.X + 0.49
		wolf.Other = 1 << 41
		of.Who = 1 << 41
		r.frame(actors, missed, present, near, wolf)
		r.flush()
		if got := r.entries(Query{}); len(got) != 0 {
			t.Errorf("%+v", got)
		}
		r.frame(actors, of)
		r.flush()
		if got := r.entries(Query{}); len(got) != 1 || got[0].Player != "Bob" || got[0].Other != "Wolf" {
			t.Errorf("%+v", got)
		}
	})
}

// A hundred players strike each other once a second for two minutes. Each player adds a burst of entries and then one every ten
// seconds, for dealt and taken hits together. The journal stores no nearby events for these entries. It stores the entry about a
// correction, with its nearby events, as it does without a fight.
func TestEntriesAboutHitsOfLongFightAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		const players, seconds = 100, 120
		var actors []sim.ActorState
		var joined, hits []sim.Event
		for i := range players {
			id := sim.EntityID(1 + i)
			actors = append(actors, r.player(id, fmt.Sprintf("P%d", i)))
			joined = append(joined, sim.Event{Kind: sim.EventJoined, Who: id, N: 1})
			e := rewoundHit
			e.Who, e.Other = id, 1+sim.EntityID((i+1)%players)
			hits = append(hits, e)
		}
		r.frame(actors, joined...)
		for i := range seconds {
			events := hits
			if i == seconds/2 {
				events = append(events[:players:players], tooFast)
			}
			r.frame(actors, events...)
			time.Sleep(time.Second)
		}
		r.flush()
		list, err := r.j.Latest(t.Context(), Query{Verdicts: []Verdict{Hit}}, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if timesOf(list) != 2*players*seconds {
			t.Errorf("entries count %d hits, want %d", timesOf(list), 2*players*seconds)
		}
		most := players * (hitBurst + seconds/10 + 2*(1+seconds/60)) // the last term: the first entry of each of the two reasons, per minute
		if len(list) > most || len(list) < most/2 {
			t.Errorf("%d entries about hits, want at most %d and about that", len(list), most)
		}
		if got := r.entries(Query{Player: "P6", Verdicts: []Verdict{Held}}); len(got) != 1 || got[0].Reason != reason.TooFast {
			t.Errorf("the correction is %+v", got)
		}
		var nearby int
		if err := r.j.db.QueryRow("SELECT count(DISTINCT entity) FROM around").Scan(&nearby); err != nil || nearby != 1 {
			t.Errorf("%v: nearby events of %d players, want those of the one that was held", err, nearby)
		}
	})
}

func TestEntriesAboutHitsDoNotDisplaceOtherEntriesInFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const keep = 40
		r := newHarness(t, func(o *Options) { o.MaxEntries = keep })
		both := []sim.ActorState{r.player(7, "Ann"), r.player(8, "Bob")}
		r.frame(both, sim.Event{Kind: sim.EventJoined, Who: 7, N: 1}, sim.Event{Kind: sim.EventJoined, Who: 8, N: 1})
		r.frame(both, refusals(7, keep-1)...)
		r.flush()
		for range 30 { // reaches the limit of entries about hits
			r.frame(both, rewoundHit)
			time.Sleep(10 * time.Second)
		}
		r.flush()
		count := func(verdict Verdict) int { return len(r.entries(Query{Verdicts: []Verdict{verdict}, Limit: MaxLimit})) }
		if refused, hits := count(Refused), count(Hit); refused != keep-1 || hits != keep/hitShare {
			t.Errorf("%d refusals and %d hits are left, want %d and %d", refused, hits, keep-1, keep/hitShare)
		}
		r.close()
		r.open(func(o *Options) { o.MaxEntries = keep }) // the journal counts the rows in the file anew
		r.frame(both, sim.Event{Kind: sim.EventJoined, Who: 7, N: 1}, sim.Event{Kind: sim.EventJoined, Who: 8, N: 1}, rewoundHit)
		r.flush()
		if refused, hits := count(Refused), count(Hit); refused != keep-1 || hits != keep/hitShare {
			t.Errorf("after a restart %d refusals and %d hits are left", refused, hits)
		}
	})
}
