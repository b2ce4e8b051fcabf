package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

func TestChooseMoveReturnsAreaWithGreatestGain(t *testing.T) {
	for name, c := range map[string]struct {
		nodes   []int64 // load of nodes 1, 2 and 3 apart from the areas they lead
		areas   []ledArea
		want    string
		without []uint64
	}{
		"no load":                              {[]int64{0, 0, 0}, []ledArea{{lead: 1}, {lead: 1}}, "none", nil},
		"equal loads":                          {[]int64{0, 0, 0}, []ledArea{{lead: 1, load: 500}, {lead: 2, load: 500}, {lead: 3, load: 500}}, "none", nil},
		"two hot areas on one node":            {[]int64{0, 0, 0}, []ledArea{{lead: 1, load: 500}, {lead: 2, load: 100}, {lead: 1, load: 500}}, "area 0 to 3", nil},
		"one hot area alone":                   {[]int64{0, 0, 0}, []ledArea{{lead: 1, load: 5000}}, "none", nil},
		"small areas leave a hot one":          {[]int64{0, 0, 0}, []ledArea{{lead: 1, load: 1000}, {lead: 1, load: 300}}, "area 1 to 2", nil},
		"an area too small to matter":          {[]int64{0, 0, 0}, []ledArea{{lead: 1, load: 1000}, {lead: 1, load: 120}}, "none", nil},
		"a gain below the minimum":             {[]int64{0, 0, 0}, []ledArea{{lead: 1, load: 99}, {lead: 1, load: 99}}, "none", nil},
		"a hot area that is fixed":             {[]int64{0, 0, 0}, []ledArea{{lead: 1, load: 500, fixed: true}, {lead: 1, load: 400}}, "area 1 to 2", nil},
		"players at the doors of the leader":   {[]int64{2000, 0, 0}, []ledArea{{lead: 1, load: 500}}, "area 0 to 2", nil},
		"players at the doors of other nodes":  {[]int64{0, 2000, 2000}, []ledArea{{lead: 1, load: 500}, {lead: 1, load: 500}}, "none", nil},
		"the busiest node has nothing to move": {[]int64{0, 0, 0}, []ledArea{{lead: 1, load: 5000}, {lead: 2, load: 300}, {lead: 2, load: 300}}, "area 1 to 3", nil},
		"areas without a leader are not moved": {[]int64{0, 0, 0}, []ledArea{{lead: 0, load: 500}, {lead: 0, load: 300}}, "none", nil},
		"the least loaded node never leads":    {[]int64{0, 50, 0}, []ledArea{{lead: 1, load: 500}, {lead: 1, load: 500}}, "area 0 to 2", []uint64{3}},
		"no other node leads":                  {[]int64{0, 0, 0}, []ledArea{{lead: 1, load: 500}, {lead: 1, load: 500}}, "none", []uint64{2, 3}},
		"no node leads":                        {[]int64{0, 0, 0}, []ledArea{{lead: 1, load: 500}, {lead: 1, load: 500}}, "none", []uint64{1, 2, 3}},
	} {
		nodes := append([]int64{0}, c.nodes...)
		for _, a := range c.areas {
			nodes[a.lead] += a.load
		}
		got := "none"
		if a, to, ok := chooseMove(nodes, c.without, c.areas, 100); ok {
			got = fmt.Sprintf("area %d to %d", a, to)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// With constant loads, areas soon stop moving, and no area moves twice to the same node.
func TestConstantLoadsCauseFewMovesAndNoSecondMoveToSameNode(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		nodes := make([]int64, 4+r.IntN(5))
		for i := 1; i < len(nodes); i++ {
			nodes[i] = r.Int64N(3000)
		}
		areas := make([]ledArea, 1+r.IntN(20))
		for i := range areas {
			areas[i] = ledArea{lead: uint64(1 + r.IntN(len(nodes)-1)), load: r.Int64N(2000), fixed: r.IntN(5) == 0}
			nodes[areas[i].lead] += areas[i].load
		}
		been := map[[2]uint64]bool{}
		for n := 0; ; n++ {
			a, to, ok := chooseMove(nodes, nil, areas, 100)
			if !ok {
				break
			}
			led := &areas[a]
			before := max(nodes[led.lead], nodes[to])
			nodes[led.lead] -= led.load
			nodes[to] += led.load
			if after := max(nodes[led.lead], nodes[to]); led.fixed || before-after < 100 || been[[2]uint64{uint64(a), to}] || n > len(areas) {
				t.Fatalf("seed %d: move %d takes area %d from %d to %d, and the greater load of the two from %d to %d", seed, n, a, led.lead, to, before, after)
			}
			been[[2]uint64{uint64(a), to}] = true
			led.lead = to
		}
	}
}

// Six areas have equal mean loads that change from second to second, and after half an hour one of them is three times as hot as
// before. The other area on the node of the hot area moves once, and no other area moves.
func TestNoisyLoadsMoveOnlyAreaThatSharesNodeWithHotArea(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 4))
		meters, areas := make([]loadMeter, 6), make([]ledArea, 6)
		for i := range areas {
			meters[i], areas[i] = newLoadMeter(3), ledArea{lead: uint64(1 + i%3)}
		}
		moves := 0
		for second := range 3600 {
			nodes := make([]int64, 4)
			for i := range areas {
				mean := int64(300)
				if i == 0 && second > 1800 {
					mean = 900
				}
				for node := 1; node <= 3; node++ {
					meters[i].counts[node] = r.Int64N(2*mean/3 + 1)
				}
				meters[i].stepped(&sim.Frame{}, 1, nil)
				areas[i].load = meters[i].load()
				nodes[areas[i].lead] += areas[i].load
				for node := 1; node <= 3; node++ {
					nodes[node] += meters[i].loadOf(uint64(node))
				}
			}
			if second < 30 || second%10 != 0 {
				continue
			}
			if a, to, ok := chooseMove(nodes, nil, areas, defaultBalance.minGain); ok {
				moves++
				if a == 0 || second <= 1800 {
					t.Fatalf("seed %d, second %d: area %d moves to %d", seed, second, a, to)
				}
				areas[a].lead = to
			}
		}
		if moves != 1 || areas[3].lead == 1 {
			t.Errorf("seed %d: %d moves, the areas are %+v", seed, moves, areas)
		}
	}
}

// quickly sets short intervals in the rules of a host, so that areas are placed by load within seconds.
func quickly(h *Host) {
	h.balance = balanceRules{every: 2 * time.Second, again: 20 * time.Second, minGain: 10, samples: 5}
}

// startHot starts three nodes with some areas, and puts load on the areas in hot. Areas are placed by load within seconds.
func startHot(t *testing.T, areas int, hot ...sim.AreaID) *cluster {
	return startHotWith(t, quickly, areas, hot...)
}

// startHotWith is startHot with a function that sets the rules and options of each host.
func startHotWith(t *testing.T, set func(*Host), areas int, hot ...sim.AreaID) *cluster {
	c := newCluster(t, fields(areas), 3, 1)
	c.set = set
	for _, n := range c.nodes[1:] {
		n.start()
	}
	time.Sleep(7 * time.Second)
	c.heat(hot...)
	return c
}

// heat makes players enter areas, one through each node, and say something each tick as long as the node runs.
func (c *cluster) heat(hot ...sim.AreaID) {
	for i, a := range hot {
		for k := range 3 {
			if !c.nodes[1+k].alive() {
				continue
			}
			p := c.nodes[1+k].enter(sim.CharacterID(1+k+3*i), a)
			go func() {
				for n := 0; ; n++ {
					time.Sleep(50 * time.Millisecond)
					h := p.n.current()
					if h == nil || h.Incarnation() != p.incarnation {
						return
					}
					_ = h.Submit(a, sim.Intent{Kind: sim.IntentChat, Who: p.who, AtMS: h.NowMS(), Text: fmt.Sprint(p.who, " ", n)})
				}
			}()
		}
	}
}

func TestHotAreasOfOneNodeAreSpreadOverTwoNodesWithoutInterruption(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startHot(t, 6, 0, 3) // node 1 leads both
		defer c.stopAll()
		for _, n := range c.nodes[1:] {
			n.forgetGaps()
		}
		time.Sleep(30 * time.Second)
		leads := map[string][]string{}
		for _, n := range c.nodes[1:] {
			if gap := n.longestGap(); gap > 100*time.Millisecond {
				t.Errorf("no frame for %v on node %d", gap, n.id)
			}
			s := n.current().Status()
			for _, a := range s.Areas {
				leads[n.current().Status().Node] = append(leads[s.Node], a.Lead)
			}
			if a := s.Areas[0]; a.Lead != "n2" || a.PlacedBy != PlacedByLoad || a.Preferred != "" || a.Changes != 1 || a.Last.Reason != "placed by load" {
				t.Errorf("node %d: %+v, %+v", n.id, a, a.Last)
			}
			if len(s.Changes) != 1 {
				t.Errorf("node %d has seen the changes %+v", n.id, s.Changes)
			}
			if hot, cold := s.Areas[0].Load, s.Areas[1].Load; hot < 30 || hot > 63 || cold != 0 || s.Nodes[2].Load != s.Nodes[2].DoorLoad || s.Nodes[1].Load < hot+s.Nodes[1].DoorLoad-1 || s.Nodes[1].DoorLoad < 20 {
				t.Errorf("node %d: area 0 has the load %d, area 1 %d, the nodes are %+v", n.id, hot, cold, s.Nodes)
			}
		}
		if want := []string{"n2", "n2", "n3", "n1", "n2", "n3"}; !slices.Equal(leads["n1"], want) || !slices.Equal(leads["n2"], want) || !slices.Equal(leads["n3"], want) {
			t.Errorf("the nodes see the leaders %v, want %v", leads, want)
		}
		c.nodes[1].kill() // node 1 is the decider, and stores placements only in memory
		time.Sleep(2 * time.Second)
		c.nodes[1].start()
		time.Sleep(10 * time.Second)
		if got := c.nodes[1].current().Status().Areas[0]; got.Lead != "n2" || got.PlacedBy != PlacedByLoad {
			t.Errorf("after a restart of the node that decides: %+v", got)
		}
	})
}

func TestAreasMovedByOperatorsAreNotPlacedByLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startHot(t, 4, 0, 3)
		defer c.stopAll()
		for _, a := range []sim.AreaID{0, 3} {
			if err := c.nodes[2].current().Move(t.Context(), a, "n3"); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(20 * time.Second)
		for _, a := range []sim.AreaID{0, 3} {
			if s := c.nodes[1].current().Status().Areas[a]; s.Lead != "n3" || s.PlacedBy != PlacedByOperator {
				t.Errorf("%+v", s)
			}
			h := c.nodes[1].current()
			h.mu.Lock()
			if placed := h.placed[a]; placed != (placement{}) { // a placement by load would take effect when the operator's move ends
				t.Errorf("area %d is placed by load as well: %+v", a, placed)
			}
			h.mu.Unlock()
		}
	})
}

// While a node drains, is down, or does not keep up, nothing is placed by load.
func TestNoAreaIsPlacedByLoadUnlessAllNodesAreReady(t *testing.T) {
	for name, disturb := range map[string]func(*cluster){
		"a node drains":      func(c *cluster) { c.nodes[3].current().draining.Store(true); c.nodes[3].current().Tell() },
		"the decider drains": func(c *cluster) { c.nodes[1].current().draining.Store(true); c.nodes[1].current().Tell() },
		"a node is down":     func(c *cluster) { c.nodes[3].kill() },
		"a link is broken":   func(c *cluster) { c.setCut(2, 3, true) },
		"a node does not follow": func(c *cluster) {
			_ = c.nodes[1].current().Move(c.t.Context(), 2, "n2") // node 3 then leads no area, so its lag is the only cause
			go c.nodes[3].stall(12 * time.Second)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := startHot(t, 4)
				defer c.stopAll()
				disturb(c)
				time.Sleep(2 * time.Second)
				c.heat(0, 3)
				time.Sleep(10 * time.Second)
				for _, a := range c.nodes[1].current().Status().Areas {
					if a.PlacedBy == PlacedByLoad {
						t.Errorf("%s is placed by %s", a.Name, a.PlacedBy)
					}
				}
			})
		})
	}
}

// Node 1, the decider, places the area at node 3. If the option FixedLeads of node 3 had an effect, node 3 would repeatedly give it back.
func TestFixedLeadersSettingHasNoEffectOnNodeThatIsNotDecider(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startHotWith(t, func(h *Host) { quickly(h); h.opt.FixedLeads = h.opt.Self == 3 }, 4, 0, 3, 1)
		defer c.stopAll()
		time.Sleep(15 * time.Second)
		for _, n := range c.nodes[1:] {
			if a := n.current().Status().Areas[0]; a.Lead != "n3" || a.PlacedBy != PlacedByLoad || a.Changes != 1 {
				t.Errorf("node %d: %+v", n.id, a)
			}
		}
	})
}

func TestDeciderWithdrawsItsPlacementsWhenRestartedWithFixedLeaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startHot(t, 4, 0, 3)
		defer c.stopAll()
		time.Sleep(15 * time.Second)
		if a := c.nodes[3].current().Status().Areas[0]; a.Lead != "n2" || a.PlacedBy != PlacedByLoad {
			t.Fatalf("before: %+v", a)
		}
		c.nodes[1].kill()
		c.set = func(h *Host) { quickly(h); h.opt.FixedLeads = h.opt.Self == decider }
		time.Sleep(2 * time.Second)
		c.nodes[1].start() // node 1 learns of the placement from the other nodes
		time.Sleep(10 * time.Second)
		for _, n := range c.nodes[1:] {
			if a := n.current().Status().Areas[0]; a.Lead != "n1" || a.PlacedBy != PlacedByDefault || a.Last != nil && a.Last.Reason != "n1 leads it by default" {
				t.Errorf("node %d: %+v, %+v", n.id, a, a.Last)
			}
		}
	})
}
