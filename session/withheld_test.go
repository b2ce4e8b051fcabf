package session

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

func TestOnWithheldIsCalledOnlyForWithheldChatAndGivesReason(t *testing.T) {
	var got []WithheldChat
	withServer(t, Options{AreaChat: 2, OnWithheld: func(w WithheldChat) { got = append(got, w) }}, func(r *testServer) {
		s := r.enters(r.player("Ada"))
		ticks(2)
		say := func(text string) error { return s.Submit(sim.Intent{Kind: sim.IntentChat, Text: text}) }
		r.must(say("hello"))
		if len(got) != 0 {
			t.Fatalf("a line that is shown is reported: %+v", got)
		}
		var reasons []WithheldReason
		for range 20 {
			if err := say("flood"); err != nil && !errors.Is(err, ErrBudget) {
				t.Fatal(err)
			}
		}
		for _, w := range got {
			reasons = append(reasons, w.Reason)
		}
		// A single speaker may use half of the area's budget at once, which is 3 lines here. The player's own limit is 8 lines at once.
		if !slices.Contains(reasons, WithheldAreaLimit) || reasons[len(reasons)-1] != WithheldRateLimit {
			t.Errorf("reasons %v", reasons)
		}
		want := WithheldChat{s.Entity, "Ada", s.Character.Name, s.Login.Door, s.Area(), "flood", WithheldRateLimit}
		if last := got[len(got)-1]; last != want {
			t.Errorf("reported %+v, want %+v", last, want)
		}
		time.Sleep(10 * time.Second)
		r.mustRestrict(store.AccessRule{Kind: store.AccessMute, Account: "ada"})
		got = nil
		r.must(say("to nobody"))
		if len(got) != 1 || got[0].Reason != WithheldMuted || got[0].Text != "to nobody" {
			t.Errorf("the line of the muted player is reported as %+v", got)
		}
		got = nil
		for range 100 {
			_ = s.Submit(sim.Intent{Kind: sim.IntentJump})
		}
		if len(got) != 0 {
			t.Errorf("other intents are reported: %+v", got)
		}
	})
}

func TestPlayerIsToldWhyLineIsWithheldAtMostOncePerThreeSeconds(t *testing.T) {
	withServer(t, Options{AreaChat: 2}, func(r *testServer) {
		w := r.watch()
		ada := r.enters(r.player("Ada"))
		w.ticks(2)
		flood := func(lines int) []string {
			before := len(w.told(ada.Entity))
			for range lines {
				_ = ada.Submit(sim.Intent{Kind: sim.IntentChat, Text: "flood"})
			}
			w.ticks(2)
			return w.told(ada.Entity)[before:]
		}
		if got, want := flood(20), withheldNotices[WithheldAreaLimit]; len(got) != 1 || got[0] != want { // the first reason of the flood
			t.Errorf("notices %q, want one: %q", got, want)
		}
		time.Sleep(time.Second)
		if got := flood(20); len(got) != 0 {
			t.Errorf("notices %q after a second, want none", got)
		}
		time.Sleep(noticeMS * time.Millisecond)
		if got := flood(20); len(got) != 1 {
			t.Errorf("notices %q after %d ms, want one", got, noticeMS)
		}
	})
}

func TestNoticesDoNotPileUpWhileAreaTakesNone(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		w := r.watch()
		ada := r.enters(r.player("Ada"))
		w.ticks(2)
		r.setPlace(ada, 1, false) // on its way, so that orders wait
		for range 60 {
			for range 10 {
				_ = ada.Submit(sim.Intent{Kind: sim.IntentChat, Text: "flood"})
			}
			time.Sleep(time.Second)
		}
		r.mu.Lock()
		waiting := len(r.presences[ada.Entity].orders)
		r.mu.Unlock()
		if waiting != 1 {
			t.Errorf("%d notices wait after a minute, want 1", waiting)
		}
	})
}

// The answer to a notice is lost with a frame that the hub misses, or with a tick that panics.
func TestNoticesGoOnAfterLostAnswer(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		w := n.watch()
		ada := n.enters(n.player("Ada"))
		w.ticks(2)
		flood := func() int {
			before := len(w.told(ada.Entity))
			for range 20 {
				_ = ada.Submit(sim.Intent{Kind: sim.IntentChat, Text: "flood"})
			}
			w.ticks(5)
			return len(w.told(ada.Entity)) - before
		}
		n.answers(nil, 0, sim.IntentMessage)
		if got := flood(); got != 0 {
			t.Fatalf("%d notices, but they are lost", got)
		}
		n.answers(nil, 0)
		time.Sleep(noticeWait - 10*time.Second)
		if got := flood(); got != 0 {
			t.Errorf("%d notices while the first may still be answered, want none", got)
		}
		time.Sleep(10 * time.Second)
		if got := flood(); got != 1 {
			t.Errorf("%d notices after %v, want 1", got, noticeWait)
		}
	})
}

func TestMutedPlayerIsToldThatItIsMutedAlsoInCrowdedArea(t *testing.T) {
	withServer(t, Options{AreaChat: 1}, func(r *testServer) {
		w := r.watch()
		ada, bob := r.enters(r.player("Ada")), r.enters(r.player("Bob"))
		w.ticks(2)
		for range 20 {
			_ = bob.Submit(sim.Intent{Kind: sim.IntentChat, Text: "flood"})
		}
		r.mustRestrict(store.AccessRule{Kind: store.AccessMute, Account: "ada"})
		w.ticks(2)
		before := len(w.told(ada.Entity))
		for range 3 {
			r.mustBe(ada.Submit(sim.Intent{Kind: sim.IntentChat, Text: "hello"}), ErrBudget)
		}
		w.ticks(2)
		if got := w.told(ada.Entity)[before:]; len(got) != 1 || !strings.Contains(got[0], "You are muted") {
			t.Errorf("Ada is told %q", got)
		}
	})
}

// Commands, requests about parties and chat of a player on its way to another area wait for its arrival.
func TestPlayerIsToldThatRequestIsWithheldOnceItArrives(t *testing.T) {
	request := sim.Intent{Kind: sim.IntentCommand, SlotA: sim.CommandLine, Text: "/x"}
	for name, withhold := range map[string]func(r *testServer, s *Session){
		"too many wait": func(r *testServer, s *Session) {
			for range maxUndelivered {
				r.must(s.Submit(request))
			}
			r.mustBe(s.Submit(request), area.ErrFull)
		},
		"refused, and too many wait": func(r *testServer, s *Session) {
			for range maxUndelivered + 1 {
				r.must(r.world.Submit(1, sim.Intent{Kind: sim.IntentAcceptInvite, Who: s.Entity}))
			}
		},
		"not arrived in time": func(r *testServer, s *Session) {
			r.must(s.Submit(sim.Intent{Kind: sim.IntentInviteParty, Text: "Bob"}))
			time.Sleep(maxUnderWay + 2*time.Second)
		},
		"refused where the player is": func(r *testServer, s *Session) {
			r.setPlace(s, 1, true)
			r.must(r.world.Submit(1, sim.Intent{Kind: sim.IntentLeaveParty, Who: s.Entity}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			chat := 0
			withServer(t, Options{OnWithheld: func(WithheldChat) { chat++ }}, func(r *testServer) {
				w := r.watch()
				s := r.enters(r.player("Ada"))
				w.ticks(2)
				r.setPlace(s, 1, false)
				withhold(r, s)
				w.ticks(3)
				if got := w.told(s.Entity); len(got) != 0 {
					t.Errorf("told %q before the arrival", got)
				}
				r.trackArea(s.Entity, 0, 0, true)
				w.ticks(3)
				if got := w.told(s.Entity); !slices.Equal(got, []string{requestNotice}) || chat != 0 {
					t.Errorf("told %q, want one notice; %d lines of chat are reported as withheld, want none", got, chat)
				}
			})
		})
	}
}
