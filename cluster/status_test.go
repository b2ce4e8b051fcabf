package cluster

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// tellAll makes each running node send its news to the other nodes, as servers do once a second.
func (c *cluster) tellAll() {
	for _, n := range c.nodes[1:] {
		if h := n.current(); h != nil {
			h.Tell()
		}
	}
	time.Sleep(10 * time.Millisecond) // the messages arrive
}

// leadOf returns the name of the leader of an area, as node n sees it.
func (n *node) leadOf(a sim.AreaID) string { return n.current().Status().Areas[a].Lead }

func TestClusterStatusShowsLeadersReplicasAndReasonsOfLeaderChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		c.tellAll()
		s := c.nodes[2].current().Status()
		if s.Node != "n2" || len(s.Nodes) != 3 || len(s.Areas) != 3 {
			t.Fatalf("%+v", s)
		}
		for i, n := range s.Nodes {
			if !n.Up || n.Draining || n.Leaving || n.Self != (i == 1) || n.Incarnation == 0 || n.Since.IsZero() {
				t.Errorf("node %+v", n)
			}
		}
		for i, a := range s.Areas {
			if want := []string{"n1", "n2", "n3"}[i]; a.Lead != want || a.Name == "" || a.Term == 0 || a.Tick < 50 || a.StepIndex < 50 || a.LastIndex < a.StepIndex || a.Preferred != "" {
				t.Errorf("area %d, which %s leads: %+v", i, want, a)
			}
			for _, copied := range a.Copies {
				if !copied.Known || copied.Lag > 2 {
					t.Errorf("area %d: copy %+v", i, copied)
				}
			}
		}
		c.nodes[1].kill()
		time.Sleep(2 * time.Second)
		s = c.nodes[2].current().Status()
		if n := s.Nodes[0]; n.Up || time.Since(n.Since) > 3*time.Second {
			t.Errorf("the killed node: %+v", n)
		}
		a := s.Areas[0]
		if a.Lead != "n2" || a.Last == nil || a.Last.From != "n1" || a.Last.To != "n2" || a.Last.Reason != "no connection to n1" || a.Copies[0].Known {
			t.Errorf("the area of the killed node: %+v, %+v", a, a.Last)
		}
		if len(s.Changes) == 0 || s.Changes[0] != *a.Last || a.Last.Area != "Field 0" {
			t.Errorf("changes %+v", s.Changes)
		}
		c.nodes[1].start()
		time.Sleep(8 * time.Second)
		for _, n := range c.nodes[1:] {
			if got := n.leadOf(0); got != "n1" {
				t.Errorf("node %d sees area 0 led by %q", n.id, got)
			}
		}
		if last := c.nodes[2].current().Status().Areas[0].Last; last.Reason != "n1 leads it by default" || last.From != "n2" {
			t.Errorf("%+v", last)
		}
		if err := c.nodes[3].current().Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		s = c.nodes[1].current().Status()
		if last := s.Areas[2].Last; s.Areas[2].Lead == "n3" || last == nil || last.Reason != "n3 drains" || !s.Nodes[2].Draining {
			t.Errorf("after a drain: %+v, %+v, %+v", s.Areas[2], last, s.Nodes[2])
		}
	})
}

// The frozen node is the last one in the order of the area, so any other node comes before it.
func TestFrozenNodeThatWasChosenAsLeaderIsNamedAsReasonOfLeaderChange(t *testing.T) {
	for name, choose := range map[string]func(context.Context, *Host) error{
		"moved by an operator": func(ctx context.Context, h *Host) error { return h.Move(ctx, 0, "n3") },
		"placed by load": func(_ context.Context, h *Host) error {
			h.mu.Lock()
			h.placed[0] = placement{3, h.NowMS()}
			h.mu.Unlock()
			h.Tell()
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := startThree(t, 1)
				defer c.stopAll()
				time.Sleep(settleTime)
				if err := choose(t.Context(), c.nodes[1].current()); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
				if got := c.nodes[1].leadOf(0); got != "n3" {
					t.Fatalf("node 3 is to lead the area, and %q does", got)
				}
				thawed := make(chan struct{})
				go func() { c.nodes[3].stall(2 * time.Second); close(thawed) }()
				time.Sleep(1500 * time.Millisecond)
				for _, n := range c.nodes[1:3] {
					if last := n.current().Status().Areas[0].Last; last == nil || last.From != "n3" || last.Reason != "n3 did not answer in time" {
						t.Errorf("node %d: %+v", n.id, last)
					}
				}
				<-thawed
			})
		})
	}
}

func TestClusterStatusShowsLagOfStalledReplica(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 1)
		defer c.stopAll()
		go c.nodes[3].stall(500 * time.Millisecond)
		time.Sleep(400 * time.Millisecond)
		c.tellAll()
		for _, n := range c.nodes[1:] {
			copies := n.current().Status().Areas[0].Copies
			if lag := copies[2].Lag; lag < 5 || lag > 12 || copies[0].Lag > 2 {
				t.Errorf("node %d sees copies %+v", n.id, copies)
			}
		}
		time.Sleep(time.Second)
		c.tellAll()
		for _, n := range c.nodes[1:] {
			if copies := n.current().Status().Areas[0].Copies; copies[2].Lag > 2 {
				t.Errorf("node %d sees copies %+v", n.id, copies)
			}
		}
	})
}

func TestClusterWithoutMajorityHasNoLeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 1)
		defer c.stopAll()
		c.nodes[1].kill()
		c.nodes[2].kill()
		time.Sleep(3 * time.Second)
		h := c.nodes[3].current()
		if a := h.Status().Areas[0]; a.Lead != "" || time.Since(a.Since) < time.Second {
			t.Errorf("%+v", a)
		}
		if err := h.Move(t.Context(), 0, "n3"); !errors.Is(err, ErrNoLead) {
			t.Errorf("move: %v", err)
		}
	})
}

func TestMovedAreaStaysAtTargetNodeUntilThatNodeDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 2)
		defer c.stopAll()
		n1, n2 := c.nodes[1].current(), c.nodes[2].current()
		for _, n := range c.nodes[1:] {
			n.forgetGaps()
		}
		if err := n1.Move(t.Context(), 0, "n3"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second) // in this time no node moves the area back
		for _, n := range c.nodes[1:] {
			if got := n.leadOf(0); got != "n3" {
				t.Errorf("node %d sees %q", n.id, got)
			}
			if gap := n.longestGap(); gap > 100*time.Millisecond {
				t.Errorf("no frame for %v on node %d", gap, n.id)
			}
			if a := n.current().Status().Areas[0]; a.Preferred != "n3" || a.Last.Reason != "moved by an operator" {
				t.Errorf("node %d: %+v, %+v", n.id, a, a.Last)
			}
		}
		c.nodes[3].kill()
		time.Sleep(2 * time.Second)
		if got := c.nodes[2].leadOf(0); got != "n1" {
			t.Errorf("after the end of its node %q leads it", got)
		}
		if err := n1.Move(t.Context(), 0, "n3"); !errors.Is(err, ErrNodeDown) || !strings.Contains(err.Error(), "node n3 cannot be reached since ") {
			t.Errorf("moved to a node that is down: %v", err)
		}
		c.nodes[3].start()
		time.Sleep(time.Second)
		if err := n1.Move(t.Context(), 0, "n3"); !errors.Is(err, ErrNodeDown) || !strings.Contains(err.Error(), "less than 5s") {
			t.Errorf("moved to a node that has just come back: %v", err)
		}
		c.tellAll()
		time.Sleep(7 * time.Second)
		if got := c.nodes[2].leadOf(0); got != "n3" {
			t.Errorf("after the return of its node %q leads it", got)
		}
		n3 := c.nodes[3].current()
		if err := n3.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := n1.Move(t.Context(), 0, "n3"); !errors.Is(err, ErrNodeDown) || !strings.Contains(err.Error(), "node n3 is drained, so it hands over its areas") {
			t.Errorf("moved to a node that drains: %v", err)
		}
		if err := n3.Undrain(); err != nil {
			t.Error(err)
		}
		time.Sleep(8 * time.Second)
		if got := c.nodes[2].leadOf(0); got != "n1" {
			t.Errorf("after drain and undrain %q leads it", got)
		}
		if err := n2.Move(t.Context(), 1, "nowhere"); !errors.Is(err, ErrNoNode) || !strings.Contains(err.Error(), "the nodes of the cluster are n1, n2, n3") {
			t.Errorf("moved to no node: %v", err)
		}
		if err := n2.Move(t.Context(), 1, "n2"); err != nil {
			t.Errorf("moved to its leader: %v", err)
		}
		if err := n1.Move(t.Context(), 1, "n3"); err != nil {
			t.Error(err)
		}
		if err := c.nodes[3].current().Release(1); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		if a := c.nodes[1].current().Status().Areas[1]; a.Lead != "n2" || a.Preferred != "" || a.PlacedBy != PlacedByDefault || a.Last.Reason != "n2 leads it by default" {
			t.Errorf("the released area: %+v, %+v", a, a.Last)
		}
		if err := n2.Release(2); err == nil {
			t.Error("an area that there is not is released")
		}
	})
}

// The node that is asked does not lead the area and has no link to the node that leads it.
func TestNodeThatDoesNotLeadAreaCanMoveArea(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 2)
		defer c.stopAll()
		time.Sleep(settleTime)
		if err := c.nodes[2].current().Move(t.Context(), 0, "n3"); err != nil { // node 1 leads the area
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond) // node 3 tells node 1 that node 3 leads
		c.setCut(1, 3, true)
		// Node 3 learns of the move from node 2. Node 1 refuses the move while it knows no leader, because it has lost the link to node 3.
		err := ErrNoLead
		for i := 0; errors.Is(err, ErrNoLead) && i < 60; i++ {
			err = c.nodes[1].current().Move(t.Context(), 0, "n2")
			time.Sleep(tickEvery)
		}
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		for _, n := range c.nodes[1:] {
			if a := n.current().Status().Areas[0]; a.Lead != "n2" || a.Preferred != "n2" {
				t.Errorf("node %d: %+v", n.id, a)
			}
		}
	})
}

func TestMoveOfAreaToStalledNodeReturnsErrNotMoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 1)
		defer c.stopAll()
		stalled := make(chan struct{})
		go func() { c.nodes[2].stall(10 * time.Second); close(stalled) }()
		time.Sleep(500 * time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if err := c.nodes[1].current().Move(ctx, 0, "n2"); !errors.Is(err, ErrNotMoved) {
			t.Errorf("%v", err)
		}
		<-stalled
	})
}

func TestEncodedStatusMessageOfNodeDecodesToSameValues(t *testing.T) {
	want := news{nodeDrains, true, 0b1010, []areaNews{{7, 5, 1 << 41, placement{2, 99}, placement{}}, {1 << 40, 1 << 39, 0, placement{}, placement{3, 5}}}}
	b := want.append(nil)
	if got, err := parseNews(b, 3, 2); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for n := range b {
		if _, err := parseNews(b[:n], 3, 2); err == nil {
			t.Errorf("the first %d of %d bytes are accepted", n, len(b))
		}
	}
	for name, bad := range map[string]struct{ nodes, areas int }{"another number of areas": {3, 3}, "a move to a node that there is not": {1, 2}, "a placement by load at a node that there is not": {2, 2}, "a placement of an area that there is not": {3, 1}} {
		if _, err := parseNews(b, bad.nodes, bad.areas); err == nil {
			t.Error("accepted: " + name)
		}
	}
	if _, err := parseNews(append(b, 0), 3, 2); err == nil {
		t.Error("a byte after the end is accepted")
	}
}

func TestReportedAreaMoveWithFutureTimestampIsIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 1)
		defer c.stopAll()
		h := c.nodes[1].current()
		ahead := placement{3, h.NowMS() + time.Hour.Milliseconds()}
		n := news{nodeRuns, false, 0, []areaNews{{1, 0, 0, ahead, ahead}}}
		h.Receive(2, kindNode, n.append(nil))
		if got := h.Status().Areas[0]; got.Preferred != "" || got.PlacedBy != PlacedByDefault {
			t.Errorf("the area is moved to %q, placed by %s", got.Preferred, got.PlacedBy)
		}
		n.areas[0].placed.atMS = h.NowMS()
		h.Receive(2, kindNode, n.append(nil))
		if got := h.Status().Areas[0]; got.Preferred != "" || got.PlacedBy != PlacedByLoad {
			t.Errorf("the area is moved to %q, placed by %s", got.Preferred, got.PlacedBy)
		}
		n.areas[0].moved.atMS = h.NowMS()
		h.Receive(2, kindNode, n.append(nil))
		if got := h.Status().Areas[0]; got.Preferred != "n3" || got.PlacedBy != PlacedByOperator {
			t.Errorf("the area is moved to %q, placed by %s", got.Preferred, got.PlacedBy)
		}
		h.Receive(2, kindNode, []byte{9})
		if got := h.Status().Refused; got != 1 {
			t.Errorf("%d messages refused", got)
		}
	})
}

// A node that has just started, or that was cut off, has not seen when the leaders became leaders.
func TestNodeLearnsSinceWhenOthersLead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 3)
		defer c.stopAll()
		since := func(node int) (list []time.Time) {
			for _, a := range c.nodes[node].current().Status().Areas[:2] {
				list = append(list, a.Since.Truncate(time.Millisecond))
			}
			return list
		}
		if err := c.nodes[2].current().Move(t.Context(), 0, "n2"); err != nil {
			t.Fatal(err)
		}
		c.tellAll()
		time.Sleep(time.Second)
		want := since(2)
		if time.Since(want[0]) > 2*time.Second || time.Since(want[1]) < 7*time.Second {
			t.Fatalf("node 2 leads since %v, at %v", want, time.Now())
		}
		time.Sleep(time.Minute)
		c.nodes[3].kill()
		time.Sleep(2 * time.Second)
		c.nodes[3].start()
		time.Sleep(100 * time.Millisecond)
		for node := 1; node <= 3; node++ {
			if got := since(node); !slices.Equal(got, want) {
				t.Errorf("node %d shows leads since %v, want %v", node, got, want)
			}
		}
		c.setCut(2, 3, true)
		c.setCut(1, 3, true)
		time.Sleep(2 * time.Second)
		if a := c.nodes[3].current().Status().Areas[0]; a.Lead != "" || time.Since(a.Since) > 2*time.Second {
			t.Errorf("while node 3 is cut off, it shows %q since %v, at %v", a.Lead, a.Since, time.Now())
		}
		c.setCut(2, 3, false)
		c.setCut(1, 3, false)
		time.Sleep(2 * time.Second)
		if got := since(3); !slices.Equal(got, want) {
			t.Errorf("after node 3 was cut off, it shows leads since %v, want %v", got, want)
		}
		c.nodes[2].kill()
		time.Sleep(2 * time.Second)
		c.offset.Store(1500) // from now on the nodes measure that the clocks of the others are 1.5 s ahead
		c.tellAll()
		time.Sleep(time.Second)
		own, got := since(1)[0], since(3)[0]
		if c.nodes[3].leadOf(0) != "n1" || !got.Equal(own.Add(-1500*time.Millisecond)) || time.Since(got) > 5*time.Second {
			t.Errorf("node 3 shows that %q leads since %v; node 1 leads since %v by its clock", c.nodes[3].leadOf(0), got, own)
		}
	})
}

func TestTimeOfLeadInFutureCountsAsNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 2)
		defer c.stopAll()
		h := c.nodes[1].current()
		n := news{nodeRuns, false, 0b1010, []areaNews{{}, {ledMS: h.NowMS() + time.Hour.Milliseconds()}}}
		h.Receive(2, kindNode, n.append(nil))
		if a := h.Status().Areas[1]; a.Lead != "n2" || a.Since.After(time.Now()) {
			t.Errorf("%q leads since %v, at %v", a.Lead, a.Since, time.Now())
		}
	})
}

func FuzzNews(f *testing.F) {
	n := news{nodeDrains, true, 0b1010, []areaNews{{7, 5, 1 << 41, placement{2, 99}, placement{}}, {1 << 40, 1 << 39, 0, placement{}, placement{3, 5}}}}
	f.Add(n.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parseNews(b, 3, 2)
		if err != nil {
			return
		}
		if again := got.append(nil); !bytes.Equal(again, b) {
			t.Errorf("%x is encoded as %x", b, again)
		}
	})
}

// A node that stops in order hands over its areas first, and only then tells the others that it stops.
func TestOrderlyStopCountsAsDrainUnlessNodeStopsWhileItLeads(t *testing.T) {
	for name, want := range map[string]LeadCause{"handed over": CauseDrains, "still led": CauseStops} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := startThree(t, 1)
				defer c.stopAll()
				time.Sleep(settleTime)
				h := c.nodes[1].current()
				if want == CauseDrains {
					if err := h.Drain(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				h.Leave()
				time.Sleep(50 * time.Millisecond)
				c.nodes[1].kill()
				time.Sleep(2 * time.Second)
				for _, n := range c.nodes[2:] {
					if last := n.current().Status().Areas[0].Last; last == nil || last.From != "n1" || last.Cause != want {
						t.Errorf("node %d: %+v, want the cause %s", n.id, last, want)
					}
				}
			})
		})
	}
}
