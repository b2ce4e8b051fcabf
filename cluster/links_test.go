package cluster

import (
	"testing"
	"testing/synctest"
)

// So many connections change while an area is busy that it cannot remember each change.
func TestLossOfConnectionToLeaderIsNoticedAfterManyOtherChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 1)
		defer c.stopAll()
		h := c.nodes[2].current()
		g := h.groups[0]
		g.request(nil, func() {
			if g.rep.Lead() != 1 {
				t.Errorf("node %d leads", g.rep.Lead())
			}
			for range 1000 {
				g.linkChanged(3, true)
				g.linkChanged(3, false)
			}
			g.linkChanged(1, false)
			g.linkChanged(1, true) // the process of node 1 has started again
			<-g.links
			g.takeLinkEvents()
			if g.rep.Lead() != 0 {
				t.Error("the node still follows the leader although the connection to it was lost")
			}
		})
	})
}
