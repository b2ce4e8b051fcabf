package session

import (
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
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
