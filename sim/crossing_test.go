package sim

import (
	"bytes"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// twoAreas returns two areas of one world, the first with players 1..n.
func twoAreas(t *testing.T, n int) (from, to *Area) {
	w := testWorld()
	from, to = NewArea(w, areaField, 1), NewArea(w, areaTown, 1)
	var joins []Intent
	for i := range n {
		joins = append(joins, joinAt(w, EntityID(i+1), geom.Vec{Z: 20}))
	}
	from.Step(joins)
	return from, to
}

// sendAway teleports a player to the other area and returns the intent with which it joins that area.
func sendAway(t *testing.T, a *Area, who EntityID, to AreaID) Intent {
	t.Helper()
	e := events(a.Step([]Intent{{Kind: IntentTeleport, Who: who, To: to, Join: &Join{Portal: -1}}}), EventDeparted)
	if len(e) != 1 {
		t.Fatalf("%d departures of player %d, want 1", len(e), who)
	}
	return Intent{Kind: IntentJoin, Who: who, Join: e[0].Join}
}

func waiting(a *Area) (seqs []uint64) {
	a.Outbox(func(_ AreaID, _ EntityID, j *Join) { seqs = append(seqs, j.Seq) })
	return seqs
}

func TestTransferArrivingAfterSequenceGapIsRefusedAndStaysInOutbox(t *testing.T) {
	from, to := twoAreas(t, 3)
	first, second := sendAway(t, from, 1, areaTown), sendAway(t, from, 2, areaTown)
	refused := events(to.Step([]Intent{second}), EventRefused)
	if len(refused) != 1 || refused[0].Reason != reason.ArrivalGap || refused[0].Asked != 2 || refused[0].Allowed != 1 {
		t.Fatalf("a join after a gap gives %+v", refused)
	}
	if f := to.Step([]Intent{first, second, first, second}); len(f.Actors) != 2 || len(f.Events) != 2 || to.Arrived(areaField) != 2 {
		t.Fatalf("%d actors and events %+v after both joins came twice, want 2 players that joined once", len(f.Actors), f.Events)
	}
	if got := waiting(from); len(got) != 2 {
		t.Fatalf("the outbox has %v before the arrivals are settled, want 2 players", got)
	}
}

// A player with an invalid character is refused by the area, but still counts as arrived. Otherwise the players with
// higher arrival numbers could never enter.
func TestRefusedTransferDoesNotBlockLaterTransfers(t *testing.T) {
	from, to := twoAreas(t, 2)
	first, second := sendAway(t, from, 1, areaTown), sendAway(t, from, 2, areaTown)
	broken := *first.Join
	broken.Character = &Character{Template: 999}
	first.Join = &broken
	f := to.Step([]Intent{first, second})
	if len(f.Actors) != 1 || f.Actors[0].ID != 2 || to.Arrived(areaField) != 2 {
		t.Errorf("%d actors, %d arrivals; want the second player and 2", len(f.Actors), to.Arrived(areaField))
	}
}

func TestTransferFromUnknownOrSameAreaIsRefused(t *testing.T) {
	from, to := twoAreas(t, 1)
	in := sendAway(t, from, 1, areaTown)
	for _, id := range []AreaID{-1, areaTown, 2, 1 << 20} {
		j := *in.Join
		j.From = id
		if f := to.Step([]Intent{{Kind: IntentJoin, Who: 1, Join: &j}}); len(f.Actors) != 0 || len(events(f, EventRefused)) != 1 {
			t.Errorf("a join from area %d gives %+v", id, f.Events)
		}
	}
}

func TestSettleIntentRemovesOnlyTransfersUpToItsNumberFromOutbox(t *testing.T) {
	from, _ := twoAreas(t, 4)
	for _, x := range from.actors {
		x.saveTick = 1 << 40
	}
	for who := range EntityID(3) {
		sendAway(t, from, who+1, areaTown)
	}
	for _, step := range []struct {
		what string
		in   Intent
		want int
	}{
		{"nobody", Intent{Kind: IntentSettle, To: areaTown}, 3},
		{"another area", Intent{Kind: IntentSettle, To: 7, Seq: 3}, 3},
		{"a number that was not given", Intent{Kind: IntentSettle, To: areaTown, Seq: 4}, 3},
		{"two players", Intent{Kind: IntentSettle, To: areaTown, Seq: 2}, 1},
		{"one of them again", Intent{Kind: IntentSettle, To: areaTown, Seq: 1}, 1},
		{"all", Intent{Kind: IntentSettle, To: areaTown, Seq: 3}, 0},
	} {
		if f := from.Step([]Intent{step.in}); len(f.Events) > 0 {
			t.Errorf("the settlement of %s has events %+v", step.what, f.Events)
		}
		if got := waiting(from); len(got) != step.want {
			t.Errorf("after the settlement of %s the outbox has %v, want %d players", step.what, got, step.want)
		}
	}
	if in := sendAway(t, from, 4, areaTown); in.Join.Seq != 4 || in.Join.From != areaField {
		t.Errorf("the next player has number %d from area %d, want 4 from %d", in.Join.Seq, in.Join.From, areaField)
	}
}

func TestSnapshotAndHashIncludeOutboxesAndArrivals(t *testing.T) {
	from, to := twoAreas(t, 2)
	empty := to.hash()
	joins := []Intent{sendAway(t, from, 1, areaTown), sendAway(t, from, 2, areaTown)}
	to.Step(joins)
	for name, change := range map[string]func(){
		"the number of departures": func() { from.outboxes[0].last++ },
		"who waits":                func() { from.outboxes[0].waiting[0].who++ },
		"the join that waits":      func() { from.outboxes[0].waiting[0].digest++ },
		"the area that it goes to": func() { from.outboxes[0].to++ },
		"the length of the outbox": func() { from.outboxes[0].waiting = from.outboxes[0].waiting[:1] },
		"the number of arrivals":   func() { to.arrived[0].last++ },
		"the area of the arrivals": func() { to.arrived[0].from++ },
	} {
		for _, a := range []*Area{from, to} {
			again, err := Restore(a.world, a.Snapshot(nil))
			if err != nil || again.hash() != a.hash() || !bytes.Equal(again.Snapshot(nil), a.Snapshot(nil)) {
				t.Fatalf("area %d is not restored: %v", a.id, err)
			}
		}
		before := from.hash() ^ to.hash()
		saved := [2]Area{}
		from.CloneInto(&saved[0])
		to.CloneInto(&saved[1])
		change()
		if from.hash()^to.hash() == before {
			t.Errorf("the hash does not see a change of %s", name)
		}
		from.outboxes, to.arrived = saved[0].outboxes, saved[1].arrived
	}
	if empty == 0 {
		t.Fatal("no hash")
	}
}

func TestDamagedOutboxInSnapshotIsRefused(t *testing.T) {
	for name, damage := range map[string]func(from, to *Area){
		"number beyond the last":   func(from, _ *Area) { from.outboxes[0].last = 1 },
		"gap in the numbers":       func(from, _ *Area) { from.outboxes[0].waiting = from.outboxes[0].waiting[:1] },
		"player without character": func(from, _ *Area) { from.outboxes[0].waiting[0].join = &Join{From: areaField, Seq: 1} },
		"player without id":        func(from, _ *Area) { from.outboxes[0].waiting[0].who = 0 },
		"to itself":                func(from, _ *Area) { from.outboxes[0].to = areaField },
		"to no area":               func(from, _ *Area) { from.outboxes[0].to = 2 },
		"two outboxes for an area": func(from, _ *Area) { from.outboxes = append(from.outboxes, from.outboxes[0]) },
		"from itself":              func(_, to *Area) { to.arrived[0].from = areaTown },
		"nobody from an area":      func(_, to *Area) { to.arrived[0].last = 0 },
		"two counts of an area":    func(_, to *Area) { to.arrived = append(to.arrived, to.arrived[0]) },
	} {
		from, to := twoAreas(t, 2)
		to.Step([]Intent{sendAway(t, from, 1, areaTown), sendAway(t, from, 2, areaTown)})
		damage(from, to)
		_, err := Restore(from.world, from.Snapshot(nil))
		_, errTo := Restore(to.world, to.Snapshot(nil))
		if err == nil && errTo == nil {
			t.Errorf("%s: the snapshot was accepted", name)
		}
	}
}
