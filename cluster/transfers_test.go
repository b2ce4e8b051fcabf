package cluster

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// send makes a player go to another area.
func (n *node) send(who sim.EntityID, from, to sim.AreaID) {
	h := n.current()
	if err := h.Submit(from, sim.Intent{Kind: sim.IntentTeleport, Who: who, AtMS: h.NowMS(), To: to, Join: &sim.Join{Portal: -1}, Serial: 1}); err != nil {
		n.c.t.Error(err)
	}
}

// setDeaf drops all messages to a node although its links are up. With node 0, no messages are dropped any more.
func (c *cluster) setDeaf(node uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deaf = node
}

// Player 1 goes from the area that node 2 leads to the area that node 1 leads. Node 1 receives no messages for a while.
func TestStatusOfEveryNodeShowsPlayersInTransferAndAgeOfTransfer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		p := c.nodes[2].enter(1, 1)
		time.Sleep(200 * time.Millisecond)
		c.setDeaf(1)
		c.nodes[2].send(p.who, 1, 0)
		time.Sleep(300 * time.Millisecond)
		for _, n := range c.nodes[2:] {
			s := n.current().Status()
			if len(s.Transfers) != 1 {
				t.Fatalf("node %d: %+v", n.id, s.Transfers)
			}
			got := s.Transfers[0]
			if got.Oldest < 200*time.Millisecond || got.Oldest > 300*time.Millisecond {
				t.Errorf("node %d: the player has left %v ago, want at most 300ms and two ticks less", n.id, got.Oldest)
			}
			if got.Oldest = 0; got != (Transfer{From: 1, To: 0, UnderWay: 1}) {
				t.Errorf("node %d: %+v", n.id, got)
			}
			if a := s.Areas[1]; a.UnderWay != 1 || a.Settled != 0 {
				t.Errorf("node %d: %d players have left area 1, and %d have arrived elsewhere", n.id, a.UnderWay, a.Settled)
			}
		}
		c.setDeaf(0)
		time.Sleep(2 * time.Second)
		for _, n := range c.nodes[1:] {
			s := n.current().Status()
			if a := s.Areas[1]; len(s.Transfers) != 0 || a.UnderWay != 0 || a.Settled != 1 || s.Areas[0].Settled != 0 {
				t.Errorf("node %d after the arrival: %+v, %d have arrived from area 1, %d from area 0", n.id, s.Transfers, a.Settled, s.Areas[0].Settled)
			}
		}
		c.setDeaf(1)
		c.nodes[2].send(c.nodes[2].enterAt(2, 1), 1, 0)
		c.nodes[2].send(c.nodes[2].enterAt(3, 1), 1, 0)
		time.Sleep(200 * time.Millisecond)
		if s := c.nodes[3].current().Status(); len(s.Transfers) != 1 || s.Transfers[0].UnderWay != 2 || s.Transfers[0].Settled != 1 {
			t.Errorf("two more players under way: %+v", s.Transfers)
		}
		c.setDeaf(0)
		time.Sleep(2 * time.Second)
	})
}

// enterAt brings a new player into an area and waits until it is there.
func (n *node) enterAt(c sim.CharacterID, a sim.AreaID) sim.EntityID {
	p := n.enter(c, a)
	time.Sleep(100 * time.Millisecond)
	return p.who
}

// Without the other two nodes, neither area has a leader, so that the player who is between them waits.
func TestMissingLeaderIsShownAsReasonOfTransferDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		p := c.nodes[2].enter(1, 1)
		time.Sleep(200 * time.Millisecond)
		c.setDeaf(1)
		c.nodes[2].send(p.who, 1, 0)
		time.Sleep(150 * time.Millisecond)
		c.nodes[1].kill()
		c.nodes[3].kill()
		time.Sleep(2 * time.Second)
		s := c.nodes[2].current().Status()
		if len(s.Transfers) != 1 || s.Transfers[0].Why != "Field 0 has no leader" || s.Transfers[0].Oldest < 2*time.Second || s.Transfers[0].Oldest > 2200*time.Millisecond {
			t.Fatalf("%+v", s.Transfers)
		}
		c.setDeaf(0)
		c.nodes[1].start()
		c.nodes[3].start()
		time.Sleep(3 * time.Second)
		for _, n := range c.nodes[1:] {
			if s := n.current().Status(); len(s.Transfers) != 0 || s.Areas[1].Settled != 1 {
				t.Errorf("node %d after the return of the others: %+v, %d have arrived", n.id, s.Transfers, s.Areas[1].Settled)
			}
		}
	})
}

// A node that starts again steps the tick of the departure from its log, after the player has been under way for some time.
func TestTransferAgeIsPreservedAcrossNodeRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		p := c.nodes[2].enter(1, 1)
		time.Sleep(200 * time.Millisecond)
		c.setDeaf(1)
		c.nodes[2].send(p.who, 1, 0)
		time.Sleep(300 * time.Millisecond)
		c.nodes[3].kill()
		c.nodes[3].start()
		time.Sleep(100 * time.Millisecond)
		s := c.nodes[3].current().Status()
		if len(s.Transfers) != 1 || s.Transfers[0].Oldest < 300*time.Millisecond || s.Transfers[0].Oldest > 400*time.Millisecond {
			t.Errorf("%+v", s.Transfers)
		}
		c.setDeaf(0)
		time.Sleep(2 * time.Second)
	})
}

// The player has arrived, but the message that confirms it is lost.
func TestTransferWithLostConfirmationIsListedAsArrived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, to, came := depart(t)
		to.arrive(came)
		to.step(t)
		to.step(t)
		time.Sleep(1500 * time.Millisecond)
		list := to.host.Status().Transfers
		if len(list) != 1 || list[0].Arrived != 1 || list[0].UnderWay != 1 || list[0].Why != "" || list[0].Oldest < 1500*time.Millisecond || list[0].Oldest > 1700*time.Millisecond {
			t.Errorf("%+v", list)
		}
	})
}

func TestPanickingTicksAreShownAsReasonOfTransferDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules := new(brittleGame)
		to := loneIn(t, rules.world(), new(disk), 1)
		from, came := to.depart(t)
		rules.bad = came.join.Who
		skipped := 0
		for end := time.Now().Add(1200 * time.Millisecond); time.Now().Before(end); { // tries at once, after 300 ms, and after another 600 ms
			to.arrive(came)
			if to.step(t) == nil {
				skipped++
			}
			if list := to.host.Status().Transfers; skipped > 0 && (len(list) != 1 || list[0].Arrived != 0 || list[0].Why != fmt.Sprintf("the tick with its arrival panics (tries: %d)", skipped)) {
				t.Fatalf("after %d skipped ticks: %+v", skipped, list)
			}
		}
		if skipped != 3 {
			t.Errorf("%d ticks are skipped, want 3", skipped)
		}
		rules.bad = 0
		for range 40 {
			to.arrive(came)
			to.step(t)
			from.step(t)
		}
		if list := to.host.Status().Transfers; len(list) != 0 {
			t.Errorf("after the arrival: %+v", list)
		}
	})
}

// All nodes skip a batch that panics, and only one of them leads the area.
func TestFollowerCountsSkippedArrivals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, to, came := depart(t)
		to.endLeading()
		to.intents = append(to.intents[:0], came.join)
		to.noteSkipped(time.Now())
		transfers := to.host.Status().Transfers
		if len(transfers) != 1 || transfers[0].Why != "the tick with its arrival panics (tries: 1)" {
			t.Errorf("%+v", transfers)
		}
	})
}

// What node 1 knows of nodes 2 and 3, which lead areas 1 and 2, comes from their news.
func TestMissingLinkOrSlowCopyIsShownAsReasonOfTransferDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		c.tellAll()
		h := c.nodes[1].current()
		check := func(what string, transfer Transfer, areas []AreaStatus, want string) {
			t.Helper()
			h.mu.Lock()
			defer h.mu.Unlock()
			if got := h.whyUnderWay(&transfer, &sim.Join{From: transfer.From, Seq: 1}, areas); got != want {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
		leaving, arrived := Transfer{From: 1, To: 2, UnderWay: 1}, Transfer{From: 1, To: 2, UnderWay: 1, Arrived: 1}
		areas := h.Status().Areas
		check("nothing is wrong", leaving, areas, "")
		check("nothing is wrong", arrived, areas, "")
		areas[1].Copies[2].Lag, areas[2].Copies[1].Lag = 21, 20 // a lag of more than 20 ticks, which is a second, is a reason
		check("a copy is behind", leaving, areas, "the copy of Field 1 on node n3 is 21 ticks behind")
		check("a copy is a second behind", arrived, areas, "")
		c.setCut(2, 3, true)
		time.Sleep(10 * time.Millisecond) // the nodes at both ends of the cut link still lead their areas
		check("a link is cut", leaving, h.Status().Areas, "n2 has no connection to n3")
		check("a link is cut", arrived, h.Status().Areas, "n3 has no connection to n2")
		c.setCut(2, 3, false)
		time.Sleep(10 * time.Millisecond)
		check("all links are up again", leaving, h.Status().Areas, "")
	})
}
