package web

import "testing"

// For a crowd that moves, neither making a snapshot nor processing its acknowledgement allocates, whether or not the snapshot has room
// for all actors.
func TestSnapshotsOfMovingCrowdAllocateNothing(t *testing.T) {
	for name, c := range map[string]struct {
		ordered bool
		budget  int
	}{"datagrams": {false, MaxDatagram}, "small datagrams": {false, 200}, "ordered connection": {true, MaxDatagram}} {
		s := newSimulation(1, c.ordered, 225)
		for _, m := range s.actors {
			s.show(m, c.ordered)
		}
		for range 100 {
			if err := s.step(c.ordered); err != nil {
				t.Fatal(err)
			}
		}
		buf, tick := make([]byte, 0, 2*MaxDatagram), s.tick
		frame := func() {
			tick++
			for _, m := range s.actors {
				m.step(s.rng)
				s.teller.Want(m.handle, m.values, 1, 1)
			}
			buf = s.teller.Append(buf[:0], SnapshotHeader{Tick: tick}, c.budget)
			if c.ordered {
				return
			}
			if err := s.teller.Ack(ReceivedSnapshots{Run: s.teller.Run(), Seq: s.teller.Seq() - 2, Mask: ^uint64(0)}); err != nil {
				t.Fatal(err)
			}
		}
		for range 300 { // lets the lists grow to their full length
			frame()
		}
		if n := testing.AllocsPerRun(50, frame); n != 0 {
			t.Errorf("%s: a snapshot allocates %v times, want 0", name, n)
		}
	}
}
