//go:build linux

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/truestep-io/truestep/e2e/process"
)

func TestGroupsOfPlayersFitIntoPartiesThatRealmCrafterPlayersBegin(t *testing.T) {
	for _, c := range []struct {
		clients                      [4]int
		petEvery                     int
		groups, pets, ponies, horses int
	}{
		{[4]int{4, 3, 3, 6}, 1, 1, 16, 1, 1},       // the short form
		{[4]int{40, 40, 40, 40}, 4, 5, 50, 10, 5},  // the long form: pets of ten players of each door, and of the ten that ride them
		{[4]int{9, 3, 3, 6}, 1, 3, 21, 2, 1},       // --broken
		{[4]int{300, 60, 60, 36}, 4, 5, 49, 10, 5}, // many players
	} {
		test := &test{options: options{clients: c.clients, petEvery: c.petEvery}}
		for i := range c.clients[0] {
			test.players = append(test.players, &rccePlayer{common: common{name: fmt.Sprint("Rc", i)}})
		}
		for range c.clients[1] {
			test.players = append(test.players, &rsPlayer{})
		}
		for range c.clients[2] {
			test.players = append(test.players, &bedrockPlayer{})
		}
		for range c.clients[3] {
			test.players = append(test.players, &webPlayer{})
		}
		test.setCompany()
		size, pets, riders := map[int]int{}, 0, map[string]int{}
		for _, p := range test.players {
			b := p.base()
			if b.pet {
				pets++
			}
			r, isRcce := p.(*rccePlayer)
			if isRcce {
				if riders[r.animal.kind]++; r.animal.kind == pony && !b.pet {
					t.Errorf("%v: %s rides a pony and has none", c.clients, b.name)
				}
			}
			if b.group >= 0 {
				if size[b.group] == 0 && !isRcce {
					t.Errorf("%v: the first player of group %d uses the door %s", c.clients, b.group, p.door())
				}
				size[b.group]++
			}
		}
		for g, n := range size {
			if n > 7 {
				t.Errorf("%v: group %d has %d players, more than a party shows", c.clients, g, n)
			}
		}
		if len(size) != c.groups || pets != c.pets || riders[pony] != c.ponies || riders[horse] != c.horses {
			t.Errorf("%v: %d groups, %d pets, %d riders of ponies and %d of horses, want %d, %d, %d and %d", c.clients, len(size), pets, riders[pony], riders[horse], c.groups, c.pets, c.ponies, c.horses)
		}
	}
}

func TestCommandsAreSentInOrderAndOnce(t *testing.T) {
	var q queue
	q.add("/invite Ann")
	q.add("/invite Bob")
	for _, want := range []string{"/invite Ann", "/invite Bob", ""} {
		if text, ok := q.next(); text != want || ok != (want != "") {
			t.Errorf("next command is %q, %v, want %q", text, ok, want)
		}
	}
}

func TestOnlyUnconfirmedActionsAreRepeated(t *testing.T) {
	for _, c := range []struct {
		status int
		text   string
		want   bool
	}{
		{http.StatusConflict, "the player's area did not confirm the action in time: check whether it was done before you retry", true},
		{http.StatusConflict, "operators have created 64 NPCs in this area, which is the maximum: remove some first", false},
		{http.StatusConflict, "the server is stopping", false},
		{http.StatusInternalServerError, "the player's area did not confirm the action in time", false},
		{http.StatusOK, "", false},
	} {
		console := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			fmt.Fprintf(w, `{"error":{"code":"conflict","message":%q}}`, c.text)
		}))
		err := (&process.Server{Console: console.URL}).Call(t.Context(), http.MethodPost, "npcs", nil, nil)
		if got := isUnconfirmed(err); got != c.want {
			t.Errorf("answer with status %d, %q: repeated is %v, want %v", c.status, c.text, got, c.want)
		}
		console.Close()
	}
}
