package cluster

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/logbuf"
)

// Node 1 leads and answers all the time, but it has lost its link to node 3, so node 2 is preferred.
func TestLostLinkToThirdNodeIsNamedAsReasonOfLeaderChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 1)
		defer c.stopAll()
		c.setCut(1, 3, true)
		time.Sleep(4 * time.Second)
		for node, want := range map[int]string{1: "n1 has no connection to n3", 2: "n1 has no connection to n3", 3: "no connection to n1"} {
			a := c.nodes[node].current().Status().Areas[0]
			if a.Last == nil || a.Lead != "n2" || a.Last.From != "n1" || a.Last.Reason != want {
				t.Errorf("node %d: %s leads, %+v", node, a.Lead, a.Last)
			}
		}
	})
}

// Node 3 is started again. Node 2 finds it at once, and node 1, which leads the area, only at its next attempt or never.
func TestAreaStaysWithLeaderThatConnectsToReturningNodeAfterOthers(t *testing.T) {
	for late, want := range map[time.Duration]string{900 * time.Millisecond: "n1", time.Hour: "n2"} {
		synctest.Test(t, func(t *testing.T) {
			c := startThree(t, 1)
			defer c.stopAll()
			time.Sleep(10 * time.Second)
			began := time.Now()
			c.nodes[3].kill()
			c.setCut(1, 3, true)
			time.Sleep(2 * time.Second)
			c.nodes[3].start()
			time.Sleep(min(late, 2*time.Second))
			c.setCut(1, 3, late > 2*time.Second)
			time.Sleep(2 * time.Second)
			a := c.nodes[2].current().Status().Areas[0]
			if moved := a.Last != nil && a.Last.At.After(began); a.Lead != want || moved != (want != "n1") {
				t.Errorf("the link of nodes 1 and 3 is back after %v: %s leads, %+v", late, a.Lead, a.Last)
			}
		})
	}
}

func TestMoveToNodeWithBrokenLinkIsRefusedAndErrorIdentifiesLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 1)
		defer c.stopAll()
		c.setCut(2, 3, true)
		time.Sleep(4 * time.Second)
		for _, move := range []struct {
			asked  int
			to     string
			reason string
		}{
			{1, "n3", "node n3 has no connection to node n2; it can lead areas when that link works again"},
			{2, "n2", "node n2 has no connection to node n3; it can lead areas when that link works again"},
		} {
			err := c.nodes[move.asked].current().Move(t.Context(), 0, move.to)
			if !errors.Is(err, ErrNodeDown) || !strings.HasSuffix(err.Error(), move.reason) {
				t.Errorf("node %d is asked to move the area to %s: %v", move.asked, move.to, err)
			}
		}
		c.setCut(2, 3, false)
		n3 := c.nodes[3].current()
		n3.draining.Store(true)
		c.tellAll()
		for _, asked := range []int{1, 3} {
			if err := c.nodes[asked].current().Move(t.Context(), 0, "n3"); !errors.Is(err, ErrNodeDown) || !strings.HasSuffix(err.Error(), "node n3 is drained, so it hands over its areas and takes none: run truestep cluster undrain first") {
				t.Errorf("node %d is asked to move the area to a node that drains: %v", asked, err)
			}
		}
		n3.Leave()
		time.Sleep(time.Second)
		if err := c.nodes[1].current().Move(t.Context(), 0, "n3"); !errors.Is(err, ErrNodeDown) || !strings.HasSuffix(err.Error(), "node n3 is stopping") {
			t.Errorf("moved to a node that stops: %v", err)
		}
	})
}

// Only node 1 places areas by load, and an operator may ask any node why it places none.
func TestEveryNodeReportsThatPlacementIsTurnedOffAtNodeOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, fields(2), 3, 1)
		c.set = func(h *Host) { quickly(h); h.opt.FixedLeads = h.opt.Self == decider }
		for _, n := range c.nodes[1:] {
			n.start()
		}
		defer c.stopAll()
		paused := func(want string) {
			t.Helper()
			time.Sleep(8 * time.Second)
			for _, n := range c.nodes[1:] {
				if n.alive() {
					if got := n.current().Status().Paused; got != want {
						t.Errorf("node %d: %q, want %q", n.id, got, want)
					}
				}
			}
		}
		paused("node n1 is set to place none")
		c.nodes[1].kill()
		paused("there is no connection to node n1")
		c.set = quickly // the operator has allowed placement by load again
		c.nodes[1].start()
		paused("")
	})
}

func TestLogOfLeaderThatIsCutOffNamesNoNextLeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, lines := newCluster(t, fields(1), 3, 1), new(logbuf.Buffer)
		c.log = slog.New(slog.NewTextHandler(lines, nil))
		for _, n := range c.nodes[1:] {
			n.start()
		}
		defer c.stopAll()
		time.Sleep(4 * time.Second)
		c.setCut(1, 2, true)
		c.setCut(1, 3, true)
		time.Sleep(4 * time.Second)
		if n, empty := lines.Count("this node no longer leads the area; no other leader is known yet"), lines.Count(`lead=""`); n != 1 || empty != 0 {
			t.Errorf("%d lines say that no other leader is known, %d lines have an empty name", n, empty)
		}
	})
}
