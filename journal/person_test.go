package journal

import (
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

func TestForgetRemovesPlayerFromEntriesButKeepsAuditLog(t *testing.T) {
	r := newHarness(t, nil)
	ann, bo := r.player(1, "Ann"), r.player(2, "Bo")
	actors := []sim.ActorState{ann, bo}
	refusal := func(who, other sim.EntityID) sim.Event {
		return sim.Event{Kind: sim.EventRefused, Who: who, Other: other, Reason: reason.OutOfRange}
	}
	r.frame(actors, refusal(1, 2), refusal(2, 1), sim.Event{Kind: sim.EventAttacked, Who: 1, Other: 2, N: 5})
	if err := r.j.RecordAction(t.Context(), OperatorAction{Operator: "op", Action: "kick", Player: "Ann", Account: "Ann's"}); err != nil {
		t.Fatal(err)
	}
	n, err := r.j.Forget(t.Context(), "ANN's", []string{"Ann"})
	if err != nil || n == 0 {
		t.Fatalf("deleted %d rows, %v", n, err)
	}
	list, err := r.j.Entries(t.Context(), Query{})
	if err != nil || len(list) != 1 || list[0].Player != "Bo" || list[0].Other != removedName {
		t.Errorf("entries %+v, %v; want that of Bo without the name of Ann", list, err)
	}
	for _, e := range list {
		_, around, err := r.j.Entry(t.Context(), e.ID)
		if err != nil || slices.ContainsFunc(around, func(n NearbyEvent) bool { return strings.Contains(n.Text, "Ann") }) {
			t.Errorf("events around the entry of Bo: %+v, %v", around, err)
		}
	}
	p, err := r.j.Person(t.Context(), "Ann's", []string{"Ann"})
	if err != nil || len(p.Entries) != 0 || len(p.Nearby) != 0 || len(p.Actions) != 1 {
		t.Errorf("after that the journal has %+v, %v; want the audit only", p, err)
	}
	if p, err = r.j.Person(t.Context(), "bo's", []string{"Bo"}); err != nil || len(p.Entries) != 1 || len(p.Actions) != 0 {
		t.Errorf("of Bo the journal has %+v, %v", p, err)
	}
}

// The journal of a node of a cluster does not know the accounts of players who are in the world through other nodes.
func TestForgetRemovesEntriesOfCharacterWithoutAccount(t *testing.T) {
	r := newHarness(t, nil)
	r.identities[1], r.identities[2] = Identity{Name: "Ann", RTT: -1}, Identity{Name: "Annabel", RTT: -1}
	actors := []sim.ActorState{r.player(1, "Ann"), r.player(2, "Annabel")}
	for _, id := range []sim.EntityID{1, 2} {
		r.frame(actors, sim.Event{Kind: sim.EventRefused, Who: id, Reason: reason.OutOfRange})
	}
	hit := rewoundHit
	hit.Who, hit.Other, hit.Text = 1, 2, "Annabel"
	r.frame(actors, hit)
	if n, err := r.j.Forget(t.Context(), "ann's", []string{"ANN"}); err != nil || n != 3 {
		t.Errorf("deleted or changed %d rows, %v; want 3: a refusal, a hit, and the name of the attacker", n, err)
	}
	list, err := r.j.Entries(t.Context(), Query{})
	if err != nil || len(list) != 2 || list[0].Player != "Annabel" || list[1].Player != "Annabel" || list[0].Other != removedName {
		t.Errorf("entries %+v, %v; want those of Annabel, the hit without the name of Ann", list, err)
	}
}
