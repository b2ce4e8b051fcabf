package web

import (
	"testing"

	"github.com/truestep-io/truestep/internal/crowd"
)

// A snapshot that leaves out actors which are due must have had no room for them, so it is nearly as long as allowed. The actors
// of each crowd move in another way and need another number of bits.
func TestSnapshotThatOmitsDueActorsIsNearlyFull(t *testing.T) {
	const ticks, settled, budget = 130, 50, 400 // only snapshots after tick 50 count, when the states of the actors are spread evenly over the snapshots
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

// 1,000 actors are in view and change in each tick. At any tick rate the client is sent SendRate bytes a second, headers included, and
// hardly less. Actors with a weight of 4 are sent more often than those with a weight of 1, and none is left out for long.
func TestClientIsSent20KiBPerSecondAtAnyTickRateWhile1000ActorsMove(t *testing.T) {
	const actors, headers, seconds = 1000, 52, 11
	for _, rate := range []int{5, 20, 60} {
		s := newSimulation(3, false, actors)
		s.rate, s.teller.rate = rate, rate
		for i, m := range s.actors {
			if i%5 == 0 {
				m.weight = 4
			}
			s.show(m, false)
		}
		budget, sent, told := NewBudget(rate, headers), []int{}, map[int32]int{}
		for tick := range seconds * rate {
			for _, m := range s.actors { // all actors turn in each tick
				m.values[FieldYaw], m.values[FieldHealth] = int32(s.rng.IntN(256)), int32(s.rng.IntN(256))
			}
			s.budget, s.bytes = budget.Snapshot(s.tick+1), 0
			if err := s.step(false); err != nil { // the method step also checks that no actor waits too long
				t.Fatalf("%d ticks a second, tick %d: %v", rate, tick, err)
			}
			budget.AddSnapshot(s.bytes)
			sent = append(sent, s.bytes+headers)
			for _, handle := range s.teller.chosen {
				told[s.actors[handle].weight]++
			}
		}
		total, most := 0, 0
		for tick := range sent {
			total += sent[tick]
			if tick >= rate {
				total -= sent[tick-rate]
			}
			if most = max(most, total); tick == 9*rate {
				most = total // the maximum is counted from second 9 on: at 20 ticks a second the initial burst takes some seconds
			}
		}
		want := min(SendRate, rate*(MaxDatagram+headers))
		share := float64(told[4]) / float64(told[1]) // told[4] counts states of 200 close actors, told[1] those of 800 other actors
		t.Logf("%d ticks a second: %d bytes in the last second, at most %d in one; close actors are sent %.1f times as often as others", rate, total, most, 4*share)
		if most > want+MaxDatagram || total < want*9/10 || 4*share < 2.5 || 4*share > 5 {
			t.Errorf("%d ticks a second: %d bytes in the last second, at most %d in one, want %d; close actors are sent %.1f times as often as others", rate, total, most, want, 4*share)
		}
	}
}

// Control messages shorten the following snapshots, but only for a short time, and they do not prevent them.
func TestControlMessagesShortenFollowingSnapshotsOnlyBriefly(t *testing.T) {
	for _, rate := range []int{5, 20, 60, 255} {
		b := NewBudget(rate, 52)
		if n := b.Snapshot(1); n != MaxDatagram {
			t.Errorf("%d ticks a second: the first snapshot has room for %d bytes", rate, n)
		}
		b.AddControl(1 << 20)
		share := SendRate/rate - 52 // bytes of a snapshot
		least := max(share/4, 32)
		if n := b.Snapshot(2); n != min(least, MaxDatagram) {
			t.Errorf("%d ticks a second: after control messages a snapshot has room for %d bytes, want %d", rate, n, least)
		}
		for tick := range rate {
			b.AddSnapshot(b.Snapshot(uint32(3 + tick)))
		}
		if n, want := b.Snapshot(uint32(3+rate)), min(max(share, 32), MaxDatagram); n < want*9/10 {
			t.Errorf("%d ticks a second: a second later a snapshot has room for %d bytes, want %d", rate, n, want)
		}
	}
}

// Snapshots never exceed the budget, whatever its size, and nearly use it up.
func TestSnapshotsNearlyFillButNeverExceedByteBudget(t *testing.T) {
	for _, budget := range []int{64, 200, 600} {
		s := newSimulation(3, true, 250)
		s.budget = budget
		for _, m := range s.actors {
			s.show(m, true)
		}
		total := 0
		for tick := range 60 {
			for _, m := range s.actors { // all actors turn in each tick
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
