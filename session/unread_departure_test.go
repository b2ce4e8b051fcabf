package session

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// withUnreadDeparture runs fn with a player that is in area 1. The hub of its node has read nothing about it since it was in area 0.
func withUnreadDeparture(t *testing.T, fn func(n *testNode, s *Session, feed *area.Feed)) {
	t.Helper()
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		s := n.enters(n.player("Ada"))
		ticks(2)
		n.sends(s, 1)
		ticks(5)
		time.Sleep(maxUnderWay)
		n.setPlace(s, 0, true)
		fn(n, s, n.world.Subscribe("test", 1024, area.All))
	})
}

func departed(s *Session) sim.Event { return sim.Event{Kind: sim.EventDeparted, Who: s.Entity, To: 1} }

// The doors of the node show the client area 1 once they have read the departure, and would lose what happens to the player there before.
func TestTextsAndOrdersWaitUntilDepartureReadAfterArrival(t *testing.T) {
	for name, read := range map[string]func(n *testNode, s *Session){
		"departure": func(n *testNode, s *Session) {
			n.handleFrame(&sim.Frame{Area: 0, Events: []sim.Event{departed(s)}}, 0)
		},
		"gap":     func(n *testNode, _ *Session) { n.handleFrame(&sim.Frame{Area: 0}, 1) },
		"nothing": func(*testNode, *Session) { time.Sleep(departureWait) },
	} {
		t.Run(name, func(t *testing.T) {
			withUnreadDeparture(t, func(n *testNode, s *Session, feed *area.Feed) {
				n.answers(nil, 1000) // the node cannot find out where the player is before it has read the late frames
				n.trackArea(s.Entity, 1, 1, true)
				n.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "one"}))
				time.Sleep(departureWait - 2*time.Second) // the operator's order does not wait for longer than orderTimeout
				given := make(chan error, 1)
				go func() { given <- n.Give(s.Entity, 1, 1) }()
				ticks(20)
				if in := n.said(feed, s.Entity); len(in) != 0 || len(given) != 0 {
					t.Errorf("before: said %v, %d orders answered; want none", in, len(given))
				}
				read(n, s)
				ticks(4) // before the writer's next round, see endWaits
				if name == "nothing" {
					ticks(20)
				}
				if in := n.said(feed, s.Entity); !slices.Equal(in[1], []string{"one"}) || len(given) != 1 {
					t.Errorf("after: said %v, %d orders answered; want the line in area 1, and 1", in, len(given))
				}
			})
		})
	}
}

// Nothing of a teleport is lost if the doors show the client the area only later.
func TestTeleportDoesNotWaitForUnreadDeparture(t *testing.T) {
	withUnreadDeparture(t, func(n *testNode, s *Session, _ *area.Feed) {
		n.answers(nil, 1000)
		n.trackArea(s.Entity, 1, 1, true)
		n.must(n.Teleport(s.Entity, 0, geom.Vec{X: 3}, 0))
		ticks(3)
		n.c.mu.Lock()
		defer n.c.mu.Unlock()
		if in := n.c.in[s.Entity]; in != 0 {
			t.Errorf("the player is in area %d, want 0", in)
		}
	})
}

func TestMessageIsSentAlthoughDepartureIsNeverRead(t *testing.T) {
	withUnreadDeparture(t, func(n *testNode, s *Session, feed *area.Feed) {
		n.answers(nil, 1000)
		n.trackArea(s.Entity, 1, 1, true)
		n.must(n.tell(s.Entity, "[Operator] hello", sim.ToneAnnouncement))
		time.Sleep(departureWait + 2*time.Second)
		if in := n.told(feed, s.Entity, "hello"); !slices.Equal(in, []sim.AreaID{1}) {
			t.Errorf("message sent in the areas %v, want area 1", in)
		}
	})
}

// The frame with the departure also says that the area has refused an earlier line.
func TestLineRefusedInFrameOfUnreadDepartureIsSaidBeforeLaterLines(t *testing.T) {
	withUnreadDeparture(t, func(n *testNode, s *Session, feed *area.Feed) {
		n.trackArea(s.Entity, 1, 1, true)
		n.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "two"}))
		ticks(2)
		refused := sim.Event{Kind: sim.EventRefused, Who: s.Entity, N: int32(sim.IntentChat), Text: "one", Reason: reason.Unknown}
		n.handleFrame(&sim.Frame{Area: 0, Events: []sim.Event{departed(s), refused}}, 0)
		ticks(5)
		if in := n.said(feed, s.Entity); !slices.Equal(in[1], []string{"one", "two"}) {
			t.Errorf("said %v, want both lines in area 1, in order", in)
		}
	})
}

// If a player goes from area 0 to 2 and on to 1 while the node's copies of areas 0 and 2 are behind, the hub can confuse the order.
func TestHubSearchesConnectedPlayerWhoseArrivalItDoesNotRead(t *testing.T) {
	for name, steps := range map[string][]crossingStep{
		"order confused":      {{"joined", 1, 1}, {"joined", 2, 2}, {"departed", 2, 1}, {"departed", 0, 2}},
		"the last area first": {{"joined", 1, 1}, {"joined", 2, 2}, {"departed", 0, 2}, {"departed", 2, 1}},
		"arrival in gap":      {{"departed", 0, 1}},
		"ignored changes":     {{"joined", 1, 1}, {"joined", 2, 2}, {"departed", 2, 1}, {"departed", 0, 2}, {"departed", 1, 0}, {"joined", 0, 0}, {"departed", 0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			withUnreadDeparture(t, func(n *testNode, s *Session, feed *area.Feed) {
				for _, step := range steps {
					n.trackArea(s.Entity, step.in, step.to, step.kind == "joined")
				}
				n.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "one"}))
				time.Sleep(departureWait + 3*time.Second)
				n.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "two"}))
				ticks(2)
				if in := n.said(feed, s.Entity); !slices.Equal(in[1], []string{"one", "two"}) {
					t.Errorf("said %v, want both lines in area 1", in)
				}
				n.mu.Lock()
				defer n.mu.Unlock()
				if v := s.presence; v.area != 1 || !v.settled() || len(v.early) != 0 {
					t.Errorf("the hub has the player in area %d, settled: %v, with early arrivals %v; want it in area 1", v.area, v.settled(), v.early)
				}
			})
		})
	}
}

// The world answers, and the hub reads a departure, which it ignores, before it acts on the answer.
func TestAnswerFromBeforeIgnoredDepartureHasNoEffect(t *testing.T) {
	withUnreadDeparture(t, func(n *testNode, s *Session, _ *area.Feed) {
		n.trackArea(s.Entity, 2, 2, true)
		n.trackArea(s.Entity, 1, 1, true)
		n.answers(func() (area.RestoredPlayer, bool, error) {
			n.trackArea(s.Entity, 0, 2, false)
			return area.RestoredPlayer{Entity: s.Entity, Area: 0, Arrived: true, Connected: true}, true, nil
		}, 0)
		time.Sleep(searchEvery + 2*time.Second)
		n.mu.Lock()
		if v := s.presence; v.area != 1 || len(v.early) != 1 {
			t.Errorf("the hub has the player in area %d, with early arrivals %v; want it in area 1, and one", v.area, v.early)
		}
		n.mu.Unlock()
		n.answers(nil, 0)
	})
}

// The hub stops waiting for the departure between two rounds of the writer.
func TestLineSaidWhenHubStopsWaitingForDepartureIsSaidAfterEarlierLine(t *testing.T) {
	withUnreadDeparture(t, func(n *testNode, s *Session, feed *area.Feed) {
		n.answers(nil, 1000)
		n.trackArea(s.Entity, 1, 1, true)
		n.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "one"}))
		time.Sleep(departureWait + 1)
		n.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "two"}))
		ticks(3)
		if in := n.said(feed, s.Entity); !slices.Equal(in[1], []string{"one", "two"}) {
			t.Errorf("said %v, want both lines in area 1, in order", in)
		}
	})
}

// Each search costs every area of the cluster an entry in its log.
func TestConnectedPlayerThatIsNowhereIsSearchedEveryFewSeconds(t *testing.T) {
	withUnreadDeparture(t, func(n *testNode, s *Session, _ *area.Feed) {
		var searches atomic.Int64
		n.answers(func() (area.RestoredPlayer, bool, error) {
			searches.Add(1)
			return nowhere()
		}, 0)
		n.setPlace(s, 1, false)
		time.Sleep(departureWait + 10*searchEvery)
		if n := searches.Load(); n < 8 || n > 11 {
			t.Errorf("%d searches in 50 s, want 8 to 11", n)
		}
		n.answers(nil, 0)
	})
}

func TestConnectedPlayerThatHubDoesNotFindStays(t *testing.T) {
	withUnreadDeparture(t, func(n *testNode, s *Session, _ *area.Feed) {
		n.answers(nowhere, 0)
		n.setPlace(s, 1, false)
		time.Sleep(2 * departureWait)
		if s.hasEnded() {
			t.Error("the presence of a player that is in the world has ended")
		}
		n.answers(func() (area.RestoredPlayer, bool, error) { // the node falls behind, so the answer may be out of date
			n.behind = 1000
			return area.RestoredPlayer{Entity: s.Entity, Area: 1, Arrived: true, Connected: true}, true, nil
		}, 0)
		time.Sleep(2 * departureWait)
		n.mu.Lock()
		if s.presence.arrived {
			t.Error("the hub relies on an answer from before frames that it has not read")
		}
		n.mu.Unlock()
		n.answers(nil, 0)
		time.Sleep(departureWait)
		n.mu.Lock()
		defer n.mu.Unlock()
		if !s.presence.settled() {
			t.Error("the hub has not found the player")
		}
	})
}

func TestHubWaitsForArrivalOfEnteringPlayerBeforeItSearches(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		l := n.player("Ada")
		var searches atomic.Int64
		s := n.enters(l)
		n.answers(func() (area.RestoredPlayer, bool, error) {
			searches.Add(1)
			return nowhere()
		}, 0)
		ticks(2)
		n.mu.Lock()
		s.presence.arrived = false // as if the frame with the arrival was missed
		n.mu.Unlock()
		time.Sleep(departureWait - time.Second)
		if n := searches.Load(); n != 0 {
			t.Errorf("%d searches in the first 9 s, want none", n)
		}
		time.Sleep(3 * time.Second)
		if searches.Load() == 0 {
			t.Error("the hub has not searched the player")
		}
	})
}

// The frames of the arrival of the player were read before the hub knew the player, or missed.
func TestTakeoverTellsHubThatPlayerIsInArea(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(2)
		s.Disconnect()
		ticks(2)
		r.setPlace(s, 0, false)
		s = r.enters(l)
		r.mu.Lock()
		defer r.mu.Unlock()
		if !s.Resumed() || !s.presence.settled() {
			t.Errorf("resumed %v, settled %v; want both", s.Resumed(), s.presence.settled())
		}
	})
}

// A node misses the frame in which a player goes from area 0 to 1. It reads the next frame of area 0 before the arrival.
func TestLinesSaidBetweenGapAndArrivalAreSaidInNextArea(t *testing.T) {
	refused := func(s *Session, text string) sim.Event {
		return sim.Event{Kind: sim.EventRefused, Who: s.Entity, N: int32(sim.IntentChat), Text: text, Reason: reason.Unknown}
	}
	withUnreadDeparture(t, func(n *testNode, s *Session, feed *area.Feed) {
		n.handleFrame(&sim.Frame{Area: 0, Events: []sim.Event{refused(s, "one")}}, 1)
		n.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "three"}))
		n.handleFrame(&sim.Frame{Area: 0, Events: []sim.Event{refused(s, "two")}}, 0)
		ticks(20)
		n.trackArea(s.Entity, 1, 1, true)
		ticks(3)
		if in := n.said(feed, s.Entity); len(in[0]) != 0 || !slices.Equal(in[1], []string{"one", "two", "three"}) {
			t.Errorf("said %v, want three lines in area 1, in order", in)
		}
	})
}

func TestLineRefusedInFirstFrameAfterGapIsSaidInNextArea(t *testing.T) {
	for name, arrives := range map[string]func(r *testServer, s *Session){
		"arrival": func(r *testServer, s *Session) { r.trackArea(s.Entity, 1, 1, true) },
		"gap": func(r *testServer, s *Session) {
			r.handleFrame(&sim.Frame{Area: 1, Actors: []sim.ActorState{{ID: s.Entity}}}, 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			withheld := 0
			withServer(t, Options{OnWithheld: func(WithheldChat) { withheld++ }}, func(r *testServer) {
				feed := r.world.Subscribe("test", 1024, area.All)
				s := r.enters(r.player("Ada"))
				ticks(2)
				r.sends(s, 1)
				ticks(5)
				r.setPlace(s, 0, true)
				refused := sim.Event{Kind: sim.EventRefused, Who: s.Entity, N: int32(sim.IntentChat), Text: "one", Reason: reason.Unknown}
				r.handleFrame(&sim.Frame{Area: 0, Events: []sim.Event{refused}}, 1)
				arrives(r, s)
				ticks(3)
				if in := r.said(feed, s.Entity); !slices.Equal(in[1], []string{"one"}) || withheld != 0 {
					t.Errorf("said %v, %d lines withheld; want the line in area 1", in, withheld)
				}
			})
		})
	}
}
