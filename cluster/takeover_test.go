package cluster

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

// slowTape is the tape of a node's area. It records nothing, and makes each step of the area take node.stepTime.
type slowTape struct {
	area.Tape
	n *node
}

func (t slowTape) Continue(sim.Tick)         {}
func (t slowTape) Seal(area.Batch)           {}
func (t slowTape) SnapshotBuffer() *sim.Area { return nil }
func (t slowTape) Close() error              { return nil }

func (t slowTape) Commit() {
	t.n.mu.Lock()
	d := t.n.stepTime
	t.n.mu.Unlock()
	time.Sleep(d)
}

// startWithBacklog starts three nodes with one area. Records are not stored, so no snapshots are written. Then node 1, which has led the
// area, starts again and has to step the ticks of a minute, for which it needs 18 s. It has all entries of the log at once.
func startWithBacklog(t *testing.T) *cluster {
	c, _ := startUnsaved(t)
	time.Sleep(time.Minute)
	n1 := c.nodes[1]
	n1.kill()
	time.Sleep(time.Second)
	n1.mu.Lock()
	n1.stepTime = 13 * time.Millisecond
	n1.mu.Unlock()
	n1.start()
	time.Sleep(500 * time.Millisecond)
	if h := n1.current(); !c.nodes[2].current().groups[0].rep.KeepsUp(1) || h.Status().Areas[0].Tick > 100 {
		t.Fatalf("node 1 does not have the log, or has stepped %d ticks of it", h.Status().Areas[0].Tick)
	}
	for _, n := range c.nodes[2:] {
		n.forgetGaps()
	}
	return c
}

func TestAreaIsNotHandedOverToNodeThatHasLogAndHasNotSteppedIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startWithBacklog(t)
		defer c.stopAll()
		time.Sleep(9 * time.Second)
		c.requireLead(2, true)
		err := c.nodes[2].current().Move(t.Context(), 0, "n1")
		if !errors.Is(err, ErrNodeDown) || !strings.HasSuffix(err.Error(), "node n1 has not stepped all ticks of the area Field 0 yet; it can lead the area once it has") {
			t.Errorf("the area is moved to the node that has not stepped the log: %v", err)
		}
		time.Sleep(16 * time.Second)
		c.requireLead(1, true)
		if n := c.nodes[2].current().Status().Areas[0].Changes; n != 2 {
			t.Errorf("the leader has changed %d times, want 2: to node 2 and back", n)
		}
		for _, n := range c.nodes[2:] {
			if gap := n.longestGap(); gap > 100*time.Millisecond {
				t.Errorf("no frame for %v on node %d", gap, n.id)
			}
		}
	})
}

// The node that loses a part of its log asks for another leader. A node that has not stepped the log does not become it.
func TestLeaderIsNotReplacedByNodeThatHasNotSteppedLogWhenThirdNodeLostItsLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startWithBacklog(t)
		defer c.stopAll()
		g := c.nodes[2].current().groups[0]
		g.request(nil, func() { g.handOverExcept(3) })
		time.Sleep(time.Second)
		c.requireLead(2, true)
		for _, n := range c.nodes[2:] {
			if gap := n.longestGap(); gap > 100*time.Millisecond {
				t.Errorf("no frame for %v on node %d", gap, n.id)
			}
		}
	})
}

// The leader dies while node 1 steps its backlog. Node 1 is the first to ask for votes and becomes the leader.
func TestLeaderThatHasNotSteppedLogHandsAreaOverAndGetsItBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startWithBacklog(t)
		defer c.stopAll()
		time.Sleep(5 * time.Second)
		c.nodes[2].kill()
		time.Sleep(time.Second)
		c.requireLead(3, true)
		if gap := c.nodes[3].longestGap(); gap > 300*time.Millisecond {
			t.Errorf("no frame for %v", gap)
		}
		s := c.nodes[3].current().Status()
		if len(s.Changes) < 2 || s.Changes[0].Cause != CauseBehind || s.Changes[0].Reason != "n1 has not stepped all ticks" || s.Changes[1].To != "n1" {
			t.Errorf("changes of leaders: %+v", s.Changes)
		}
		time.Sleep(20 * time.Second)
		c.requireLead(1, true)
		if gap := c.nodes[3].longestGap(); gap > 300*time.Millisecond {
			t.Errorf("no frame for %v", gap)
		}
	})
}
