package cluster

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/logbuf"
)

func TestNodeWhoseCopyIsWithinOneSecondCountsAsKeepingUpAtAnyTickRate(t *testing.T) {
	for _, rate := range []int{10, 60} {
		synctest.Test(t, func(t *testing.T) {
			w := fields(1)
			w.TicksPerSecond = rate
			c := newCluster(t, w, 3, 1)
			c.set = quickly
			for _, n := range c.nodes[1:] {
				n.start()
			}
			defer c.stopAll()
			time.Sleep(8 * time.Second)
			h := c.nodes[1].current()
			h.mu.Lock()
			defer h.mu.Unlock()
			for _, sign := range []int64{1, -1} {
				for behind, want := range map[int64]bool{int64(rate): true, int64(rate) + 1: false} {
					h.peers[2].behind[0] = sign * behind
					if got := h.whyPaused(time.Now()); (got == "") != want || got != "" && got != "the copies of node n1 and node n2 differ by more than a second" {
						t.Errorf("at %d ticks a second, with a node %d ticks behind: %q", rate, sign*behind, got)
					}
				}
			}
		})
	}
}

func TestPauseOfPlacementIsLoggedOnceAfterOneMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, lines := newCluster(t, fields(1), 3, 1), new(logbuf.Buffer)
		c.log, c.set = slog.New(slog.NewTextHandler(lines, nil)), quickly
		for _, n := range c.nodes[1:] {
			n.start()
		}
		defer c.stopAll()
		time.Sleep(10 * time.Second)
		n3 := c.nodes[3].current()
		if err := n3.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		const paused, again = "no area is placed by load", "areas are placed by load again"
		time.Sleep(55 * time.Second)
		if n := lines.Count(paused); n != 0 {
			t.Errorf("%d lines before a minute has passed", n)
		}
		time.Sleep(10 * time.Second)
		if n, why := lines.Count(paused), lines.Count(`why="node n3 drains"`); n != 1 || why != 1 {
			t.Errorf("%d lines after a minute, %d with the reason", n, why)
		}
		for _, n := range c.nodes[1:] {
			if got := n.current().Status().Paused; got != "node n3 drains" {
				t.Errorf("node %d: paused because %q", n.id, got)
			}
		}
		if err := n3.Undrain(); err != nil {
			t.Error(err)
		}
		time.Sleep(10 * time.Second)
		if n, end := lines.Count(paused), lines.Count(again); n != 1 || end != 1 {
			t.Errorf("%d lines after the end of the drain, %d about the end", n, end)
		}
		for _, n := range c.nodes[1:] {
			if got := n.current().Status().Paused; got != "" {
				t.Errorf("node %d: still paused because %q", n.id, got)
			}
		}
	})
}

func TestReasonForPlacementPauseIdentifiesNodeOrArea(t *testing.T) {
	for want, disturb := range map[string]struct {
		nodes func(*cluster) // disturbs the nodes
		host  func(*Host)    // changes what node 1 knows of the others; called with mu locked
	}{
		"":                                     {},
		"node n1 drains":                       {nodes: func(c *cluster) { c.nodes[1].current().draining.Store(true) }},
		"node n3 drains":                       {nodes: func(c *cluster) { c.nodes[3].current().draining.Store(true); c.tellAll() }},
		"there is no connection to node n3":    {nodes: func(c *cluster) { c.nodes[3].kill() }},
		"node n2 has no connection to node n3": {nodes: func(c *cluster) { c.setCut(2, 3, true); c.tellAll() }},
		"node n3 has been connected for less than 5s": {nodes: func(c *cluster) { c.setCut(1, 3, true); c.setCut(1, 3, false); c.tellAll() }},
		"node n1 is set to place none":                {host: func(h *Host) { h.opt.FixedLeads = true }},
		"the load of Field 0 is not known yet":        {host: func(h *Host) { h.balance.samples = 1000 }},
		"Field 1 has no leader":                       {host: func(h *Host) { h.seen[1].lead = 0 }},
		"Field 1 is led by n2, not by n3":             {host: func(h *Host) { h.placed[1] = placement{3, 1} }},
	} {
		t.Run(want, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t, fields(2), 3, 1)
				c.set = quickly
				for _, n := range c.nodes[1:] {
					n.start()
				}
				defer c.stopAll()
				time.Sleep(8 * time.Second)
				if disturb.nodes != nil {
					disturb.nodes(c)
				}
				h := c.nodes[1].current()
				h.mu.Lock()
				defer h.mu.Unlock()
				if disturb.host != nil {
					disturb.host(h)
				}
				if got := h.whyPaused(time.Now()); got != want {
					t.Errorf("%q, want %q", got, want)
				}
			})
		})
	}
}
