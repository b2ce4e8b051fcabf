package cluster

import (
	"context"
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

func TestAreasAreSpreadOverNodesAndEveryNodeHasEqualStates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, fields(6), 3, 1)
		for _, n := range c.nodes[1:] {
			n.start()
		}
		defer c.stopAll()
		time.Sleep(7 * time.Second)
		if leads := c.leaders(); leads[1] != 2 || leads[2] != 2 || leads[3] != 2 {
			t.Errorf("the nodes lead %v areas, want 2 each", leads)
		}
		var players []*player
		for i := range 6 {
			players = append(players, c.nodes[1+i%3].enter(sim.CharacterID(i+1), sim.AreaID(i%6)))
		}
		for range 200 {
			time.Sleep(50 * time.Millisecond)
			for _, p := range players {
				p.act()
			}
		}
		time.Sleep(time.Second)
		lines, went := 0, 0
		for _, p := range players {
			went += p.went
			for _, text := range p.said {
				lines++
				for _, run := range []string{"1/1", "2/1", "3/1"} {
					if times := c.timesHeard(text)[run]; times != 1 {
						t.Errorf("node %s heard %q %d times", run, text, times)
					}
				}
			}
		}
		for id, found := range c.characters() {
			for i := range players {
				if len(found[sim.CharacterID(i+1)]) != 1 {
					t.Errorf("on node %d character %d is in %v", id, i+1, found[sim.CharacterID(i+1)])
				}
			}
		}
		if lines < 500 || went < 100 {
			t.Errorf("%d lines and %d crossings", lines, went)
		}
		for a := range c.def.Areas {
			if !c.hasReached(areaTick{sim.AreaID(a), 300}) {
				t.Errorf("area %d has not reached tick 300", a)
			}
		}
	})
}

// forgetGaps forgets the gaps between frames so far.
func (n *node) forgetGaps() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.gap)
}

// longestGap returns the longest time between two frames of an area on a node.
func (n *node) longestGap() (longest time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, d := range n.gap {
		longest = max(longest, d)
	}
	return longest
}

func startThree(t *testing.T, areas int) *cluster { return startNodes(t, 3, areas) }

func startNodes(t *testing.T, nodes, areas int) *cluster {
	c := newCluster(t, fields(areas), nodes, 1)
	for _, n := range c.nodes[1:] {
		n.start()
	}
	time.Sleep(7 * time.Second)
	return c
}

func TestAreasOfKilledNodeFailOverToOtherNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 6)
		defer c.stopAll()
		p := c.nodes[1].enter(1, 0)
		time.Sleep(time.Second)
		for _, n := range c.nodes[2:] {
			n.forgetGaps()
		}
		c.nodes[1].kill()
		time.Sleep(2 * time.Second)
		for _, n := range c.nodes[2:] {
			if gap := n.longestGap(); gap > 200*time.Millisecond {
				t.Errorf("no frame for %v", gap)
			}
		}
		if leads := c.leaders(); leads[2]+leads[3] != 6 {
			t.Errorf("%v areas are led", leads)
		}
		time.Sleep(3 * time.Second)
		h := c.nodes[2].current()
		if !h.IsGone("n1", p.incarnation) || h.IsGone("n1", p.incarnation+1) {
			t.Error("the killed incarnation is not marked as gone, or a later one is")
		}
		body, ok, err := h.Find(t.Context(), 1)
		if err != nil || !ok || body.Entity != p.who || !body.Arrived {
			t.Errorf("the body of the player is %+v, %v, %v", body, ok, err)
		}
		time.Sleep(21 * time.Second)
		if _, ok, _ := h.Find(t.Context(), 1); ok {
			t.Error("the body has not left after the time of its linger rule")
		}
		c.nodes[1].start()
		time.Sleep(10 * time.Second)
		if leads := c.leaders(); leads[1] != 2 {
			t.Errorf("after its return the node leads %d areas, want 2", leads[1])
		}
	})
}

// Two nodes of five are killed, at once or one after the other: the other three have all areas and the body of a player of a killed node.
// A third one that is killed stops all areas, which go on when it comes back.
func TestAreasOfTwoKilledNodesOfFiveFailOverToOtherNodes(t *testing.T) {
	for name, between := range map[string]time.Duration{"at once": 0, "during the elections": 100 * time.Millisecond, "later": 4 * time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := startNodes(t, 5, 5)
				defer c.stopAll()
				if leads := c.leaders(); !maps.Equal(leads, map[uint64]int{1: 1, 2: 1, 3: 1, 4: 1, 5: 1}) {
					t.Fatalf("the nodes lead %v areas, want one each", leads)
				}
				p := c.nodes[1].enter(1, 0)
				time.Sleep(time.Second)
				for _, n := range c.nodes[3:] {
					n.forgetGaps()
				}
				c.nodes[1].kill()
				time.Sleep(between)
				c.nodes[2].kill()
				time.Sleep(5 * time.Second)
				for _, n := range c.nodes[3:] {
					if gap := n.longestGap(); gap > 400*time.Millisecond {
						t.Errorf("no frame for %v at node %d", gap, n.id)
					}
				}
				if leads := c.leaders(); leads[3]+leads[4]+leads[5] != 5 {
					t.Errorf("%v areas are led", leads)
				}
				h := c.nodes[4].current()
				if !h.IsGone("n1", p.incarnation) || h.IsGone("n1", p.incarnation+1) {
					t.Error("the killed incarnation is not marked as gone, or a later one is")
				}
				body, ok, err := h.Find(t.Context(), 1)
				if err != nil || !ok || body.Entity != p.who || !body.Arrived {
					t.Errorf("the body of the player is %+v, %v, %v", body, ok, err)
				}
				c.nodes[3].kill()
				time.Sleep(2 * time.Second)
				before := h.Status().Areas[0].Tick
				time.Sleep(2 * time.Second)
				if now := h.Status().Areas[0].Tick; now != before {
					t.Errorf("two nodes of five have stepped area 0 from tick %d to %d", before, now)
				}
				for _, n := range c.nodes[1:4] {
					n.start()
				}
				time.Sleep(12 * time.Second)
				if now := h.Status().Areas[0].Tick; now < before+200 {
					t.Errorf("12 s after the return of the nodes, area 0 is at tick %d, and was at %d", now, before)
				}
				if leads := c.leaders(); !maps.Equal(leads, map[uint64]int{1: 1, 2: 1, 3: 1, 4: 1, 5: 1}) {
					t.Errorf("after the return of the nodes they lead %v areas, want one each", leads)
				}
			})
		})
	}
}

func TestDrainedNodeHandsOverItsAreasWithinTwoTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 6)
		defer c.stopAll()
		for _, n := range c.nodes[1:] {
			n.forgetGaps()
		}
		if err := c.nodes[2].current().Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if leads := c.leaders(); leads[2] != 0 || leads[1]+leads[3] != 6 {
			t.Errorf("the nodes lead %v", leads)
		}
		for _, n := range c.nodes[1:] {
			if gap := n.longestGap(); gap > 100*time.Millisecond {
				t.Errorf("no frame for %v on node %d", gap, n.id)
			}
		}
		if err := c.nodes[2].current().Undrain(); err != nil {
			t.Error(err)
		}
		time.Sleep(7 * time.Second)
		if leads := c.leaders(); leads[2] != 2 {
			t.Errorf("the nodes lead %v", leads)
		}
	})
}

func TestNodeDeclaredDeadEndsItsSessionsWhenItReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 2)
		defer c.stopAll()
		p := c.nodes[3].enter(1, 0)
		time.Sleep(time.Second)
		c.setCut(3, 1, true)
		c.setCut(3, 2, true)
		time.Sleep(5 * time.Second)
		if c.nodes[3].fenced != 0 {
			t.Error("the node knows of its fence before it can")
		}
		if _, err := c.nodes[3].current().Barrier(timeout(t, time.Second)); err == nil {
			t.Error("a barrier passed on a node without the others")
		}
		p.act() // the node reaches no leader, so these intents are lost
		c.setCut(3, 1, false)
		c.setCut(3, 2, false)
		time.Sleep(time.Second)
		h := c.nodes[3].current()
		if c.nodes[3].fenced != 1 || h.Incarnation() <= p.incarnation || !h.IsGone("n3", p.incarnation) {
			t.Errorf("fenced %d times, incarnation %d after %d", c.nodes[3].fenced, h.Incarnation(), p.incarnation)
		}
		ticks, err := h.Barrier(timeout(t, time.Second))
		if err != nil || len(ticks) != 2 || ticks[0] < 100 {
			t.Errorf("after its return a barrier is at %v, %v", ticks, err)
		}
		q := c.nodes[3].enter(2, 1)
		time.Sleep(time.Second)
		if _, ok := c.nodes[1].area(q.who); !ok {
			t.Error("a player of the new incarnation cannot enter")
		}
	})
}

// A node whose disk was replaced gets everything from the others, and only then votes and leads.
func TestNodeThatLostItsDiskIsBroughtUpToDate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		p := c.nodes[2].enter(1, 0)
		time.Sleep(time.Second)
		n := c.nodes[1]
		n.kill()
		for i := range n.disks {
			n.disks[i] = &disk{lost: true}
		}
		n.start()
		time.Sleep(10 * time.Second)
		for i, d := range n.disks {
			if d.lost {
				t.Errorf("area %d is not complete", i)
			}
		}
		if leads := c.leaders(); leads[1] != 1 || leads[2] != 1 || leads[3] != 1 {
			t.Errorf("the nodes lead %v", leads)
		}
		if a, ok := n.area(p.who); !ok || a != 0 {
			t.Error("the node has not seen the player join, although its frames begin with the first tick")
		}
		c.nodes[2].kill()
		time.Sleep(2 * time.Second)
		if leads := c.leaders(); leads[1]+leads[3] != 3 {
			t.Errorf("after another node was killed, the nodes lead %v", leads)
		}
	})
}

// A player loses its node and reconnects through a second node. It stays connected when the first node returns and dies again. It
// loses its connection when the second node dies, although it has changed areas meanwhile.
func TestPlayerReconnectedThroughOtherNodeLosesConnectionWhenThatNodeDies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		p := c.nodes[1].enter(1, 0)
		time.Sleep(time.Second)
		c.nodes[1].kill()
		time.Sleep(4 * time.Second)
		if !c.lingers(p.who) {
			t.Fatal("the body of the killed node is not without a connection")
		}
		h := c.nodes[2].current()
		_ = h.Submit(0, sim.Intent{Kind: sim.IntentResume, Who: p.who, AtMS: h.NowMS(), Join: &sim.Join{Portal: -1}})
		time.Sleep(time.Second)
		_ = h.Submit(0, sim.Intent{Kind: sim.IntentTeleport, Who: p.who, AtMS: h.NowMS(), To: 2, Join: &sim.Join{Portal: -1}, Serial: 1})
		c.nodes[1].start()
		time.Sleep(time.Second)
		c.nodes[1].kill()
		time.Sleep(5 * time.Second)
		if a, ok := c.nodes[3].area(p.who); !ok || a != 2 || c.lingers(p.who) {
			t.Fatalf("the body is in area %d (%v), without a connection: %v", a, ok, c.lingers(p.who))
		}
		c.nodes[1].start()
		c.nodes[2].kill()
		time.Sleep(5 * time.Second)
		if !c.lingers(p.who) {
			t.Error("the body has a connection although its node is gone")
		}
	})
}

// lingers reports whether a player lingers, that is, is without a connection, in the newest frame on node 3 that contains the player.
func (c *cluster) lingers(who sim.EntityID) bool {
	n := c.nodes[3]
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.lingering[who]
}

// A leader that receives nothing from the other nodes for a while steps down and asks for votes. The others still received its
// messages, so they had no reason for an election, but they elect a leader nevertheless.
func TestAreasContinueAfterLeaderTemporarilyReceivesNoMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		setDeaf := func(node uint64) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.deaf = node
		}
		setDeaf(1)
		time.Sleep(1300 * time.Millisecond)
		setDeaf(0)
		time.Sleep(2 * time.Second)
		for _, n := range c.nodes[1:] {
			n.forgetGaps()
		}
		time.Sleep(2 * time.Second)
		if leads := c.leaders(); leads[1]+leads[2]+leads[3] != 3 {
			t.Errorf("the nodes lead %v areas", leads)
		}
		for _, n := range c.nodes[1:] {
			if n.longestGap() == 0 || n.longestGap() > 200*time.Millisecond {
				t.Errorf("node %d has had no frame for %v", n.id, n.longestGap())
			}
		}
	})
}

// When the link between two nodes is cut and the third node reaches both, no node is declared dead: the third node leads all
// areas until the link is restored.
func TestSingleBrokenLinkEndsNoSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		players := []*player{c.nodes[1].enter(1, 0), c.nodes[2].enter(2, 1), c.nodes[3].enter(3, 2)}
		playAll(players, time.Second)
		c.setCut(1, 2, true)
		playAll(players, 8*time.Second)
		if leads := c.leaders(); leads[3] != 3 {
			t.Errorf("the nodes lead %v areas, want all by the node that has both its links", leads)
		}
		c.setCut(1, 2, false)
		playAll(players, 9*time.Second)
		if leads := c.leaders(); leads[1] != 1 || leads[2] != 1 {
			t.Errorf("with the link back, the nodes lead %v areas", leads)
		}
		c.requireNoneFenced()
		time.Sleep(time.Second)
		c.checkHeard(players)
	})
}

// The third node drains, and leads all areas nevertheless while the other two, which both lead areas, have lost their link.
func TestDrainingNodeLeadsAreasWhileOthersHaveLostTheirLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		if err := c.nodes[2].current().Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.requireLeads("before", "n1", "n3")
		players := []*player{c.nodes[1].enter(1, 0), c.nodes[2].enter(2, 1), c.nodes[3].enter(3, 2)}
		playAll(players, time.Second)
		for _, n := range c.nodes[1:] {
			n.forgetGaps()
		}
		c.setCut(1, 3, true)
		playAll(players, time.Second)
		c.requireLeads("while the link is cut", "n2")
		changes := c.nodes[2].changes()
		playAll(players, 7*time.Second)
		c.requireLeads("while the link is cut", "n2")
		if now := c.nodes[2].changes(); now != changes {
			t.Errorf("the areas have changed their leaders %d times meanwhile", now-changes)
		}
		for _, n := range c.nodes[1:] {
			if gap := n.longestGap(); gap > time.Second {
				t.Errorf("no frame for %v on node %d", gap, n.id)
			}
		}
		c.setCut(1, 3, false)
		playAll(players, 9*time.Second)
		c.requireLeads("with the link back", "n1", "n3")
		c.requireNoneFenced()
		time.Sleep(time.Second)
		c.checkHeard(players)
	})
}

func TestStoppingNodeHandsOverAreasToNodesThatHaveLostTheirLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		c.setCut(1, 3, true)
		time.Sleep(2 * time.Second)
		c.requireLeads("while the link is cut", "n2")
		changes := c.nodes[1].changes()
		if err := c.nodes[2].current().Retire(timeout(t, time.Second)); err != nil {
			t.Errorf("the node leads areas when it stops: %v", err)
		}
		time.Sleep(time.Second)
		if leads := c.leaders(); leads[1]+leads[3] != 3 {
			t.Errorf("the nodes lead %v areas, want none by node 2", leads)
		}
		if now := c.nodes[1].changes(); now > changes+3 {
			t.Errorf("the areas have changed their leaders %d times, want 3", now-changes)
		}
	})
}

// requireNoneFenced fails the test if a node was declared dead.
func (c *cluster) requireNoneFenced() {
	c.t.Helper()
	for _, n := range c.nodes[1:] {
		if n.fenced > 0 {
			c.t.Errorf("node %d was taken for dead", n.id)
		}
	}
}

// playAll makes the clients of players act for the time d.
func playAll(players []*player, d time.Duration) {
	for ended := time.Now().Add(d); time.Now().Before(ended); time.Sleep(50 * time.Millisecond) {
		for _, p := range players {
			p.act()
		}
	}
}

// changes returns the number of changes of leaders that a node has seen.
func (n *node) changes() (sum int) {
	for _, a := range n.current().Status().Areas {
		sum += int(a.Changes)
	}
	return sum
}

// An account that a node claims before the logs have its incarnation would stay with it if it died, because no area can declare it dead.
func TestNodeServesOnlyOnceAllAreasKnowItsIncarnation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, fields(2), 3, 1)
		defer c.stopAll()
		c.nodes[1].start()
		c.nodes[2].start()
		time.Sleep(7 * time.Second)
		c.setCut(3, 1, true)
		c.setCut(3, 2, true)
		c.nodes[3].start()
		time.Sleep(3 * time.Second)
		apart := c.nodes[3].current()
		if got := apart.Serving(); got != 0 {
			t.Errorf("the node without links serves as incarnation %d", got)
		}
		c.setCut(3, 1, false)
		c.setCut(3, 2, false)
		time.Sleep(3 * time.Second)
		for _, n := range c.nodes[1:] {
			if h := n.current(); h.Serving() != h.Incarnation() {
				t.Errorf("node %d serves as incarnation %d, want %d", n.id, h.Serving(), h.Incarnation())
			}
		}
	})
}

func timeout(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}
