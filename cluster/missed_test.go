package cluster

import (
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// lockedBuffer is a buffer to which all nodes log.
type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// miss reports to a node's host that its hub has missed all frames of area 0 up to the present tick. It returns that tick.
func (n *node) miss() sim.Tick {
	h := n.current()
	tick := sim.Tick(h.groups[0].tick.Load())
	h.Missed(0, tick)
	return tick
}

// startUnsaved starts three nodes with one area, which node 1 leads. Then no node can store records any more.
func startUnsaved(t *testing.T) (c *cluster, log *lockedBuffer) {
	t.Helper()
	log = &lockedBuffer{}
	c = newCluster(t, fields(1), 3, 1)
	c.log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	for _, n := range c.nodes[1:] {
		n.start()
	}
	time.Sleep(7 * time.Second)
	c.unsaved.Store(true)
	time.Sleep(time.Second)
	return c, log
}

// requireLead fails the test unless a node leads area 0. It must own the area if the parameter owns is true, and must not otherwise.
func (c *cluster) requireLead(node int, owns bool) {
	c.t.Helper()
	h := c.nodes[node].current()
	if _, own := h.Owner(0); h.groups[0].term.Load() == 0 || own != owns {
		c.t.Errorf("node %d leads: %t, owns the area: %t; want %t. The leader is %d", node, h.groups[0].term.Load() != 0, own, owns, h.groups[0].leader.Load())
	}
}

func TestLeaderThatMissedUnsavedTicksDoesNotLeadUntilTicksAreSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, log := startUnsaved(t)
		defer c.stopAll()
		c.requireLead(1, true)
		missed := c.nodes[1].miss()
		if _, own := c.nodes[1].current().Owner(0); own {
			t.Error("the node owns the area")
		}
		time.Sleep(time.Second)
		c.requireLead(2, true)
		for _, n := range c.nodes[1:] {
			a := n.current().Status().Areas[0]
			if a.Last == nil || a.Last.Reason != "n1 has missed ticks whose records are not stored" || a.Changes != 1 || a.SavedTick >= missed {
				t.Errorf("node %d: %+v, %+v", n.id, a, a.Last)
			}
			if why := n.current().Status().Paused; why != "node n1 has missed ticks of Field 0 whose records are not stored yet" {
				t.Errorf("node %d: nothing is placed by load because %q", n.id, why)
			}
		}
		err := c.nodes[3].current().Move(t.Context(), 0, "n1")
		if !errors.Is(err, ErrNodeDown) || !strings.HasSuffix(err.Error(), "node n1 missed some ticks of the area Field 0, and the records of those ticks are not in the database yet; it can lead the area once they have been stored") {
			t.Errorf("the area is moved to the node that lacks records: %v", err)
		}
		time.Sleep(10 * time.Second)
		c.requireLead(2, true)
		c.unsaved.Store(false)
		time.Sleep(3 * time.Second)
		c.requireLead(1, true)
		if a := c.nodes[1].current().Status(); a.Areas[0].SavedTick < missed || a.Areas[0].Changes != 2 || a.LostTicks != 0 {
			t.Errorf("after the ticks are saved: %+v", a)
		}
		if log.String() != "" {
			t.Errorf("logged: %s", log)
		}
	})
}

// Only node 3 has the records. It leads the area until they are stored, although it drains.
func TestDrainingNodeKeepsAreaUntilItsRecordsAreStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := startUnsaved(t)
		defer c.stopAll()
		n3 := c.nodes[3].current()
		n3.draining.Store(true)
		n3.Tell()
		c.nodes[2].miss()
		c.tellAll()
		c.nodes[1].miss()
		time.Sleep(10 * time.Second)
		c.requireLead(3, true)
		c.unsaved.Store(false)
		time.Sleep(2 * time.Second)
		c.requireLead(1, true)
	})
}

// lostTicks returns the number of ticks that the nodes have counted as lost.
func (c *cluster) lostTicks() (n uint64) {
	for _, n1 := range c.nodes[1:] {
		if h := n1.current(); h != nil {
			n += h.Status().LostTicks
		}
	}
	return n
}

// Two successive leaders decide to count the missed ticks as stored. The ticks are lost only when the second leader stores later records.
func TestTicksThatAllNodesHaveMissedAreGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, log := startUnsaved(t)
		defer c.stopAll()
		missed := c.nodes[2].miss()
		c.nodes[3].miss()
		c.tellAll()
		c.nodes[1].miss()
		time.Sleep(time.Second)
		c.requireLead(1, true)
		n1 := c.nodes[1].current()
		n1.draining.Store(true)
		n1.Tell()
		time.Sleep(time.Second)
		c.requireLead(2, true)
		if n1 := n1.groups[0]; n1.givenUp.Load() != 0 || n1.ownSaved.Load() != 0 {
			t.Errorf("the former leader still gives up ticks up to %d, and reports tick %d as stored", n1.givenUp.Load(), n1.ownSaved.Load())
		}
		if n := c.lostTicks(); n != 0 || strings.Count(log.String(), "level=WARN") != 2 || strings.Contains(log.String(), "level=ERROR") {
			t.Errorf("before anything is stored, %d ticks count as lost; logged: %s", n, log)
		}
		want := uint64(missed - n1.Status().Areas[0].SavedTick)
		c.unsaved.Store(false)
		time.Sleep(2 * time.Second)
		if n := c.lostTicks(); n != want {
			t.Errorf("%d lost ticks, want %d", n, want)
		}
		if n := strings.Count(log.String(), "records are lost"); n != 1 || strings.Count(log.String(), "level=ERROR") != 1 {
			t.Errorf("logged: %s", log)
		}
	})
}

// A process that continues from a snapshot has no records of earlier ticks. This must hold even before it has read its first frame.
func TestNodeThatStartsFromSnapshotLacksRecordsOfEarlierTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, fields(1), 3, 1)
		c.set = func(h *Host) { h.snapshotEvery, h.maxWithoutSnapshot = 20, 40 }
		c.unsaved.Store(true)
		for _, n := range c.nodes[1:] {
			n.start()
		}
		defer c.stopAll()
		time.Sleep(7 * time.Second)
		n3 := c.nodes[3]
		c.requireLead(1, true)
		n3.kill()
		time.Sleep(time.Second) // time in which messages of the killed process still arrive
		n3.start()
		if g := n3.current().groups[0]; g.missed.Load() < 20 || g.missed.Load() > g.tick.Load() {
			t.Errorf("the node has missed ticks up to %d, and starts from tick %d", g.missed.Load(), g.tick.Load())
		}
		c.nodes[2].miss()
		c.tellAll()
		c.nodes[1].miss()
		time.Sleep(time.Second)
		c.requireLead(1, true)
		n3.kill()
		err := c.nodes[1].current().Move(t.Context(), 0, "n3")
		if !errors.Is(err, ErrNodeDown) || !strings.Contains(err.Error(), "node n3 cannot be reached since") {
			t.Errorf("the area is moved to a node that is down and lacks records: %v", err)
		}
	})
}

// The node with the records is repeatedly killed and started, each time before it has caught up. The leader waits only a limited time.
func TestLeaderWaitsLimitedTimeForNodeThatRestartsRepeatedly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, log := startSlow(t)
		defer c.stopAll()
		for range int(recordPatience/(5*time.Second)) - 1 {
			time.Sleep(3 * time.Second)
			c.requireLead(1, false)
			c.nodes[3].kill()
			time.Sleep(2 * time.Second)
			c.requireLead(1, false)
			c.nodes[3].start()
		}
		c.nodes[3].kill()
		time.Sleep(6 * time.Second)
		c.requireLead(1, true)
		c.nodes[3].start()
		time.Sleep(time.Second)
		c.requireLead(1, false) // nothing is lost yet
		c.nodes[3].kill()
		time.Sleep(time.Second)
		c.requireLead(1, true)
		if n := strings.Count(log.String(), "level=WARN"); n != 3 || strings.Contains(log.String(), "level=ERROR") {
			t.Errorf("logged: %s", log)
		}
	})
}

func TestLeaderWaitsLimitedTimeForNodeThatDoesNotKeepUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, log := startSlow(t)
		defer c.stopAll()
		time.Sleep(slowPatience - 2*time.Second)
		c.requireLead(1, false)
		if n := strings.Count(log.String(), "the only connected node that has them does not keep up"); n != 1 || strings.Count(log.String(), "level=") != 1 || !strings.Contains(log.String(), "node=n3") {
			t.Errorf("logged: %s", log)
		}
		time.Sleep(3 * time.Second)
		c.requireLead(1, true)
		c.nodes[1].miss() // further ticks
		time.Sleep(time.Second)
		c.requireLead(1, true)
		if n := strings.Count(log.String(), "counts these ticks as stored at its next save"); n != 1 {
			t.Errorf("logged: %s", log)
		}
		c.mu.Lock()
		c.deaf = 0
		c.mu.Unlock()
		time.Sleep(5 * time.Second)
		c.requireLead(3, true)
	})
}

// Nodes 2 and 3 both have the records. Node 2 comes first in the order of leaders, but no message reaches it, so node 3 leads.
func TestLeaderHandsOverToNodeThatHasRecordsAndKeepsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, log := startUnsaved(t)
		defer c.stopAll()
		c.mu.Lock()
		c.deaf = 2
		c.mu.Unlock()
		time.Sleep(time.Second)
		c.nodes[1].miss()
		time.Sleep(time.Second)
		c.requireLead(3, true)
		if log.String() != "" {
			t.Errorf("logged: %s", log)
		}
	})
}

// startSlow starts three nodes with one area, which node 1 leads. Nodes 1 and 2 lack the records of some ticks. Node 3 has these
// records, but no message reaches it.
func startSlow(t *testing.T) (c *cluster, log *lockedBuffer) {
	t.Helper()
	c, log = startUnsaved(t)
	c.mu.Lock()
	c.deaf = 3
	c.mu.Unlock()
	c.nodes[2].miss()
	c.tellAll()
	time.Sleep(time.Second)
	c.nodes[1].miss()
	return c, log
}

// A hub's report of stored ticks must have no effect while its node does not own the area.
func TestStoredTickReportedByNodeThatDoesNotOwnAreaIsIgnored(t *testing.T) {
	g := newLeader(t)
	for _, step := range []struct {
		givenUp, want sim.Tick
	}{{0, 0}, {9, 0}, {10, 4}, {0, 4}} {
		g.host.Missed(0, 10)
		g.host.Saved(0, 4)
		g.givenUp.Store(uint64(step.givenUp))
		if got := g.savedByOwner(); got != step.want {
			t.Errorf("ticks up to %d are given up: ticks up to %d are reported, want %d", step.givenUp, got, step.want)
		}
		g.saved = g.savedByOwner()
		g.publishOrigins()
	}
}

// A node that is down may have the records. The other nodes wait for it for a limited time.
func TestTicksAreGivenUpIfNodeWithTheirRecordsStaysDown(t *testing.T) {
	for _, back := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			c, log := startUnsaved(t)
			defer c.stopAll()
			c.nodes[3].kill()
			c.nodes[2].miss()
			c.tellAll()
			c.nodes[1].miss()
			time.Sleep(recordPatience - time.Second)
			c.requireLead(1, false)
			if !strings.Contains(log.String(), "level=WARN") || strings.Contains(log.String(), "level=ERROR") {
				t.Errorf("logged after %v: %s", recordPatience-time.Second, log)
			}
			if back {
				c.nodes[3].start()
				time.Sleep(10 * time.Second)
				c.requireLead(3, true)
			} else {
				time.Sleep(2 * time.Second)
				c.requireLead(1, true)
				c.unsaved.Store(false)
				time.Sleep(2 * time.Second)
			}
			if lost := strings.Contains(log.String(), "level=ERROR"); lost == back {
				t.Errorf("node 3 is back: %t; logged: %s", back, log)
			}
		})
	}
}
