package rewind

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// delayedPacket is a packet in flight. It belongs to a tick and arrives before the step of a later tick.
type delayedPacket struct {
	tick, arrives uint64
	packet        packet
}

func drawPacket(t *rapid.T) packet {
	return packet{
		set: rapid.Bool().Draw(t, "set"),
		X:   float32(rapid.IntRange(-50, 50).Draw(t, "x")),
		V:   float32(rapid.IntRange(-9, 9).Draw(t, "v")),
	}
}

// A client that receives everything late and in any order ends in the same state as a client without delay. Packets of one
// tick keep their order of arrival.
func TestFinalStateDoesNotDependOnArrivalOrderOfPackets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 12).Draw(t, "size")
		inputs := rapid.SliceOfN(rapid.Float32Range(-2, 2), 1, 60).Draw(t, "inputs")
		n := uint64(len(inputs))
		var way []delayedPacket
		for range rapid.IntRange(0, 40).Draw(t, "packets") {
			tick := rapid.Uint64Range(1, n).Draw(t, "tick")
			// The packet arrives before the step of tick "arrives", while its own tick is still in the history.
			arrives := tick + rapid.Uint64Range(1, uint64(size)).Draw(t, "delay")
			way = append(way, delayedPacket{tick, min(arrives, n+1), drawPacket(t)})
		}
		way = rapid.Permutation(way).Draw(t, "order") // order of packets that arrive in the same frame
		slices.SortStableFunc(way, func(a, b delayedPacket) int { return int(a.arrives) - int(b.arrives) })

		now := New(size, inPlace(stepBody), applyPacket, Equal[body])
		after := New(size, inPlace(stepBody), applyPacket, Equal[body])
		for i, in := range inputs {
			tick := uint64(i + 1)
			for _, p := range way {
				if p.arrives == tick && after.Add(p.tick, p.packet) != Queued {
					t.Fatalf("tick %d is outside the window at %d", p.tick, tick)
				}
			}
			now.Step(in)
			after.Step(in)
			for _, p := range way {
				if p.tick == tick {
					now.Add(p.tick, p.packet)
				}
			}
		}
		for _, p := range way {
			if p.arrives == n+1 {
				after.Add(p.tick, p.packet)
			}
		}
		now.Reconcile()
		after.Reconcile()
		if !sameBits(now.State(), after.State()) {
			t.Fatalf("without delay %v, with delay %v", now.State(), after.State())
		}
		for tick := now.Oldest(); tick <= n; tick++ {
			_, a, _ := now.At(tick)
			if _, b, _ := after.At(tick); !sameBits(a, b) {
				t.Fatalf("tick %d: without delay %v, with delay %v", tick, a, b)
			}
		}
	})
}

func sameBits(a, b body) bool {
	return math.Float32bits(a.X) == math.Float32bits(b.X) && math.Float32bits(a.V) == math.Float32bits(b.V)
}

// The statistics count every packet exactly once, whichever tick it names, and the history never grows beyond its size.
func TestStatsCountEveryPacketOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := New(rapid.IntRange(1, 8).Draw(t, "size"), inPlace(stepBody), applyPacket, Equal[body])
		added, steps := uint64(0), uint64(0)
		for range rapid.IntRange(1, 80).Draw(t, "calls") {
			if rapid.Bool().Draw(t, "step") {
				h.Step(1)
				steps++
				continue
			}
			h.Add(rapid.Uint64Range(0, steps+2).Draw(t, "tick"), drawPacket(t))
			added++
		}
		s := h.Stats()
		if s.Queued+s.Untimed+s.Late+s.Early+s.Overflowed != added {
			t.Fatalf("%+v do not add up to %d packets", s, added)
		}
		if s.Unchanged+s.Visible > s.Rewinds || s.Rewinds > s.Queued || s.MaxReplayed >= len(h.ring) {
			t.Fatalf("inconsistent statistics %+v", s)
		}
		if h.Tick() != steps || h.Tick()-h.Oldest()+1 > uint64(len(h.ring)) {
			t.Fatalf("holds %d..%d after %d steps", h.Oldest(), h.Tick(), steps)
		}
	})
}
