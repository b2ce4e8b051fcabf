package session

import (
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// crossingStep is an event about a player that the hub of a node reads.
type crossingStep struct {
	kind   string     // "joined", "departed", "wait" for departureWait, or "missed": frames of the area were missed before one without the player
	in, to sim.AreaID // area of the frame; area to which the player departed
}

// The node reads the frames of each area in order, but those of one area later than those of another.
func TestHubOfNodeKnowsAreaOfPlayerWhoseDepartureItReadsAfterArrival(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		s := n.enters(n.player("Ada"))
		ticks(20)
		n.answers(nil, 1000) // the node cannot find out where the player is before it has read the late frames
		for name, steps := range map[string][]crossingStep{
			"in order":                {{"departed", 0, 1}, {"joined", 1, 1}},
			"the first area is late":  {{"joined", 1, 1}, {"departed", 0, 1}},
			"there and on":            {{"joined", 2, 2}, {"departed", 2, 1}, {"joined", 1, 1}, {"departed", 0, 2}},
			"on before the departure": {{"joined", 2, 2}, {"departed", 2, 1}, {"departed", 0, 2}, {"joined", 1, 1}},
			"two areas are late":      {{"joined", 1, 1}, {"departed", 0, 2}, {"joined", 2, 2}, {"departed", 2, 1}},
			"the last area first":     {{"joined", 2, 2}, {"joined", 1, 1}, {"departed", 2, 1}, {"departed", 0, 2}},
			"departure is overdue":    {{"joined", 1, 1}, {"wait", 0, 0}, {"departed", 0, 1}},
			"departure is not read":   {{"joined", 1, 1}, {"wait", 0, 0}, {"departed", 1, 0}, {"joined", 0, 0}, {"departed", 0, 1}, {"joined", 1, 1}, {"wait", 0, 0}, {"joined", 1, 1}},
			"departure in a gap":      {{"joined", 1, 1}, {"missed", 0, 0}, {"departed", 1, 0}, {"joined", 0, 0}, {"departed", 0, 1}, {"joined", 1, 1}},
			"gap before the arrival":  {{"missed", 0, 0}, {"joined", 1, 1}, {"departed", 1, 0}, {"joined", 0, 0}, {"departed", 0, 1}, {"joined", 1, 1}},
		} {
			n.mu.Lock()
			v := s.presence
			v.area, v.arrived, v.crossing, v.missing, v.early = 0, true, false, false, nil
			n.mu.Unlock()
			for _, step := range steps {
				switch step.kind {
				case "missed":
					n.recoverMissedFrames(&sim.Frame{Area: step.in})
				case "wait":
					time.Sleep(departureWait + 1)
				default:
					n.trackArea(s.Entity, step.in, step.to, step.kind == "joined")
				}
			}
			n.mu.Lock()
			if v.area != 1 || !v.arrived || slices.ContainsFunc(v.early, func(e earlyArrival) bool { return time.Now().Before(e.until) }) {
				t.Errorf("%s: the hub has the player in area %d, arrived %v, with early arrivals %v; want it in area 1", name, v.area, v.arrived, v.early)
			}
			v.area = 0 // where it is
			n.mu.Unlock()
		}
	})
}

func TestHubIgnoresOldFrameAfterGapForPlayerThatHasArrivedElsewhere(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		s := n.enters(n.player("Ada"))
		ticks(20)
		n.trackArea(s.Entity, 1, 1, true)
		n.recoverMissedFrames(&sim.Frame{Area: 0, Actors: []sim.ActorState{{ID: s.Entity}}})
		if p, _ := n.Player(s.Entity); p.Area != 1 {
			t.Errorf("the hub has the player in area %d, want 1", p.Area)
		}
		n.trackArea(s.Entity, 0, 1, false)
		n.mu.Lock()
		defer n.mu.Unlock()
		if v := s.presence; v.area != 1 || !v.arrived {
			t.Errorf("after the late departure the hub has the player in area %d, arrived %v, want it in area 1", v.area, v.arrived)
		}
		s.presence.area = 0 // where it is
	})
}

// The first frame after a gap has the player in another area than its last frames, whose departure the hub has still to read.
func TestHubIgnoresOlderFramesOfAreaThatPlayerFoundAfterGapHasLeft(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		s := n.enters(n.player("Ada"))
		ticks(20)
		here := []sim.ActorState{{ID: s.Entity}}
		n.recoverMissedFrames(&sim.Frame{Area: 1, Actors: here})
		n.recoverMissedFrames(&sim.Frame{Area: 0, Actors: here}) // older
		n.trackArea(s.Entity, 0, 1, false)
		n.mu.Lock()
		defer n.mu.Unlock()
		if v := s.presence; v.area != 1 || !v.arrived {
			t.Errorf("the hub has the player in area %d, arrived %v, want it in area 1", v.area, v.arrived)
		}
		s.presence.area = 0 // where it is
	})
}
