package sim

import (
	"bytes"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

// tripRig is a world of two areas. Each area can be set back to an earlier tick, as after a crash.
type tripRig struct {
	t     *testing.T
	areas []*Area
}

func newTripRig(t *testing.T) *tripRig {
	from, to := twoAreas(t, 3)
	return &tripRig{t, []*Area{from, to}}
}

// send makes a player leave one area and arrive in the other.
func (r *tripRig) send(who EntityID, from AreaID) {
	r.t.Helper()
	r.areas[1-from].Step([]Intent{sendAway(r.t, r.areas[from], who, 1-from)})
}

// settle removes from the outbox of an area the players that have arrived in the other area.
func (r *tripRig) settle(from AreaID) {
	r.areas[from].Step([]Intent{{Kind: IntentSettle, To: 1 - from, Seq: r.areas[1-from].Arrived(from)}})
}

// keep returns a function that sets an area back to its state at this call, so that the later ticks are lost.
func (r *tripRig) keep(id AreaID) (forget func()) {
	state := r.areas[id].Snapshot(nil)
	return func() {
		r.t.Helper()
		var err error
		if r.areas[id], err = Restore(r.areas[id].world, state); err != nil {
			r.t.Fatal(err)
		}
	}
}

// deliver submits the arrivals that are in the outboxes and steps the areas. It then checks that each player is in
// exactly one area, that the outboxes can be settled, and that a further transfer works.
func (r *tripRig) deliver(where map[EntityID]AreaID) {
	r.t.Helper()
	if changes := Reconcile(r.areas); len(changes) > 0 {
		r.t.Errorf("reconciled areas are changed again: %q", changes)
	}
	for from := range AreaID(2) {
		var joins []Intent
		r.areas[from].Outbox(func(_ AreaID, who EntityID, j *Join) {
			joins = append(joins, Intent{Kind: IntentJoin, Who: who, Join: j})
		})
		if refused := events(r.areas[1-from].Step(joins), EventRefused); len(refused) > 0 {
			r.t.Errorf("area %d refused %+v", 1-from, refused)
		}
		r.settle(from)
		if rest := waiting(r.areas[from]); len(rest) > 0 {
			r.t.Errorf("the outbox of area %d still has %v", from, rest)
		}
	}
	for who := EntityID(1); who <= 3; who++ {
		for id, a := range r.areas {
			want, ok := where[who]
			if got := a.find(who) != nil; got != (ok && want == AreaID(id)) {
				r.t.Errorf("player %d in area %d: %v", who, id, got)
			}
		}
		if at, ok := where[who]; ok {
			r.send(who, at)
			if r.areas[1-at].find(who) == nil {
				r.t.Errorf("player %d cannot leave area %d any more", who, at)
			}
			r.send(who, 1-at)
		}
		for _, a := range r.areas {
			if wrong := checkBonds(a); wrong != "" {
				r.t.Error(wrong)
			}
			if _, err := Restore(a.world, a.Snapshot(nil)); err != nil {
				r.t.Error(err)
			}
		}
	}
}

func TestReconcileChangesNothingIfAreasAgreeOnPlayersInTransfer(t *testing.T) {
	r := newTripRig(t)
	r.send(1, areaField)
	r.send(2, areaField)
	r.settle(areaField)
	sendAway(t, r.areas[0], 3, areaTown) // on its way
	r.send(1, areaTown)                  // not settled
	before := [][]byte{r.areas[0].Snapshot(nil), r.areas[1].Snapshot(nil)}
	if changes := Reconcile(r.areas); len(changes) > 0 {
		t.Errorf("changes %q", changes)
	}
	for i, b := range before {
		if !bytes.Equal(r.areas[i].Snapshot(nil), b) {
			t.Errorf("area %d is changed", i)
		}
	}
	r.deliver(map[EntityID]AreaID{1: areaField, 2: areaTown, 3: areaTown})
}

func TestReconcileRemovesOlderCopyOfPlayerThatIsInTwoAreas(t *testing.T) {
	r := newTripRig(t)
	r.areas[0].Step([]Intent{{Kind: IntentTeleport, Who: 1, To: areaField, Join: &Join{Portal: -1, Pos: geom.Vec{X: 5}}}})
	forget := r.keep(areaField)
	r.send(1, areaField)
	r.send(2, areaField)
	forget() // players 1 and 2 are in both areas
	changes := strings.Join(Reconcile(r.areas), "\n")
	for _, part := range []string{`"Pba" is in area "Town" and, with an older record, in area "Field"`, `"Pca" is in area "Town"`, `"Field" has lost the record that 2 players left it for area "Town"`} {
		if !strings.Contains(changes, part) {
			t.Errorf("no change %s in\n%s", part, changes)
		}
	}
	r.deliver(map[EntityID]AreaID{1: areaTown, 2: areaTown, 3: areaField})
}

func TestReconcileDeliversPlayerInTransferAlthoughEarlierArrivalWasLost(t *testing.T) {
	r := newTripRig(t)
	forget := r.keep(areaTown)
	r.send(1, areaField)
	r.settle(areaField)
	r.send(2, areaField)
	forget() // player 1 is nowhere, player 2 in the outbox with number 2
	if changes := strings.Join(Reconcile(r.areas), "\n"); !strings.Contains(changes, `"Town" has lost the record that 1 players arrived from area "Field"`) {
		t.Errorf("changes %q", changes)
	}
	r.deliver(map[EntityID]AreaID{2: areaTown, 3: areaField})
}

func TestReconcileRemovesOutboxEntryOfPlayerThatHasReturned(t *testing.T) {
	r := newTripRig(t)
	forget := r.keep(areaTown)
	r.send(1, areaField) // not settled, so player 1 stays in the outbox of the field
	r.send(1, areaTown)  // player 1 comes back
	forget()             // the town loses the arrival and the departure of player 1
	changes := strings.Join(Reconcile(r.areas), "\n")
	if !strings.Contains(changes, `in area "Field" and, with an older record, in the outbox of area "Field"`) {
		t.Errorf("changes %q", changes)
	}
	r.deliver(map[EntityID]AreaID{1: areaField, 2: areaField, 3: areaField})
}
