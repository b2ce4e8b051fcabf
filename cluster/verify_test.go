package cluster

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// depart returns the copies of areas 0 and 1, each on the only node of a cluster, and the player that has left area 0 for area 1. The
// message about its arrival is lost.
func depart(t *testing.T) (from, to *group, came arrival) {
	to = lone(t, new(disk), 1)
	from, came = to.depart(t)
	return from, to, came
}

// depart returns the copy of area 0, and the arrival of a player that has left area 0 for this area. The message with the arrival is lost.
func (to *group) depart(t *testing.T) (from *group, came arrival) {
	from = to.host.groups[0]
	who := sim.PlayerID(1, 2)
	from.submit(t, sim.Intent{Kind: sim.IntentJoin, Who: who, Join: &sim.Join{
		Character: &sim.Character{ID: 7, Name: "Ann", Template: 2, Level: 1, Attr: from.host.opt.World.Template(2).Attr}, Portal: -1, Pos: geom.Vec{X: 20}, Login: true,
	}})
	to.step(t)
	for i := 0; i < 5 && from.step(t).Find(who) == nil; i++ {
	}
	from.submit(t, sim.Intent{Kind: sim.IntentTeleport, Who: who, To: 1, Join: &sim.Join{Portal: -1}, Serial: 1})
	for i := 0; i < 5 && came.join.Join == nil; i++ {
		from.step(t)
		from.state.Outbox(func(_ sim.AreaID, who sim.EntityID, j *sim.Join) { came = from.arrivalFor(who, j) })
	}
	if came.join.Join == nil {
		t.Fatal("the player has not left")
	}
	for len(to.inbound) > 0 {
		<-to.inbound
	}
	return from, came
}

// arrive delivers the message that the player of arrival a comes from another area.
func (g *group) arrive(a arrival) {
	b := appendArrival(nil, g.area, &a)
	_, rest, _ := splitArea(b, len(g.host.groups))
	g.receive(inbound{1, kindArrive, rest})
}

// confirm delivers a settlement: the message that the players up to number seq have arrived in area to.
func (g *group) confirm(to sim.AreaID, seq uint64) {
	b := appendIntent(nil, g.area, sim.Intent{Kind: sim.IntentSettle, To: to, Seq: seq})
	_, rest, _ := splitArea(b, len(g.host.groups))
	g.receive(inbound{1, kindSettle, rest})
}

func TestArrivalThatDiffersFromReceiversCopyOfSourceAreaIsRefused(t *testing.T) {
	for name, change := range map[string]func(in *sim.Intent){
		"other player":    func(in *sim.Intent) { in.Who++ },
		"more experience": func(in *sim.Intent) { c := *in.Join.Character; c.XP++; in.Join.Character = &c },
		"other place":     func(in *sim.Intent) { in.Join.Pos.X++ },
		"no such area":    func(in *sim.Intent) { in.Join.From = 9 },
		"the same area":   func(in *sim.Intent) { in.Join.From = 1 },
	} {
		synctest.Test(t, func(t *testing.T) {
			from, to, came := depart(t)
			forged := came
			join := *came.join.Join
			forged.join.Join = &join
			change(&forged.join)
			to.arrive(forged)
			if n := to.host.metrics.Refused.Load(); n != 1 {
				t.Errorf("%s: %d messages are refused, want 1", name, n)
			}
			for range 3 {
				to.step(t)
			}
			if n := to.state.Arrived(0); n != 0 {
				t.Errorf("%s: %d players have arrived", name, n)
			}
			to.arrive(came)
			f := to.step(t)
			for i := 0; i < 3 && f.Find(came.join.Who) == nil; i++ {
				f = to.step(t)
			}
			if f.Find(came.join.Who) == nil || to.host.metrics.Refused.Load() != 1 || from.crossed.underWay() != 1 {
				t.Errorf("%s: the player who has left does not arrive", name)
			}
		})
	}
}

func TestSettlementBeforeArrivalRemovesNoPlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from, to, came := depart(t)
		from.confirm(1, 1)
		for range 3 {
			from.step(t)
		}
		if from.crossed.underWay() != 1 {
			t.Fatal("the player is removed before it has arrived")
		}
		to.arrive(came)
		for range 3 {
			to.step(t)
		}
		for range 3 {
			from.step(t)
		}
		if to.state.Arrived(0) != 1 || from.crossed.underWay() != 0 {
			t.Errorf("%d players have arrived, %d are under way", to.state.Arrived(0), from.crossed.underWay())
		}
		from.confirm(9, 1)
		from.confirm(0, 1)
		if n := to.host.metrics.Refused.Load(); n != 2 {
			t.Errorf("%d settlements of areas that do not exist are refused, want 2", n)
		}
	})
}

// A settlement that is sent again, by a node that is hostile or because messages were late, takes no room in batches.
func TestRepeatedSettlementIsQueuedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from, to, came := depart(t)
		to.arrive(came)
		for range 3 {
			to.step(t)
		}
		for range 100 {
			from.confirm(1, 1)
		}
		if n := len(from.lead.settled); n != 1 {
			t.Errorf("%d settlements wait for the next batch, want 1", n)
		}
		for range 3 {
			from.step(t)
		}
		if from.crossed.underWay() != 0 {
			t.Fatal("the player is still under way")
		}
		from.confirm(1, 1)
		if n := len(from.lead.settled); n != 0 {
			t.Errorf("%d settlements of players who are confirmed wait for the next batch, want none", n)
		}
	})
}

// The sender's copy of the area that the player has left is ahead of that of the receiver.
func TestArrivalWaitsUntilReceiversCopyOfSourceAreaHasDeparture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, to, came := depart(t)
		c := &to.host.groups[0].crossed
		waiting, last := c.waiting, c.last
		c.waiting, c.last = nil, nil
		to.arrive(came)
		to.step(t)
		if to.state.Arrived(0) != 0 {
			t.Fatal("a player has arrived that has left no area, by the copy of this node")
		}
		c.waiting, c.last = waiting, last
		for range 2 {
			to.step(t)
		}
		if to.state.Arrived(0) != 1 {
			t.Error("the player does not arrive when the copy has caught up")
		}
		if n := to.host.metrics.Refused.Load(); n != 0 {
			t.Errorf("%d messages are refused", n)
		}
	})
}

// Node 3 leads neither area 0 nor area 1, and can send any message.
func TestForgedCrossingsOfAuthenticatedNodeAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		h := c.nodes[1].current()
		for i := range 2 * maxUnchecked {
			a := arrival{join: sim.Intent{Kind: sim.IntentJoin, Who: sim.PlayerID(3, 1000), Join: &sim.Join{
				Character: &sim.Character{ID: 9, Name: "Eve", Template: 2, Level: 1, Attr: c.def.Template(2).Attr}, Portal: -1, From: 1, Seq: uint64(i + 1),
			}}}
			h.Receive(3, kindArrive, appendArrival(nil, 0, &a))
			h.Receive(3, kindSettle, appendIntent(nil, 0, sim.Intent{Kind: sim.IntentSettle, To: 1, Seq: uint64(i + 1)}))
			if i%maxReceived == 0 {
				time.Sleep(time.Millisecond)
			}
		}
		p := c.nodes[2].enter(1, 1) // meanwhile a player of node 2 enters the area
		time.Sleep(200 * time.Millisecond)
		_ = c.nodes[2].current().Submit(1, sim.Intent{Kind: sim.IntentTeleport, Who: p.who, AtMS: h.NowMS(), To: 0, Join: &sim.Join{Portal: -1}, Serial: 1})
		time.Sleep(150 * time.Millisecond)
		if at, ok := c.nodes[1].area(p.who); !ok || at != 0 {
			t.Errorf("the player is in area %d (%t), want area 0", at, ok)
		}
		time.Sleep(2 * resendEvery)
		h.groups[0].request(nil, func() {
			g := h.groups[0]
			if n := g.state.Arrived(1); n != 1 || len(g.lead.ahead) > 0 {
				t.Errorf("%d players have arrived, want 1; %d messages wait", n, len(g.lead.ahead))
			}
		})
		if n := h.metrics.Refused.Load(); n < maxUnchecked || n > 4*maxUnchecked {
			t.Errorf("%d messages are refused", n)
		}
	})
}

// All nodes learn of a commit at once, so the next leader checks an arrival with a copy in which the player has left.
func TestPlayerArrivesAtLeaderOnOtherNodeWithItsNextTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		p := c.nodes[1].enter(1, 0)
		time.Sleep(200 * time.Millisecond)
		at := sim.AreaID(0)
		for n := range 12 {
			to := (at + 1) % 3
			h := c.nodes[at+1].current()
			err := c.nodes[1].current().Submit(at, sim.Intent{Kind: sim.IntentTeleport, Who: p.who, AtMS: h.NowMS(), To: to, Join: &sim.Join{Portal: -1}, Serial: uint32(n + 1)})
			if err != nil {
				t.Fatal(err)
			}
			await := func(name string, done func() bool) time.Time {
				for range 500 {
					if done() {
						return time.Now()
					}
					time.Sleep(time.Millisecond)
				}
				t.Fatal(name)
				return time.Time{}
			}
			left := await("the player does not leave", func() bool { _, in := c.nodes[at+1].area(p.who); return !in })
			seen := await("the other leader does not see that", func() bool { now, in := c.nodes[to+1].area(p.who); return !in || now == to })
			if past := seen.Sub(left); past > 2*time.Millisecond {
				t.Errorf("from area %d to %d: the leader there learns of the departure after %v", at, to, past)
			}
			came := await("the player does not arrive", func() bool { now, in := c.nodes[to+1].area(p.who); return in && now == to })
			if past := came.Sub(left); past > h.period+5*time.Millisecond {
				t.Errorf("from area %d to %d: %v from the departure to the arrival, want at most a tick", at, to, past)
			}
			at = to
			time.Sleep(time.Duration(100+n*7) * time.Millisecond)
		}
	})
}

func TestLimitOfDeferredMessagesOfOneNodeDoesNotAffectOtherNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lead
		for range 2 * maxUnchecked {
			l.hold(unchecked{node: 3})
		}
		l.hold(unchecked{node: 2})
		if n, last := len(l.ahead), l.ahead[len(l.ahead)-1]; n != maxUnchecked+1 || last.node != 2 {
			t.Errorf("%d messages wait, the last one of node %d", n, last.node)
		}
		if l.ahead[0].until != time.Now().Add(resendEvery) {
			t.Error("a message waits longer than until it is sent again")
		}
	})
}

// As in group.handle, a panic counts as a refused message, but for a message of this node itself it is an error of the program.
func TestPanicInDeferredMessageCheckCountsAsRefusedMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, _, came := depart(t)
		check := func(from uint64, m unchecked) (refused uint64, panicked bool, waiting int) {
			h := &Host{noted: map[string]time.Time{}, log: slog.New(slog.DiscardHandler)}
			h.opt.Self, h.opt.World = 1, fields(2)
			h.groups = []*group{{host: h}, {host: h, area: 1}} // without replicas, so that accepting a player or a settlement panics
			other, g := h.groups[0], h.groups[1]
			other.crossed.waiting, other.crossed.last = map[sim.AreaID][]outgoing{1: {{arrival: came}}}, map[sim.AreaID]uint64{1: 1}
			other.crossed.arrived = map[sim.AreaID]uint64{1: 1}
			m.node = from
			g.lead.hold(m)
			g.lead.hold(m)
			defer func() { refused, panicked, waiting = h.metrics.Refused.Load(), recover() != nil, len(g.lead.ahead) }()
			g.checkHeld(time.Now())
			return 0, false, 0
		}
		for name, m := range map[string]unchecked{
			"arrival":    {a: came},
			"settlement": {in: sim.Intent{Kind: sim.IntentSettle, To: 0, Seq: 1}},
		} {
			if refused, panicked, waiting := check(3, m); refused != 2 || panicked || waiting != 0 {
				t.Errorf("%s of another node: %d are refused, panicked: %t, %d wait; want 2 refused messages", name, refused, panicked, waiting)
			}
			if _, panicked, _ := check(1, m); !panicked {
				t.Errorf("%s of this node: no panic", name)
			}
		}
	})
}
