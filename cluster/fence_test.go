package cluster

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// A node that cannot reach the others queues intents. The others declare it dead, and the account resumes its player through
// another node. When the node returns as a new incarnation, it must not send the queued intents of its ended sessions.
func TestNodeDeclaredDeadDropsQueuedIntentsOfItsEndedSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 2)
		defer c.stopAll()
		p := c.nodes[3].enter(1, 0)
		time.Sleep(time.Second)
		cutOff := c.nodes[3].current()
		c.setCut(3, 1, true)
		c.setCut(3, 2, true)
		for range 2 * maxPending {
			time.Sleep(50 * time.Millisecond)
			_ = cutOff.Submit(0, sim.Intent{Kind: sim.IntentChat, Who: p.who, AtMS: cutOff.NowMS(), Text: "into the void"})
		}
		_ = cutOff.Submit(0, sim.Intent{Kind: sim.IntentLeave, Who: p.who, AtMS: cutOff.NowMS()})
		h := c.nodes[1].current()
		_ = h.Submit(0, sim.Intent{Kind: sim.IntentResume, Who: p.who, AtMS: h.NowMS(), Join: &sim.Join{Portal: -1}})
		time.Sleep(time.Second)
		c.setCut(3, 1, false)
		c.setCut(3, 2, false)
		time.Sleep(2 * time.Second)
		if c.nodes[3].fenced != 1 {
			t.Fatalf("the node was fenced %d times, want once", c.nodes[3].fenced)
		}
		if _, ok := c.nodes[1].area(p.who); !ok {
			t.Error("a leave of the lost session has taken the player out of the world")
		}
		if times := c.timesHeard("into the void")["1/1"]; times > 0 {
			t.Errorf("%d lines of the lost session were heard", times)
		}
	})
}

// A stalled node keeps its connections open, so the other nodes detect the failure only because it sends nothing. They do not declare it
// dead. After the stall it follows the new leaders, and leads its areas again once it has stepped what it missed.
func TestAreasOfStalledNodeFailOverToOtherNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 6)
		defer c.stopAll()
		for _, n := range c.nodes[2:] {
			n.forgetGaps()
		}
		before := c.nodes[2].current().Status().Areas
		ended := make(chan struct{})
		go func() {
			c.nodes[1].stall(6 * time.Second)
			close(ended)
		}()
		time.Sleep(4 * time.Second)
		for _, n := range c.nodes[2:] {
			if gap := n.longestGap(); gap > 800*time.Millisecond {
				t.Errorf("no frame for %v on node %d", gap, n.id)
			}
		}
		<-ended
		time.Sleep(4 * time.Second)
		c.requireNoneFenced()
		for _, n := range c.nodes[1:] {
			for i, is := range n.current().Status().Areas {
				was, changes := before[i], uint64(0)
				if was.Lead == "n1" {
					changes = 2 // to another node and back
				}
				if is.Lead != was.Lead || is.Term != was.Term+changes || is.Changes != was.Changes+changes {
					t.Errorf("node %d: %s leads %s in term %d after %d changes of the leader; want %s, term %d and %d changes", n.id, is.Lead, is.Name, is.Term, is.Changes, was.Lead, was.Term+changes, was.Changes+changes)
				}
				if ticks := is.Tick - was.Tick; ticks < 199 || ticks > 201 {
					t.Errorf("node %d: %s has made %d ticks in 10 s, want 200", n.id, is.Name, ticks)
				}
			}
		}
		if leads := c.leaders(); leads[1] != 2 || leads[2] != 2 || leads[3] != 2 {
			t.Errorf("the nodes lead %v areas", leads)
		}
	})
}

// While an area has no leader, the inputs of its players wait in queues, and each tick takes one input of a player. If a new leader left
// out the missed ticks, inputs would be late for minutes, and after several fail-overs the queues would overflow.
func TestNewLeaderExecutesTicksMissedDuringFailOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 6)
		defer c.stopAll()
		g := c.nodes[2].current().groups[0] // area 0, which node 1 leads
		before := g.tick.Load()
		ended := make(chan struct{})
		go func() {
			c.nodes[1].stall(6 * time.Second)
			close(ended)
		}()
		time.Sleep(5 * time.Second)
		if n := g.tick.Load() - before; n < 99 || n > 101 {
			t.Errorf("the area has made %d ticks in 5 s, want 100", n)
		}
		<-ended
		time.Sleep(time.Second)
	})
}
