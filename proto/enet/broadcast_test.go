package enet

import (
	"encoding/binary"
	"net/netip"
	"testing"
)

// newBroadcast returns a server with n connected peers.
func newBroadcast(tb testing.TB, n int) (*Host, []*Peer) {
	tb.Helper()
	h := NewHost(Config{MaxPeers: n, MaxHalfOpen: n, SessionSeed: 1})
	var peers []*Peer
	for i := range n {
		c := NewHost(Config{MaxPeers: 1, SessionSeed: uint64(i), RefuseConnect: true})
		addr := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 5000)
		if _, err := c.Connect(0, serverAddr, 0); err != nil {
			tb.Fatal(err)
		}
		for range 3 {
			for _, d := range collect(c, 0) {
				h.Receive(0, addr, d, func(e Event) { peers = append(peers, e.Peer) })
			}
			for _, d := range collect(h, 0) {
				c.Receive(0, serverAddr, d, nil)
			}
		}
	}
	if len(peers) != n {
		tb.Fatalf("%d of %d peers connected", len(peers), n)
	}
	return h, peers
}

func updates(n int) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		out[i] = make([]byte, 23)
		out[i][0] = 14
		binary.LittleEndian.PutUint16(out[i][1:], uint16(i+1))
	}
	return out
}

func BenchmarkBroadcast(b *testing.B) {
	b.Run("actors=1000/viewers=1000", func(b *testing.B) {
		h, peers := newBroadcast(b, 1000)
		actors := updates(1000)
		bytes := 0
		emit := func(_ netip.AddrPort, d []byte) { bytes += len(d) }
		round := func() {
			for _, p := range peers {
				for _, u := range actors {
					if err := p.SendUnreliable(2, u); err != nil {
						b.Fatal(err)
					}
				}
				h.FlushPeer(1, p, emit)
			}
		}
		round() // the first round allocates the buffers
		bytes = 0
		b.ReportAllocs()
		for b.Loop() {
			round()
		}
		n := float64(len(peers)*len(actors)) * float64(b.N)
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n, "ns/update")
		b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/op")
		b.ReportMetric(float64(bytes)/n, "bytes/update")
	})
}

func TestSteadyBroadcastDoesNotAllocate(t *testing.T) {
	h, peers := newBroadcast(t, 10)
	actors := updates(200)
	emit := func(netip.AddrPort, []byte) {}
	round := func() {
		for _, p := range peers {
			for _, u := range actors {
				if err := p.SendUnreliable(2, u); err != nil {
					t.Fatal(err)
				}
			}
			h.FlushPeer(1, p, emit)
		}
	}
	round()
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Errorf("%v allocations per round, want 0", n)
	}
}
