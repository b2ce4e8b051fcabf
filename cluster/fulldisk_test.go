package cluster

import (
	"errors"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// A process whose disk is full takes a second to end, and its links stay open until then. If it did not hand over its areas, the other
// nodes would replace it as leader only after 600 ms of silence.
func TestNodeWhoseDiskIsFullHandsOverItsAreasBeforeItStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		var players []*player
		for i := range 6 {
			players = append(players, c.nodes[1+i%3].enter(sim.CharacterID(i+1), sim.AreaID(i%3)))
		}
		for range 40 {
			time.Sleep(50 * time.Millisecond)
			for _, p := range players {
				p.act()
			}
		}
		first := c.nodes[1]
		if leads := c.leaders(); leads[1] != 1 {
			t.Fatalf("the nodes lead %v areas", leads)
		}
		first.setFull(true)
		requireAdvance(t, 110*time.Millisecond, c.nodes[2:]...)
		for _, n := range c.nodes[2:] {
			if a := n.current().Status().Areas[0]; a.Lead != "n2" || a.Last.From != "n1" || a.Last.Reason != "n1 drains" {
				t.Errorf("node %d: %+v, %+v", n.id, a, a.Last)
			}
		}
		if h := first.current(); h.leads() != 0 {
			t.Errorf("it still counts %d areas as led by itself", h.leads())
		}
		if err := first.awaitEnd(time.Second); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("it stops with %v", err)
		}
		first.setFull(false)
		first.start()
		time.Sleep(8 * time.Second)
		if leads := c.leaders(); leads[1] != 1 || leads[2] != 1 || leads[3] != 1 {
			t.Errorf("after its return the nodes lead %v areas", leads)
		}
		c.checkPlaces(len(players))
	})
}
