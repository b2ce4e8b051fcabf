package web

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// lossRun holds the counts of one run of a simulation over a connection with loss.
type lossRun struct {
	bytes               int // length of all snapshots together
	longest             int // maximum number of successive snapshots, received or lost, from which the client did not get the state of an actor
	unknown, understood int // number of states in received snapshots that the client could not decode, and that it could decode
}

const lossTicks = 600 // ticks that are counted, after 100 ticks in which both sides get the first states

// runWithLoss runs a simulation with a round trip of 2 x delay ticks and a fixed refresh. In ticks for which lost returns true,
// the packets of both directions are lost. Every actor changes in every tick, so that each snapshot contains all of them. How they
// move depends on the seed alone.
func runWithLoss(t testing.TB, seed uint64, delay int, refresh uint8, lost func(tick int) bool) (r lossRun) {
	t.Helper()
	s := newSimulation(seed, false, 10)
	s.down.rng = rand.New(rand.NewPCG(seed, 9))
	s.up.rng = s.down.rng
	s.budget = 1 << 14 // room for all actors, so that only losses make an actor wait
	s.down.delay, s.up.delay = delay, delay
	for _, m := range s.actors {
		s.show(m, false)
	}
	waits := make([]int, len(s.actors)) // by handle: number of consecutive snapshots from which the client did not get the state of the actor
	decoded := map[uint16]bool{}
	s.onDecoded = func(handle uint16) { decoded[handle] = true }
	s.onSnapshot = func(b []byte, _ bool, _ int, _ uint32) {
		h, _, _ := ParseSnapshotHeader(b)
		for handle, v := range s.truth[[2]int64{s.runs, int64(h.Seq)}] {
			switch {
			case v == nil:
			case decoded[uint16(handle)]:
				r.understood++
				waits[handle] = 0
			default:
				r.unknown++
				waits[handle]++
				r.longest = max(r.longest, waits[handle])
			}
		}
		clear(decoded)
	}
	for tick := range 100 + lossTicks {
		if tick == 100 {
			s.bytes, r = 0, lossRun{}
			clear(waits)
		}
		for _, m := range s.actors {
			m.values[FieldHealth] = int32(37*tick+int(m.handle)) & 255
		}
		s.teller.refresh = refresh
		s.down.closed = tick >= 100 && lost(tick)
		s.up.closed = s.down.closed
		if err := s.step(false); err != nil {
			t.Fatal(err)
		}
	}
	r.bytes = s.bytes
	return r
}

// share returns a function that returns true for the share p of its calls, at random.
func share(p float64, seed uint64) func(tick int) bool {
	rng := rand.New(rand.NewPCG(seed, 6))
	return func(int) bool { return rng.Float64() < p }
}

// With refresh 1, every state is predicted from an acknowledged one, so the client can decode every snapshot that arrives, whatever was
// lost before it. The server uses refresh 1 above 1 % of loss, unless nearly all actors are in each snapshot.
func TestSnapshotsCodedAgainstAcknowledgedStatesAreDecodableDespiteLoss(t *testing.T) {
	for _, delay := range []int{1, 5, 20} { // a round trip of 2, 10 and 40 ticks
		for _, loss := range []float64{0.05, 0.3} {
			if r := runWithLoss(t, 11, delay, 1, share(loss, 5)); r.unknown != 0 || r.understood < 3000 {
				t.Errorf("round trip of %d ticks, loss %v: %d states of received snapshots were not understood, %d were", 2*delay, loss, r.unknown, r.understood)
			}
		}
	}
}

// With refresh m, every m-th state of an actor is predicted from an acknowledged one. After a lost snapshot, an actor's
// state therefore cannot be decoded in at most m-1 snapshots, however long the round trip is.
func TestActorIsDecodableAgainWithinRefreshIntervalAfterLostSnapshot(t *testing.T) {
	for _, delay := range []int{1, 5, 20} {
		for _, refresh := range []uint8{2, 4, 7} {
			r := runWithLoss(t, 11, delay, refresh, func(tick int) bool { return tick%60 == 59 })
			if want := int(refresh) - 1; r.longest != want || r.understood < 3000 {
				t.Errorf("round trip of %d ticks, refresh %d: a loss hides an actor for %d snapshots, want %d; %d states were understood", 2*delay, refresh, r.longest, want, r.understood)
			}
		}
	}
}

// exactly returns a function that returns true for exactly the share p of the ticks of a run. The ticks are chosen at random.
func exactly(p float64, seed uint64) func(tick int) bool {
	order := rand.New(rand.NewPCG(seed, 6)).Perm(lossTicks)
	return func(tick int) bool { return order[tick-100] < int(p*lossTicks) }
}

// With a fixed refresh, a loss of 5 % of the ticks makes snapshots hardly longer, however the actors move and whichever ticks are
// lost. They become longer only because they are coded against older acknowledged states. Nothing is sent again.
func TestFivePercentPacketLossLengthensSnapshotsByAtMostTwoPercent(t *testing.T) {
	var costs []float64
	for _, delay := range []int{1, 2, 5} {
		for range 8 {
			clean, lossy, seeds := 0, 0, [...]uint64{rand.Uint64(), rand.Uint64()}
			for _, seed := range seeds { // sums two runs, because one run alone may be up to 1.8 % longer
				clean += runWithLoss(t, seed, delay, 1, exactly(0, seed)).bytes
				lossy += runWithLoss(t, seed, delay, 1, exactly(0.05, seed)).bytes
			}
			cost := float64(lossy)/float64(clean) - 1
			costs = append(costs, cost)
			if cost > 0.02 {
				t.Errorf("a round trip of %d ticks, seeds %d: 5 %% loss costs %.1f %% of the bytes, want at most 2 %%", 2*delay, seeds, 100*cost)
			}
		}
	}
	slices.Sort(costs)
	t.Logf("5 %% loss costs %.1f to %.1f %% of the bytes, %.1f %% in the median of %d runs", 100*costs[0], 100*costs[len(costs)-1], 100*costs[len(costs)/2], len(costs))
}

// The refresh depends on the loss, on the tick rate, and on the share of the actors that snapshots contain. Above 1 % of loss the
// refresh is so low that after a lost snapshot the gap between two states of an actor is at most the delay with which clients
// draw.
func TestRefreshKeepsGapAfterLostSnapshotWithinDrawDelay(t *testing.T) {
	for _, c := range []struct {
		rate       int
		every      uint32 // ticks between two snapshots
		told, lost float64
		want       uint8
	}{
		{20, 1, 1, 0, 4}, {20, 1, 1, 0.05, 1}, {30, 1, 1, 0.05, 2}, {60, 1, 1, 0.05, 5}, {60, 1, 1, 0, 5}, {60, 1, 0.5, 0, 4}, {60, 1, 0.5, 0.05, 1},
		{60, 2, 1, 0.05, 2}, {60, 6, 1, 0.05, 1}, {255, 1, 1, 0.05, 7}, {1, 1, 1, 0.05, 1}, {60, 0, 1, 0.05, 5}, {60, 1 << 31, 1, 0.05, 1},
	} {
		schema := BuiltinSchema()
		teller := NewTeller(&schema, false, c.rate)
		teller.gap, teller.toldShare, teller.took, teller.lost = c.every, c.told, 200*(1-c.lost), 200*c.lost
		got := teller.chooseRefresh()
		if got != c.want {
			t.Errorf("%d ticks a second, a snapshot each %d, %v of the actors, %v lost: refresh %d, want %d", c.rate, c.every, c.told, c.lost, got, c.want)
		}
		if gap := (int(got) + 1) * int(c.every) * 1000 / c.rate; c.lost > 0.01 && got > 1 && gap > drawDelayMS {
			t.Errorf("refresh %d leaves a gap of %d ms", got, gap)
		}
	}
}

// If the refresh of a snapshot is n, every n-th state of an actor is predicted from a state that the client has acknowledged. To choose
// n, the Teller measures the ticks between two snapshots, and the share of the wanted actors that its snapshots contain. Actors for
// which the budget has no room do not count. All actors change in each snapshot, and 5 % of the snapshots are lost.
func TestRefreshDependsOnSnapshotIntervalAndShareOfActorsSent(t *testing.T) {
	for _, c := range []struct {
		every          uint32 // ticks between two snapshots
		actors, budget int
		want           uint8
	}{{1, 10, MaxDatagram, 5}, {2, 10, MaxDatagram, 2}, {1, 800, 200, 1}, {2, 800, 200, 1}} {
		schema := BuiltinSchema()
		teller, values := NewTeller(&schema, false, 60), make([]int32, BuiltinFields)
		for handle := range c.actors {
			teller.Enter(uint16(handle), 0, values)
			teller.Confirm(uint16(handle))
		}
		var got uint8
		received := uint64(0) // bits of ReceivedSnapshots.Mask
		for n := uint32(1); n <= 100; n++ {
			values[FieldHealth] = int32(37*n) & 255
			for handle := range c.actors {
				teller.Want(uint16(handle), values, 1, 1)
			}
			h, _, err := ParseSnapshotHeader(teller.Append(nil, SnapshotHeader{Tick: n * c.every}, c.budget))
			if err != nil {
				t.Fatal(err)
			}
			got = h.Refresh
			if n%20 == 10 {
				received <<= 1
				continue
			}
			if err := teller.Ack(ReceivedSnapshots{Run: h.Run, Seq: h.Seq, Mask: received}); err != nil {
				t.Fatal(err)
			}
			received = received<<1 | 1
		}
		if got != c.want {
			t.Errorf("a snapshot each %d ticks, %d actors, %d bytes: refresh %d, want %d", c.every, c.actors, c.budget, got, c.want)
		}
	}
}

// If the budget has room for only some of the actors, they are sent in turn. A turn is the time between two successive snapshots that
// contain the same actor. After a lost snapshot the client lacks a new state of an actor for at most two turns plus the refresh: the
// turn that ends with the lost state, and the turn until the next state, which the client can decode. All actors change in each tick.
func TestLostSnapshotHidesActorForAtMostTwoTurns(t *testing.T) {
	const refresh, lossAt, ticks = 4, 150, 240 // one loss in 150 snapshots does not lower the refresh
	for _, actors := range []int{40, 80} {
		for budget := 60; budget <= 300; budget += 40 {
			s := newSimulation(11, false, actors)
			s.budget = budget
			s.down.delay, s.up.delay = 2, 2
			for _, m := range s.actors {
				s.show(m, false)
			}
			told, decoded := make([]int, actors), make([]int, actors) // by handle: tick in which the actor was last sent, and last decoded
			turn, hidden, tick := 0, 0, 0
			s.onDecoded = func(handle uint16) { decoded[handle] = tick }
			for tick = range ticks {
				for _, m := range s.actors {
					m.values[FieldHealth] = int32(37*tick+int(m.handle)) & 255
				}
				s.down.closed = tick == lossAt
				if err := s.step(false); err != nil {
					t.Fatal(err)
				}
				for _, handle := range s.teller.chosen {
					if tick > lossAt/2 {
						turn = max(turn, tick-told[handle])
					}
					told[handle] = tick
				}
				for _, at := range decoded {
					if tick > lossAt/2+actors/2 {
						hidden = max(hidden, tick-at)
					}
				}
			}
			if s.teller.refresh != refresh || hidden == 0 || hidden > 2*turn+refresh {
				t.Errorf("%d actors, %d bytes, refresh %d: the client has no new state of an actor for %d ticks; actors wait for at most %d for their turn", actors, budget, s.teller.refresh, hidden, turn)
			}
		}
	}
}

// On an ordered connection no snapshot is lost, so none has to refresh states that the client may lack.
func TestSnapshotsOfOrderedConnectionHaveRefreshZero(t *testing.T) {
	schema := BuiltinSchema()
	teller := NewTeller(&schema, true, 60)
	for tick := range uint32(100) {
		h, _, err := ParseSnapshotHeader(teller.Append(nil, SnapshotHeader{Tick: tick}, MaxDatagram))
		if err != nil || h.Refresh != 0 {
			t.Fatalf("tick %d: refresh %d, %v", tick, h.Refresh, err)
		}
		_ = teller.Ack(ReceivedSnapshots{Run: h.Run, Seq: h.Seq})
	}
}
