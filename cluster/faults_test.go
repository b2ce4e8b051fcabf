package cluster

import (
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/race"
	"github.com/truestep-io/truestep/sim"
)

// While players chat and go from area to area, nodes are killed and restarted, hang, and lose their links. Every chat line is heard
// exactly once on each node, unless the speaker's node was declared dead. Every frame is the same on all nodes. Each character is in
// one area.
func TestNodeAndLinkFaultsNeitherLoseNorRepeatIntents(t *testing.T) {
	last := uint64(3)
	if race.Enabled || testing.Short() {
		last = 1
	}
	for s := uint64(1); s <= last; s++ {
		t.Run(fmt.Sprint(s), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { playFaults(t, s) }) })
	}
}

func playFaults(t *testing.T, seed uint64) {
	c := newCluster(t, fields(4), 3, seed)
	for _, n := range c.nodes[1:] {
		n.start()
	}
	defer c.stopAll()
	time.Sleep(2 * time.Second)
	var players []*player
	for i := range 9 {
		players = append(players, c.nodes[1+i%3].enter(sim.CharacterID(i+1), sim.AreaID(i%4)))
	}
	var stalled chan struct{}
	ended := time.Now().Add(40 * time.Second)
	next := time.Now().Add(2 * time.Second)
	var restart []func()
	kinds := c.rand.Perm(4) // each kind of fault once, then kinds at random
	for time.Now().Before(ended) {
		time.Sleep(50 * time.Millisecond)
		for _, p := range players {
			if c.rand.IntN(4) == 0 {
				p.act()
			}
		}
		if time.Now().Before(next) {
			continue
		}
		next = time.Now().Add(time.Duration(500+c.rand.IntN(5000)) * time.Millisecond)
		if len(restart) > 0 {
			restart[0]()
			restart = restart[1:]
			continue
		}
		n := c.nodes[1+c.rand.IntN(3)]
		other := c.nodes[1+int(n.id)%3]
		if len(kinds) == 0 {
			kinds = []int{c.rand.IntN(4)}
		}
		kind := kinds[0]
		kinds = kinds[1:]
		switch kind {
		case 0:
			n.kill()
			restart = append(restart, n.start)
		case 1:
			stalled = make(chan struct{})
			d := time.Duration(200+c.rand.IntN(6000)) * time.Millisecond
			go func() {
				n.stall(d)
				close(stalled)
			}()
			restart = append(restart, func() { <-stalled })
		case 2:
			c.setCut(n.id, other.id, true)
			restart = append(restart, func() { c.setCut(n.id, other.id, false) })
		case 3:
			for _, o := range c.nodes[1:] {
				if o != n {
					c.setCut(n.id, o.id, true)
				}
			}
			restart = append(restart, func() {
				for _, o := range c.nodes[1:] {
					if o != n {
						c.setCut(n.id, o.id, false)
					}
				}
			})
		}
	}
	for _, f := range restart {
		f()
	}
	time.Sleep(12 * time.Second)
	if len(kinds) > 0 {
		t.Errorf("%d of 4 kinds of faults have not happened", len(kinds))
	}
	c.checkHeard(players)
	c.checkPlaces(len(players))
}

// checkHeard checks that no chat line was heard twice, and that each line was heard, unless the speaker's node was declared dead or
// started again after the speaker had entered.
func (c *cluster) checkHeard(players []*player) {
	lines := 0
	for _, p := range players {
		h := p.n.current()
		kept := h.Incarnation() == p.incarnation
		for _, text := range p.said {
			for run, times := range c.timesHeard(text) {
				if times > 1 {
					c.t.Errorf("run %s of a node heard %q %d times", run, text, times)
				}
			}
			if kept && len(c.timesHeard(text)) == 0 {
				c.t.Errorf("nobody heard %q", text)
			}
			lines++
		}
	}
	if lines < 100 {
		c.t.Errorf("only %d lines were said", lines)
	}
}

// equal reports whether all nodes have the same characters in the same areas.
func equal(where map[uint64]map[sim.CharacterID][]string) bool {
	for _, found := range where {
		if !reflect.DeepEqual(found, where[1]) {
			return false
		}
	}
	return true
}

// checkPlaces checks that each character is in at most one area, and that all nodes have it in the same area.
func (c *cluster) checkPlaces(characters int) {
	where := c.characters()
	for try := 0; try < 3 && !equal(where); try++ { // a player may have moved while the nodes were asked one after the other
		time.Sleep(time.Second)
		where = c.characters()
	}
	for id := sim.CharacterID(1); id <= sim.CharacterID(characters); id++ {
		for node, found := range where {
			if len(found[id]) > 1 {
				c.t.Errorf("on node %d character %d is in %v", node, id, found[id])
			}
			if fmt.Sprint(found[id]) != fmt.Sprint(where[1][id]) {
				c.t.Errorf("character %d is in %v on node %d, in %v on node 1", id, found[id], node, where[1][id])
			}
		}
	}
}
