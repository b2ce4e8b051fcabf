package sim

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/rng"
)

// namedCrowd returns a snapshot of an area whose players, pets and tags have distinctive names, and ticks of intents that
// contain these names.
func namedCrowd(t *testing.T) (w *World, snapshot []byte, ticks [][]Intent, names []string) {
	w = crowdedWorld(t)
	a, random := fillArea(t, w, 40), rng.New(5)
	for _, x := range a.actors {
		x.name = fmt.Sprint("Qn", x.id)
		if x.player {
			record := *x.record
			record.Name, record.Tag, record.ActionBar[3] = x.name, "Qtag", "Qslot"
			record.Pets = []Pet{{Template: tmplDog, Name: "Qpet"}}
			x.tag, x.record = "Qtag", &record
		}
		names = append(names, x.name)
		a.rebuildBody(x)
	}
	joined := joinAt(w, 900, geom.Vec{})
	joined.Join.Character.Name, joined.Join.Mount = "Qjoined", &Pet{Template: tmplHorse, Name: "Qhorse"}
	ticks = append(ticks, []Intent{joined, {Kind: IntentInviteParty, Who: 900}, {Kind: IntentInviteParty, Who: 900, Text: "Qstranger"},
		{Kind: IntentChat, Who: 1, Text: "Qchat"}, {Kind: IntentActionBar, Who: 1, SlotA: 2, Text: "Qmacro"}, {Kind: IntentMessage, Who: 1, Text: "Qorder"}})
	names = append(names, "Qtag", "Qslot", "Qpet", "Qjoined", "Qhorse", "Qstranger", "Qchat", "Qmacro", "Qorder")
	invited := a.actors[slices.IndexFunc(a.actors, func(x *actor) bool { return x.player && x.party == 0 && x.invited == 0 })]
	ticks[0][1].Text = strings.ToUpper(invited.name)
	snapshot = a.Snapshot(nil)
	for tick := range 20 {
		ticks = append(ticks, crowdIntents(w, a, random, tick))
		a.Recycle(a.Step(ticks[len(ticks)-1]))
	}
	return w, snapshot, ticks, names
}

func TestAreaWithAnonymizedNamesGivesSameFramesExceptForTextsAndHashes(t *testing.T) {
	w, snapshot, ticks, names := namedCrowd(t)
	anonymizer, err := NewAnonymizer(w, snapshot, ticks)
	if err != nil {
		t.Fatal(err)
	}
	aliased, err := anonymizer.Snapshot(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	named, err := Restore(w, snapshot)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Restore(w, aliased)
	if err != nil {
		t.Fatal(err)
	}
	all := aliased
	for i, intents := range ticks {
		others := anonymizer.Intents(intents)
		all = AppendIntents(all, others)
		f, g := named.Step(intents), a.Step(others)
		all = g.Append(all)
		if !SameFrameButTexts(f, g) {
			t.Fatalf("tick %d of the aliased area differs in more than texts", i)
		}
		if i == 0 && !slices.ContainsFunc(events(g, EventMessage), func(e Event) bool { return strings.HasPrefix(e.Text, "You invited ") }) {
			t.Error("the invitation does not reach the player that was named")
		}
		if f.Hash == g.Hash {
			t.Errorf("tick %d has the hash of the named area, although names are part of the state", i)
		}
	}
	all = bytes.ToLower(all)
	for _, name := range names {
		if bytes.Contains(all, []byte(strings.ToLower(name))) {
			t.Errorf("%s is left", name)
		}
	}
}

func TestAnonymizedNameIsAlwaysTheSameAndContainsNoOriginalName(t *testing.T) {
	w := testWorld()
	join := func(who EntityID, name string) Intent {
		in := joinAt(w, who, geom.Vec{})
		in.Join.Character.Name = name
		return in
	}
	ticks := [][]Intent{{join(1, "Ann"), join(2, "Layer")}, {{Kind: IntentInviteParty, Who: 2, Text: "aNN"}, {Kind: IntentLeave, Who: 1}}, {join(3, "Ann")}}
	n, err := NewAnonymizer(w, nil, ticks)
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Names(); !slices.Equal(got, []string{"ann", "layer"}) {
		t.Errorf("names %q", got)
	}
	first, second, third := n.Intents(ticks[0]), n.Intents(ticks[1]), n.Intents(ticks[2])
	alias := first[0].Join.Character.Name
	// The usual alias "Player 1" contains the name "layer".
	if alias != "Somebody 1" || second[0].Text != alias || third[0].Join.Character.Name != alias {
		t.Errorf("Ann is %q, then %q and %q", alias, second[0].Text, third[0].Join.Character.Name)
	}
	if name := ticks[0][0].Join.Character.Name; name != "Ann" {
		t.Errorf("the given intents were changed: %q", name)
	}
}
