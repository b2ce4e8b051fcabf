package web

import (
	"testing"

	"github.com/truestep-io/truestep/internal/crowd"
)

// A snapshot leaves out actors that are due only if it has no room for them: it is nearly as long as allowed. The actors of each
// crowd move in another way, and need another number of bits.
func TestSnapshotThatLeavesDueActorsOutIsNearlyFull(t *testing.T) {
	const ticks, settled, budget = 130, 50, 400 // after 50 ticks the states of the actors are spread over snapshots as later on
	for _, c := range []struct {
		scene   crowd.Scene
		members int
	}{{crowd.Scenes[0], 500}, {crowd.Scenes[2], 400}, {crowd.Published[0], 200}} {
		c.scene.Members = c.members
		r := newSceneRun(c.scene, 3, 6, 0.02)
		r.sim.budget = budget
		crowded, bytes, least := 0, 0, budget
		for tick := range ticks {
			before := r.sim.bytes
			if err := r.step(); err != nil {
				t.Fatal(err)
			}
			if length := r.sim.bytes - before; tick >= settled && r.sim.teller.crowded {
				crowded, bytes, least = crowded+1, bytes+length, min(least, length)
			}
		}
		mean := bytes / max(crowded, 1)
		t.Logf("%s, %d actors: %d of %d snapshots leave actors out; they fill %d %% of the budget in the mean, at least %d %%", c.scene.Name, c.members, crowded, ticks-settled, 100*mean/budget, 100*least/budget)
		if crowded < (ticks-settled)/2 || mean < budget*9/10 || least < budget*3/4 {
			t.Errorf("%s, %d actors: %d of %d snapshots leave actors out; they have %d bytes in the mean, the shortest %d, of at most %d", c.scene.Name, c.members, crowded, ticks-settled, mean, least, budget)
		}
	}
}

// A budget of any length is kept and used.
func TestSnapshotsUseBudgetOfAnyLength(t *testing.T) {
	for _, budget := range []int{64, 200, 600} {
		s := newSimulation(3, true, 250)
		s.budget = budget
		for _, m := range s.actors {
			s.show(m, true)
		}
		total := 0
		for tick := range 60 {
			for _, m := range s.actors { // all turn in each tick
				m.values[FieldYaw], m.values[FieldHealth] = int32(s.rng.IntN(256)), int32(s.rng.IntN(256))
			}
			s.bytes = 0
			if err := s.step(true); err != nil {
				t.Fatal(err)
			}
			if tick >= 20 {
				total += s.bytes
			}
		}
		if mean := total / 40; mean < budget*3/4 {
			t.Errorf("%d actors change in each tick, but snapshots have %d bytes in the mean, of at most %d", len(s.actors), mean, budget)
		}
	}
}
