package cluster

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// A message between nodes of this harness takes 200 µs, so after 400 µs a leader knows that most nodes have stored its batch.
func TestLeaderReportsTimeFromProposalToCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		took := map[uint64][]time.Duration{} // by node
		c := newCluster(t, fields(2), 3, 1)
		c.set = func(h *Host) {
			h.opt.Committed = func(_ sim.AreaID, d time.Duration) {
				mu.Lock()
				defer mu.Unlock()
				took[h.opt.Self] = append(took[h.opt.Self], d)
			}
		}
		for _, n := range c.nodes[1:] {
			n.start()
		}
		defer c.stopAll()
		time.Sleep(7 * time.Second)
		mu.Lock()
		clear(took)
		mu.Unlock()
		time.Sleep(2 * time.Second)
		mu.Lock()
		defer mu.Unlock()
		for node, want := range map[uint64]int{1: 40, 2: 40, 3: 0} { // 20 ticks a second of the area that each leads
			if n := len(took[node]); n < want-1 || n > want+1 {
				t.Errorf("node %d has reported %d commits, want %d", node, n, want)
			}
			if want > 0 && (slices.Min(took[node]) != 400*time.Microsecond || slices.Max(took[node]) != 400*time.Microsecond) {
				t.Errorf("node %d: %v to %v, want 400µs", node, slices.Min(took[node]), slices.Max(took[node]))
			}
		}
	})
}

func TestStatusHasLeaderChangesPerCauseAndNumberOfPlayersInTransfer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		p := c.nodes[2].enter(1, 1)
		time.Sleep(200 * time.Millisecond)
		c.mu.Lock()
		c.deaf = 1
		c.mu.Unlock()
		if err := c.nodes[2].current().Submit(1, sim.Intent{Kind: sim.IntentTeleport, Who: p.who, AtMS: c.nodes[2].current().NowMS(), To: 0, Join: &sim.Join{Portal: -1}, Serial: 1}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(150 * time.Millisecond)
		if n := c.nodes[2].current().Status().Areas[1].UnderWay; n != 1 {
			t.Errorf("%d players are under way, want 1", n)
		}
		c.mu.Lock()
		c.deaf = 0
		c.mu.Unlock()
		time.Sleep(2 * time.Second)
		if n := c.nodes[2].current().Status().Areas[1].UnderWay; n != 0 {
			t.Errorf("%d players are under way, want none", n)
		}
		before := c.nodes[2].current().Status().Causes
		c.nodes[3].kill()
		time.Sleep(2 * time.Second)
		if err := c.nodes[1].current().Move(t.Context(), 0, "n2"); err != nil {
			t.Fatal(err)
		}
		now := c.nodes[2].current().Status().Causes
		for cause, want := range map[LeadCause]uint64{CauseNoConnection: 1, CauseMoved: 1, CauseDrains: 0, CauseStops: 0} {
			if n := now[cause] - before[cause]; n != want {
				t.Errorf("%d changes with the cause %s, want %d: %v", n, cause, want, now)
			}
		}
		for cause := range now {
			if !slices.Contains(LeadCauses, cause) {
				t.Errorf("the cause %q is not in the list", cause)
			}
		}
	})
}
