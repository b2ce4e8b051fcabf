package session

import (
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// said reads the queued frames of a feed and returns the lines that a player has said in each area.
func (r *testServer) said(feed *area.Feed, who sim.EntityID) map[sim.AreaID][]string {
	in := map[sim.AreaID][]string{}
	for {
		select {
		case p := <-feed.C():
			for _, e := range p.Frame.Events {
				if e.Kind == sim.EventChat && e.Who == who {
					in[p.Frame.Area] = append(in[p.Frame.Area], e.Text)
				}
			}
			p.Release()
		default:
			return in
		}
	}
}

func TestLinesSaidWhilePlayerChangesAreasAreSaidInNextArea(t *testing.T) {
	for name, to := range map[string]sim.AreaID{"to the area that it has left": 0, "to the area in which it has not arrived": 1} {
		t.Run(name, func(t *testing.T) {
			var withheld []WithheldChat
			withServer(t, Options{OnWithheld: func(w WithheldChat) { withheld = append(withheld, w) }}, func(r *testServer) {
				feed := r.world.Subscribe("test", 1024, area.All)
				s := r.enters(r.player("Ada"))
				ticks(2)
				if to == 0 {
					r.sends(s, 1) // the teleport is executed first
				}
				if to == 1 { // the hub and the door have read that the player has left
					r.setPlace(s, 1, false)
				}
				s.SetArea(to)
				for _, text := range []string{"one", "two", "three"} {
					r.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: text}))
				}
				if to == 1 {
					ticks(2)
					r.must(r.world.Submit(0, sim.Intent{Kind: sim.IntentTeleport, Who: s.Entity, To: 1, Join: &sim.Join{Portal: -1, Pos: geom.Vec{X: 50}}}))
				}
				ticks(5)
				if in := r.said(feed, s.Entity); len(in[0]) != 0 || !slices.Equal(in[1], []string{"one", "two", "three"}) {
					t.Errorf("said %v, want all lines in area 1, once and in order", in)
				}
				if len(withheld) != 0 {
					t.Errorf("withheld are %v", withheld)
				}
			})
		})
	}
}

// The area refuses the first line, because the player has left with the same tick. Meanwhile the hub keeps the others.
func TestLinesSaidBeforeAndAfterDepartureStayInOrder(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		feed := r.world.Subscribe("test", 1024, area.All)
		s := r.enters(r.player("Ada"))
		ticks(2)
		r.sends(s, 1)
		r.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "one"}))
		r.setPlace(s, 1, false) // what the hub will read from the frame of the next tick
		r.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "two"}))
		r.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "three"}))
		ticks(5)
		if in := r.said(feed, s.Entity); len(in[0]) != 0 || !slices.Equal(in[1], []string{"one", "two", "three"}) {
			t.Errorf("said %v, want all lines in area 1, once and in order", in)
		}
	})
}

// lostTexts submits lines of chat to an area in which the player is not.
func (r *testServer) lostTexts(s *Session, n int) {
	r.t.Helper()
	for range n {
		r.must(r.world.Submit(1, sim.Intent{Kind: sim.IntentChat, Who: s.Entity, Text: "lost"}))
	}
	ticks(4)
}

func TestLinesOfPlayerThatLeavesBeforeItsArrivalAreWithheld(t *testing.T) {
	for name, end := range map[string]func(s *Session){"logout": (*Session).Leave, "lost connection": (*Session).Disconnect} {
		t.Run(name, func(t *testing.T) {
			var withheld []WithheldChat
			withServer(t, Options{OnWithheld: func(w WithheldChat) { withheld = append(withheld, w) }}, func(r *testServer) {
				s := r.enters(r.player("Ada"))
				ticks(2)
				r.setPlace(s, 1, false)
				r.lostTexts(s, 2)
				if len(withheld) != 0 {
					t.Errorf("withheld before the end are %v", withheld)
				}
				r.setPlace(s, 0, true)
				end(s)
				r.lostTexts(s, 1)
				if len(withheld) != 3 || withheld[0].Text != "lost" || withheld[0].Reason != WithheldBusy || withheld[0].Account != "Ada" {
					t.Errorf("withheld are %v, want three lines", withheld)
				}
			})
		})
	}
}

func TestNumberOfTextsThatWaitForArrivalIsLimited(t *testing.T) {
	withheld := 0
	withServer(t, Options{OnWithheld: func(WithheldChat) { withheld++ }}, func(r *testServer) {
		feed := r.world.Subscribe("test", 1024, area.All)
		s := r.enters(r.player("Ada"))
		ticks(2)
		r.setPlace(s, 1, false)
		r.lostTexts(s, maxUndelivered+3)
		r.setPlace(s, 0, true)
		r.walk(s, 51) // executed in the same tick
		r.resubmitUndelivered(s.presence)
		ticks(2)
		if n := len(r.said(feed, s.Entity)[0]); n != maxUndelivered || withheld != 3 {
			t.Errorf("%d lines are said and %d withheld, want %d and 3", n, withheld, maxUndelivered)
		}
	})
}

func TestTextIsRefusedWhileTooManyWait(t *testing.T) {
	withheld := 0
	withServer(t, Options{OnWithheld: func(WithheldChat) { withheld++ }}, func(r *testServer) {
		s := r.enters(r.player("Ada"))
		ticks(2)
		r.setPlace(s, 1, false)
		for range maxUndelivered {
			r.must(s.Submit(sim.Intent{Kind: sim.IntentCommand, SlotA: sim.CommandLine, Text: "/x"}))
		}
		r.mustBe(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "more"}), area.ErrFull)
		if withheld != 1 {
			t.Errorf("%d lines are withheld, want the last one", withheld)
		}
	})
}

func TestTextsThatWaitTooLongForArrivalAreWithheld(t *testing.T) {
	withheld := make(chan string, 2)
	withServer(t, Options{OnWithheld: func(w WithheldChat) { withheld <- w.Text }}, func(r *testServer) {
		feed := r.world.Subscribe("test", 1024, area.All)
		s := r.enters(r.player("Ada"))
		ticks(2)
		r.setPlace(s, 1, false)
		r.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "old"}))
		time.Sleep(maxUnderWay - time.Second)
		if len(withheld) != 0 {
			t.Errorf("%d lines are withheld after 29 s, want none", len(withheld))
		}
		time.Sleep(2*time.Second + 1)
		r.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "new"})) // to the area that the door shows
		ticks(2)
		r.trackArea(s.Entity, 0, 0, true)
		ticks(2)
		if in := r.said(feed, s.Entity); len(withheld) != 1 || <-withheld != "old" || !slices.Equal(in[0], []string{"new"}) || len(in) != 1 {
			t.Errorf("said %v, and %d lines more are withheld; want old withheld and new said in area 0", in, len(withheld))
		}
	})
}

// The player leaves for the next area before the hub reads its arrival in the last one.
func TestTextThatWaitsForSeveralArrivalsIsWithheld(t *testing.T) {
	var withheld []string
	withServer(t, Options{OnWithheld: func(w WithheldChat) { withheld = append(withheld, w.Text) }}, func(r *testServer) {
		feed := r.world.Subscribe("test", 1024, area.All)
		s := r.enters(r.player("Ada"))
		ticks(2)
		r.setPlace(s, 1, false)
		r.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "old"}))
		time.Sleep(maxUnderWay - 10*time.Second)
		r.setPlace(s, 1, false)
		r.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "new"}))
		time.Sleep(11 * time.Second)
		r.trackArea(s.Entity, 0, 0, true)
		ticks(2)
		if in := r.said(feed, s.Entity); !slices.Equal(in[0], []string{"new"}) || !slices.Equal(withheld, []string{"old"}) {
			t.Errorf("said %v, withheld %v; want new said in area 0 and old withheld", in, withheld)
		}
	})
}

func TestTextRefusedByAreaInWhichHubHasPlayerIsWithheld(t *testing.T) {
	withheld := 0
	withServer(t, Options{OnWithheld: func(WithheldChat) { withheld++ }}, func(r *testServer) {
		s := r.enters(r.player("Ada"))
		ticks(2)
		r.setPlace(s, 1, true)
		r.lostTexts(s, 1)
		if withheld != 1 {
			t.Errorf("%d lines are withheld, want 1", withheld)
		}
		r.setPlace(s, 0, true)
	})
}

// A restored player or one of a failed node may be between two areas.
func TestTextsOfAdoptedPlayerWaitForItsArrival(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		v := newLingering(area.RestoredPlayer{Entity: 99, Area: 1}, 1)
		s := &Session{Entity: v.entity, presence: v}
		v.session, v.disconnected = s, false
		r.mu.Lock()
		r.presences[v.entity] = v
		r.mu.Unlock()
		_, kept, err := r.routeText(s, &sim.Intent{Kind: sim.IntentAcceptInvite}, 1)
		if !kept || err != nil {
			t.Errorf("kept %v, %v; want kept", kept, err)
		}
	})
}

// setPlace sets where the hub believes that a player is.
func (r *testServer) setPlace(s *Session, in sim.AreaID, arrived bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.presence.area, s.presence.arrived = in, arrived
	if !arrived {
		s.presence.unsettledAt = time.Now()
	}
}

func TestInvitationAcceptedWhilePlayerChangesAreasIsAccepted(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		feed := r.world.Subscribe("test", 1024, area.All)
		ada, bob := r.enters(r.player("Ada")), r.enters(r.player("Bob"))
		ticks(2)
		r.must(ada.Submit(sim.Intent{Kind: sim.IntentInviteParty, Text: "Bob"}))
		ticks(2)
		r.sends(bob, 1)
		r.must(bob.Submit(sim.Intent{Kind: sim.IntentAcceptInvite}))
		ticks(5)
		var party []sim.PartyID
		for {
			select {
			case p := <-feed.C():
				if b := p.Frame.Find(bob.Entity); b != nil && p.Frame.Area == 1 {
					party = append(party, b.Party)
				}
				p.Release()
				continue
			default:
			}
			break
		}
		if len(party) == 0 || party[len(party)-1] == 0 {
			t.Errorf("the parties of Bob in the next area are %v", party)
		}
	})
}
