package journal

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/telemetry"
)

// harness is a journal that receives its frames from the test instead of an area.
type harness struct {
	t    *testing.T
	j    *Journal
	path string

	metrics *telemetry.Metrics

	identities map[sim.EntityID]Identity
	tick       sim.Tick
}

func newHarness(t *testing.T, set func(*Options)) *harness {
	t.Helper()
	r := &harness{t: t, path: filepath.Join(t.TempDir(), FileName), identities: map[sim.EntityID]Identity{}}
	r.open(set)
	return r
}

func (r *harness) open(set func(*Options)) {
	r.t.Helper()
	r.metrics = telemetry.New()
	o := Options{
		Path: r.path, Log: slog.New(slog.DiscardHandler), Metrics: r.metrics,
		Identify: func(id sim.EntityID) (Identity, bool) { w, ok := r.identities[id]; return w, ok },
	}
	if set != nil {
		set(&o)
	}
	j, err := Open(o)
	if err != nil {
		r.t.Fatal(err)
	}
	j.areas = []string{"Vale", "Moor"}
	r.j = j
	r.t.Cleanup(r.close)
}

// close closes the journal. Further calls do nothing.
func (r *harness) close() {
	if r.j == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := r.j.Close(ctx); err != nil {
		r.t.Error(err)
	}
	r.j = nil
}

// player returns an actor for a frame and adds its identity to the results of Identify.
func (r *harness) player(id sim.EntityID, name string) sim.ActorState {
	if _, ok := r.identities[id]; !ok {
		r.identities[id] = Identity{Name: name, Account: name + "'s", Door: "rcce", RTT: 43}
	}
	return sim.ActorState{ID: id, Flags: sim.FlagPlayer, Body: &sim.Body{Name: name}, Pos: geom.Vec{X: float32(id)}}
}

// frame passes a frame of area 0 to the journal. The actors must be sorted by ID.
func (r *harness) frame(actors []sim.ActorState, events ...sim.Event) {
	r.tick++
	r.j.readFrame(area.Published{Frame: &sim.Frame{Tick: r.tick, Actors: actors, Events: events}})
}

// missed passes a frame to the journal and reports that n frames before it were missed.
func (r *harness) missed(actors []sim.ActorState, n uint64) {
	r.tick += sim.Tick(n) + 1
	r.j.readFrame(area.Published{Frame: &sim.Frame{Tick: r.tick, Actors: actors}, Missed: n})
}

// flush waits, in virtual time, until all queued rows are written.
func (r *harness) flush() {
	time.Sleep(2 * writeInterval)
	synctest.Wait()
}

func (r *harness) entries(q Query) []Entry {
	r.t.Helper()
	list, err := r.j.Entries(r.t.Context(), q)
	if err != nil {
		r.t.Fatal(err)
	}
	return list
}

var tooFast = sim.Event{
	Kind: sim.EventHeld, Who: 7, Reason: reason.TooFast, Asked: 61.2, Allowed: 8.4,
	Pos: geom.Vec{X: 10, Z: 20}, From: geom.Vec{X: 53.25, Z: 63.25},
}

func TestEntryOfRejectedMovementIsStoredWithAllFields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		ann := []sim.ActorState{r.player(7, "Ann")}
		r.frame(ann, sim.Event{Kind: sim.EventJoined, Who: 7, N: 1})
		time.Sleep(time.Second)
		at := time.Now()
		r.frame(ann, tooFast)
		r.flush()
		want := Entry{
			ID: 1, At: storedTime(at), First: storedTime(at), Area: "Vale", Tick: 2, Verdict: Held, Reason: reason.TooFast,
			Entity: 7, Player: "Ann", Account: "Ann's", Door: "rcce", RTT: 43, Asked: 61.2, Allowed: 8.4, Unit: "units",
			From: tooFast.From, Pos: tooFast.Pos, HasFrom: true, HasPos: true, Times: 1,
		}
		if got := r.entries(Query{Player: "ANN"}); len(got) != 1 || got[0] != want {
			t.Fatalf("%+v\nwant %+v", got, want)
		}
		e, around, err := r.j.Entry(t.Context(), 1)
		if err != nil || e != want || len(around) != 2 || around[0].Kind != "joined" || around[1].Entry != 1 {
			t.Errorf("%v, %+v, %+v", err, e, around)
		}
		if got := r.j.DecisionCounts(7); len(got) != 1 || got[0] != (Count{Held, reason.TooFast, 1, 0}) {
			t.Errorf("DecisionCounts: %v", got)
		}
	})
}

func TestAttackEntryHasPositionWhereAttackerSawTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		both := []sim.ActorState{r.player(7, "Ann"), r.player(8, "Bob")}
		seen, now := geom.Vec{X: 10, Z: 2}, geom.Vec{X: 11.5, Z: 2}
		attack := sim.Event{Who: 7, Other: 8, AgoMS: 150, Pos: seen, From: now}
		hit, miss := attack, attack
		hit.Kind, hit.N, hit.Text = sim.EventAttacked, 4, "Bob"
		miss.Kind, miss.Reason, miss.Asked, miss.Allowed = sim.EventRefused, reason.OutOfRange, 10, 9
		r.frame(both, sim.Event{Kind: sim.EventJoined, Who: 7, N: 1}, sim.Event{Kind: sim.EventJoined, Who: 8, N: 1}, tooFast)
		r.frame(both, hit)
		at := time.Now()
		r.frame(both, miss)
		r.flush()
		want := Entry{
			ID: 4, At: storedTime(at), First: storedTime(at), Area: "Vale", Tick: 3, Verdict: Refused, Reason: reason.OutOfRange,
			Entity: 7, Player: "Ann", Account: "Ann's", Door: "rcce", RTT: 43, Asked: 10, Allowed: 9, Unit: "units",
			Pos: both[0].Pos, HasPos: true, Other: "Bob", AgoMS: 150, Seen: seen, OtherPos: now, Times: 1,
		}
		e, around, err := r.j.Entry(t.Context(), 4) // the fourth entry: a hold and the two entries about the hit precede it
		if err != nil || e != want {
			t.Fatalf("%v\n%+v, want\n%+v", err, e, want)
		}
		const text = "struck Bob for 4, which was 0.15 s ago at (10, 0, 2)"
		if !slices.ContainsFunc(around, func(e NearbyEvent) bool { return e.Text == text }) {
			t.Errorf("%q is not among %+v", text, around)
		}
	})
}

// An operator's change of a player's items or attributes may explain later decisions, for example because it made the
// player faster. Therefore it is stored as an event near these entries.
func TestOperatorChangesToPlayerAreStoredAsEventsNearEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		ann := []sim.ActorState{r.player(7, "Ann")}
		r.frame(ann, sim.Event{Kind: sim.EventJoined, Who: 7, N: 1})
		r.frame(ann,
			sim.Event{Kind: sim.EventOrderDone, Who: 7, N: 1},
			sim.Event{Kind: sim.EventOrderDone, Who: 7, N: 2, Reason: reason.NoRoom},
			sim.Event{Kind: sim.EventOrderDone, Who: 7, N: 3, Text: "set Speed to 200 of 200"},
			sim.Event{Kind: sim.EventOrderDone, N: 4, Other: 1 << 40})
		r.frame(ann, tooFast)
		r.flush()
		_, around, err := r.j.Entry(t.Context(), 1)
		if err != nil || len(around) != 3 || around[1].Kind != "operator" || around[1].Text != "an operator set Speed to 200 of 200" {
			t.Errorf("%v, %+v", err, around)
		}
	})
}

// After a restart, a cluster node simulates its last ticks again, and then, later than the other nodes, the ticks that it has missed.
func TestRestartedNodeStoresEachEntryOnceWithTimeOfItsTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inCluster := func(o *Options) { o.OfCluster = true }
		r := newHarness(t, inCluster)
		defer r.close()
		ann := []sim.ActorState{r.player(7, "Ann")}
		began := time.Now().UnixMilli()
		play := func(in sim.AreaID, seconds ...int64) {
			for _, second := range seconds {
				r.j.readFrame(area.Published{AtMS: began + 1000*second, Frame: &sim.Frame{Area: in, Tick: sim.Tick(20 * second), Actors: ann, Events: []sim.Event{tooFast}}})
			}
		}
		wrong := 40 * 365 * 24 * time.Hour // the clock of the leader of area 1 is wrong
		play(0, 10, 20, 30)
		play(1, 10)
		time.Sleep(time.Minute)
		r.close()
		r.open(inCluster)
		play(0, 20, 30, 40, 50)
		play(1, 10, 20, 30, int64(wrong.Seconds())) // this process simulates the ticks of area 1 after those of area 0
		time.Sleep(time.Minute)
		r.close()
		r.open(inCluster)
		play(0, 50, 60)
		play(1, 30, 130)
		r.flush()
		seconds := map[string][]int64{}
		for _, e := range r.entries(Query{}) {
			seconds[e.Area] = append(seconds[e.Area], (e.At.UnixMilli()-began)/1000)
		}
		if want := []int64{60, 50, 40, 30, 20, 10}; !slices.Equal(seconds["Vale"], want) {
			t.Errorf("entries of area 0 at the seconds %d, want %d", seconds["Vale"], want)
		}
		if want := []int64{int64(wrong.Seconds()), 130, 30, 20, 10}; !slices.Equal(seconds["Moor"], want) {
			t.Errorf("entries of area 1 at the seconds %d, want %d", seconds["Moor"], want)
		}
	})
}
