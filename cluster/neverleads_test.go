package cluster

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// sparing returns a function that sets the rules and options of a host, so that the given nodes lead no areas.
func sparing(nodes ...uint64) func(*Host) {
	return func(h *Host) {
		quickly(h)
		for _, n := range nodes {
			if h.opt.Self == n {
				h.opt.NeverLeads = true
				h.draining.Store(true) // as New does
			}
		}
	}
}

// requireLeads fails the test unless every node sees that the given nodes lead areas, and no others.
func (c *cluster) requireLeads(when string, want ...string) {
	c.t.Helper()
	for _, n := range c.nodes[1:] {
		if !n.alive() {
			continue
		}
		leads := map[string]bool{}
		for _, a := range n.current().Status().Areas {
			leads[a.Lead] = true
		}
		missing := len(leads) != len(want)
		for _, name := range want {
			missing = missing || !leads[name]
		}
		if missing {
			c.t.Errorf("%s: node %d sees the leaders %v, want %v", when, n.id, leads, want)
		}
	}
}

func TestNodeSetToNeverLeadLeadsNoArea(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// Node 1 leads areas 0, 2, 3 and 5, and node 2 areas 1 and 4, so that node 3 has the least load.
		c := startHotWith(t, sparing(3), 6, 0, 1, 3, 5)
		defer c.stopAll()
		c.requireLeads("after the start", "n1", "n2")
		time.Sleep(20 * time.Second)
		c.requireLeads("with hot areas", "n1", "n2")
		n1, n3 := c.nodes[1].current(), c.nodes[3].current()
		s := n1.Status()
		if a := s.Areas[0]; a.Lead != "n2" || a.PlacedBy != PlacedByLoad {
			t.Errorf("area 0 is not placed by load at the node that may lead: %+v, paused: %q", a, s.Paused)
		}
		for _, h := range []*Host{n1, n3} {
			if n := h.Status().Nodes[2]; !n.NeverLeads || n.Draining || !n.Up || h.Status().Nodes[0].NeverLeads {
				t.Errorf("%+v", n)
			}
		}
		if err := n3.Undrain(); !errors.Is(err, ErrNeverLeads) || !strings.Contains(err.Error(), "cluster-lead = false") {
			t.Errorf("undrained: %v", err)
		}
		if err := n1.Move(t.Context(), 1, "n3"); !errors.Is(err, ErrNodeDown) || !strings.Contains(err.Error(), "n3 leads no areas because of its setting cluster-lead = false") {
			t.Errorf("moved to it: %v", err)
		}
		c.nodes[2].kill()
		time.Sleep(2 * time.Second)
		c.requireLeads("after the death of node 2", "n1")
		c.nodes[3].kill()
		c.nodes[2].start()
		time.Sleep(8 * time.Second)
		c.nodes[3].start()
		time.Sleep(8 * time.Second)
		c.requireLeads("after a restart of the node", "n1", "n2")
		if n := c.nodes[1].current().Status().Nodes[2]; !n.NeverLeads {
			t.Errorf("after a restart: %+v", n)
		}
	})
}

// The node takes part in elections, so that two of three nodes are enough, and hands over the areas for which it is elected.
func TestNodeSetToNeverLeadHandsOverAreasAfterElection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startHotWith(t, sparing(2), 6)
		defer c.stopAll()
		for _, n := range c.nodes[1:] {
			n.forgetGaps()
		}
		c.nodes[1].kill() // node 2 is the next in line for its areas
		time.Sleep(2 * time.Second)
		c.requireLeads("after the death of node 1", "n3")
		for _, id := range []int{2, 3} {
			if gap := c.nodes[id].longestGap(); gap > 500*time.Millisecond {
				t.Errorf("no frame for %v on node %d", gap, id)
			}
		}
		elected := false
		for _, change := range c.nodes[3].current().Status().Changes {
			if change.From == "n2" {
				elected = true
				if change.Cause != CauseDrains || change.Reason != "n2 leads no areas by its settings" {
					t.Errorf("%+v", change)
				}
			}
		}
		if !elected {
			t.Error("node 2 was elected for no area, so the test shows nothing")
		}
	})
}

// The only node that may lead stops: drained, it has found no successor, and the others elect one without noticing its silence first.
func TestStopOfOnlyNodeThatMayLeadPausesAreasBriefly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startHotWith(t, sparing(2, 3), 3)
		defer c.stopAll()
		c.requireLeads("before", "n1")
		for _, n := range c.nodes[1:] {
			n.forgetGaps()
		}
		h := c.nodes[1].current()
		if err := h.Drain(timeout(t, time.Second)); err == nil {
			t.Error("the node has found a successor, so the test shows nothing")
		}
		h.Leave()
		if err := h.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * time.Second)
		for _, id := range []int{2, 3} {
			if gap := c.nodes[id].longestGap(); gap > 150*time.Millisecond {
				t.Errorf("no frame for %v on node %d", gap, id)
			}
		}
		if leads := c.leaders(); leads[2]+leads[3] != 3 {
			t.Errorf("after the stop the nodes lead %v areas, want all by nodes 2 and 3", leads)
		}
	})
}

// Only node 1 may lead. It comes back without a link to node 2, which has been elected meanwhile: node 3 reaches both.
func TestNodeThatNeverLeadsGivesAreasToOneThatReachesAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startHotWith(t, sparing(2, 3), 3)
		defer c.stopAll()
		c.nodes[1].kill()
		time.Sleep(2 * time.Second)
		c.setCut(1, 2, true)
		c.nodes[1].start()
		time.Sleep(8 * time.Second)
		c.requireLeads("without the link", "n3")
		before := c.nodes[3].changes()
		time.Sleep(5 * time.Second)
		if now := c.nodes[3].changes(); now != before {
			t.Errorf("the areas have changed their leaders %d times meanwhile", now-before)
		}
		c.setCut(1, 2, false)
		time.Sleep(8 * time.Second)
		c.requireLeads("with the link", "n1")
	})
}

// Node 5 never leads, and is the only one that reaches both halves of the others, but not all nodes of them.
func TestNoAreaIsHandedToAndFroWithoutNodeThatReachesAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, fields(2), 5, 1)
		c.set = sparing(5)
		for _, n := range c.nodes[1:] {
			n.start()
		}
		defer c.stopAll()
		time.Sleep(7 * time.Second)
		for _, cut := range [][2]uint64{{1, 3}, {1, 4}, {2, 3}, {2, 4}, {4, 5}} {
			c.setCut(cut[0], cut[1], true)
		}
		time.Sleep(3 * time.Second)
		before := c.nodes[5].changes()
		time.Sleep(8 * time.Second)
		if now := c.nodes[5].changes(); now > before+2 {
			t.Errorf("the areas have changed their leaders %d times in 8 s", now-before)
		}
	})
}

func TestAreasGoOnIfEveryNodeIsSetToNeverLead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startHotWith(t, sparing(1, 2, 3), 3)
		defer c.stopAll()
		before := c.nodes[1].current().Status()
		time.Sleep(2 * time.Second)
		s := c.nodes[1].current().Status()
		for i, a := range s.Areas {
			if a.Lead == "" || a.Tick < before.Areas[i].Tick+35 {
				t.Errorf("%+v, %d ticks before", a, before.Areas[i].Tick)
			}
		}
		if s.Paused != "no node may lead areas" {
			t.Errorf("placement is paused because %q", s.Paused)
		}
	})
}
