package checker

import (
	"fmt"
	"strings"
	"testing"
)

// together returns a history without a contradiction: Ann, Bob and Cid are a party. Ann rides from Camp to Ring at 20 s, where Cid is,
// and Bob rides in Camp and loses its connection at 30 s. Dan is alone.
func together() *History {
	h := New(margin)
	for _, who := range []string{"Ann", "Bob", "Cid", "Dan"} {
		h.Enter(at(0), who, "Camp")
	}
	for _, who := range []string{"Ann", "Bob", "Cid"} {
		h.JoinParty(at(2), who, "first party")
	}
	h.RecordParty(at(2.1), "Ann", "Camp", []string{"Bob"}) // while the party forms, some of it may be shown
	h.RecordParty(at(2.2), "Ann", "Camp", []string{"Bob", "Cid"})
	h.RecordRide(at(5), "Ann", "Camp", "", 0)
	h.RecordRide(at(6), "Ann", "Camp", "Horse", 0)
	h.RecordRide(at(6), "Bob", "Camp", "Pony", 0)
	h.Enter(at(10), "Cid", "Ring")
	h.RecordParty(at(10), "Cid", "Ring", nil)
	h.Enter(at(20), "Ann", "Ring")
	h.RecordParty(at(20.1), "Ann", "Ring", []string{"Cid"})
	h.RecordRide(at(20), "Ann", "Ring", "", 0) // one older sample is no contradiction
	h.RecordRide(at(20.1), "Ann", "Ring", "Horse", 0)
	h.RecordPets(at(21), "a", "Camp", 400, []string{"Bob", "Dan"}, 2)
	h.RecordPets(at(21), "a", "Ring", 400, []string{"Ann"}, 1)
	h.Enter(at(25), "Cid", "Den")
	h.RecordParty(at(25), "Cid", "Den", nil)
	h.Enter(at(26), "Cid", "Mine") // a stay that is too short for a list
	h.Enter(at(26.5), "Cid", "Den")
	h.RecordParty(at(26.5), "Cid", "Den", nil)
	h.Leave(at(30), "Bob")
	h.Enter(at(35), "Bob", "Camp")
	h.RecordParty(at(35), "Bob", "Camp", nil)
	h.RecordRide(at(35), "Bob", "Camp", "", 0)
	h.RecordRide(at(36), "Bob", "Camp", "", 0)
	h.RecordRide(at(37), "Bob", "Camp", "Pony", 0)
	h.RecordRide(at(38), "Bob", "Camp", "", 1) // it has died
	h.RecordRide(at(38.5), "Bob", "Camp", "", 1)
	h.RecordRide(at(39), "Bob", "Camp", "Pony", 1)
	for _, label := range []string{"first", "second"} {
		h.RecordCensus(Census{Label: label, Animals: map[string]int{"Horse": 1, "Pony": 3}})
	}
	return h
}

func TestHistoryOfPartyWithMountsAndPetsHasNoErrors(t *testing.T) {
	h := together()
	for _, err := range h.Check() {
		t.Error(err)
	}
	if got, want := h.Company(), (Company{Entries: 2, Members: 1, Rides: 1, Pets: 3}); got != want {
		t.Errorf("compared %+v, want %+v", got, want)
	}
}

func TestCheckReportsLostAndDoubledCompany(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(h *History)
		want  string
	}{
		"pet lost": {func(h *History) { h.RecordPets(at(22), "a", "Camp", 420, []string{"Bob", "Dan"}, 1) },
			"a shows 1 pets in tick 420 of Camp, where 2 players with one pet are: Bob, Dan"},
		"pet doubled": {func(h *History) { h.RecordPets(at(22), "a", "Ring", 420, []string{"Ann"}, 2) }, "a shows 2 pets in tick 420 of Ring"},
		"pet left behind": {func(h *History) {
			for range 2 { // one error for two samples in a row
				h.RecordPets(at(22), "a", "Camp", 420, nil, 1)
			}
			h.RecordPets(at(23), "a", "Camp", 440, nil, 0)
		}, "a shows 1 pets in tick 420 of Camp, where 0 players"},
		"mount lost in crossing": {func(h *History) {
			h.Enter(at(40), "Ann", "Camp")
			h.RecordParty(at(40), "Ann", "Camp", []string{"Bob"})
			h.RecordRide(at(40), "Ann", "Camp", "", 0)
			h.RecordRide(at(40.1), "Ann", "Camp", "", 0)
		}, "Ann was shown its player on a Horse in Ring, and then on foot in Camp"},
		"mount lost in place": {func(h *History) {
			for i := range 3 { // one error for all samples in a row
				h.RecordRide(at(40+float64(i)), "Ann", "Ring", "", 0)
			}
		}, "Ann was shown its player on a Horse in Ring, and then on foot in Ring"},
		"mount exchanged": {func(h *History) {
			h.RecordRide(at(40), "Ann", "Ring", "Pony", 0)
			h.RecordRide(at(41), "Ann", "Ring", "Pony", 0)
		}, "on a Horse in Ring, and then on a Pony in Ring"},
		"mount doubled": {func(h *History) {
			h.RecordCensus(Census{Label: "third", Animals: map[string]int{"Horse": 2, "Pony": 3}})
		}, "third: the world has 2 animals of the kind Horse, but had 1"},
		"all mounts lost": {func(h *History) {
			h.RecordCensus(Census{Label: "third", Animals: map[string]int{"Pony": 3}})
		}, "third: the world has 0 animals of the kind Horse, but had 1"},
		"party lost in crossing": {func(h *History) {
			h.RecordParty(at(39.8), "Ann", "Ring", nil) // a list of another area
			h.Enter(at(40), "Ann", "Camp")
			h.Leave(at(60), "Ann")
		}, "Ann, a member of first party, was not shown its party when it entered Camp"},
		"party lost in reconnection": {func(h *History) {
			h.Leave(at(50), "Bob")
			h.Enter(at(55), "Bob", "Camp")
			h.Leave(at(60), "Bob")
		}, "Bob, a member of first party, was not shown its party when it entered Camp"},
		"member lost": {func(h *History) {
			h.Enter(at(40), "Ann", "Camp")
			h.RecordParty(at(40), "Ann", "Camp", nil)
		}, "Ann in Camp was not shown Bob, although it was there and in the same party, first party"},
		"member doubled": {func(h *History) {
			h.Enter(at(40), "Ann", "Camp")
			h.RecordParty(at(40), "Ann", "Camp", []string{"Bob", "Bob"})
		}, "Ann in Camp was shown Bob twice in its party"},
		"member elsewhere": {func(h *History) {
			h.Enter(at(40), "Ann", "Camp")
			h.RecordParty(at(40), "Ann", "Camp", []string{"Bob", "Cid"})
		}, "Ann in Camp was shown Cid of its party there, which was in Den"},
		"foreign member": {func(h *History) {
			h.Enter(at(40), "Ann", "Camp")
			h.RecordParty(at(40), "Ann", "Camp", []string{"Bob", "Dan"})
		}, `Ann in Camp was shown Dan in its party ("first party"), whose party is ""`},
		"member that has left": {func(h *History) {
			h.JoinParty(at(38), "Bob", "")
			h.Enter(at(40), "Ann", "Camp")
			h.RecordParty(at(40), "Ann", "Camp", []string{"Bob"})
		}, `Ann in Camp was shown Bob in its party ("first party"), whose party is ""`},
		"party of players without one": {func(h *History) { h.RecordParty(at(40), "Dan", "Camp", []string{"Eve"}) },
			`Dan in Camp was shown Eve in its party (""), whose party is ""`},
		"party of a player without one": {func(h *History) { h.RecordParty(at(40), "Dan", "Camp", []string{"Bob"}) },
			`Dan in Camp was shown Bob in its party (""), whose party is "first party"`},
	} {
		t.Run(name, func(t *testing.T) {
			h := together()
			c.spoil(h)
			errs := h.Check()
			if len(errs) != 1 || !strings.Contains(errs[0].Error(), c.want) {
				t.Errorf("got %v, want one error with %q", errs, c.want)
			}
		})
	}
}

func TestPartyIsNotComparedNearChangeOfMembersOrAreas(t *testing.T) {
	for name, spoil := range map[string]func(h *History){
		"member may have left": func(h *History) { h.JoinParty(at(35), "Bob", PartyUnknown) },
		"member has just left": func(h *History) { h.JoinParty(at(39.5), "Bob", "") },
		"member joins soon":    func(h *History) { h.JoinParty(at(40.5), "Bob", "second party") },
	} {
		for _, names := range [][]string{nil, {"Bob"}} {
			t.Run(fmt.Sprint(name, names), func(t *testing.T) {
				h := together()
				spoil(h)
				h.Enter(at(40), "Ann", "Camp")
				h.RecordParty(at(40), "Ann", "Camp", names)
				for _, err := range h.Check() {
					t.Error(err)
				}
			})
		}
	}
	for name, spoil := range map[string]func(h *History){
		"member leaves the area": func(h *History) {
			h.Enter(at(40.5), "Bob", "Ring")
			h.RecordParty(at(40.5), "Bob", "Ring", nil)
		},
		"member has no client": func(h *History) { h.Leave(at(39.5), "Bob") },
	} {
		t.Run(name, func(t *testing.T) {
			h := together()
			spoil(h)
			h.Enter(at(40), "Ann", "Camp")
			h.RecordParty(at(40), "Ann", "Camp", nil)
			for _, err := range h.Check() {
				t.Error(err)
			}
		})
	}
}
