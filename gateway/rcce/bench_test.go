package rcce

import (
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"testing"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/proto/enet"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// broadcastScene returns a scene and its last frame. The scene has n connected clients, whose players stand close together
// and have been shown to each other. Its worker does not run, and datagrams are discarded.
func broadcastScene(tb testing.TB, n int) (*scene, *sim.Frame) {
	tb.Helper()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	world := area.NewWorld(emptyFields(), area.Options{Log: quiet})
	g := newGateway(new(session.Hub), world, Options{Log: quiet, Workers: 1, MaxPeers: n, PeersPerAddr: n})
	w := g.workers[0]
	s := newScene(w, 0)
	w.scenes.Open[0] = s
	f := westFrame(1, nil)
	for i := range n {
		f.Actors = append(f.Actors, player(sim.EntityID(i+1), fmt.Sprint("p", i), geom.Vec{X: float32(i % 32), Z: float32(i / 32)}))
	}
	s.Show(f) // nothing is sent, because the scene has no members yet
	for i := range n {
		c := newConn(w, connectPeer(tb, w, i).peer)
		c.session, c.scene, c.lastBroadcast = &session.Session{Entity: sim.EntityID(i + 1)}, s, f.Tick
		s.members = append(s.members, c)
	}
	return s, f
}

// workerPeer is the client's end of a connection to a worker that does not run.
type workerPeer struct {
	addr netip.AddrPort
	host *enet.Host
	peer *enet.Peer // the worker's end of the connection
	mail [][]byte
}

// connectPeer connects a client to a worker that does not run.
func connectPeer(tb testing.TB, w *worker, i int) *workerPeer {
	tb.Helper()
	l := &workerPeer{
		addr: netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 1, byte(i >> 8), byte(i)}), 5000),
		host: enet.NewHost(enet.Config{MaxPeers: 1, SessionSeed: uint64(i), RefuseConnect: true}),
	}
	if _, err := l.host.Connect(0, serverAddr, 0); err != nil {
		tb.Fatal(err)
	}
	for range 3 {
		l.exchange(w, func(e enet.Event) { l.peer = e.Peer })
	}
	if l.peer == nil {
		tb.Fatal("the client did not connect")
	}
	return l
}

// exchange transfers queued datagrams between the client and the worker in both directions.
func (l *workerPeer) exchange(w *worker, handle func(enet.Event)) {
	l.host.Flush(0, func(_ netip.AddrPort, b []byte) { w.host.Receive(0, l.addr, b, handle) })
	w.host.Flush(0, func(to netip.AddrPort, b []byte) {
		if to == l.addr {
			l.mail = append(l.mail, append([]byte(nil), b...))
		}
	})
	for _, b := range l.mail {
		l.host.Receive(0, serverAddr, b, func(enet.Event) {})
	}
	l.mail = l.mail[:0]
}

// showInterval passes the frames of one broadcast interval to the scene. Every member is sent one update in that interval.
func showInterval(s *scene, f *sim.Frame) {
	for range 4 {
		f.Tick++
		s.Show(f)
		s.Broadcast(f)
	}
}

func TestBroadcastOfKnownMovingActorsDoesNotAllocate(t *testing.T) {
	s, f := broadcastScene(t, 200)
	bytes := 0
	s.w.emit = func(_ netip.AddrPort, b []byte) { bytes += len(b) }
	showInterval(s, f)
	if want := 200 * 200 * 31; bytes < want || bytes > want*11/10 {
		t.Fatalf("%d bytes in an interval, want 200 x 200 updates of 31 bytes and little more", bytes)
	}
	if n := testing.AllocsPerRun(50, func() { showInterval(s, f) }); n != 0 {
		t.Errorf("%v allocations in an interval, want 0", n)
	}
}

// BenchmarkBroadcast measures one interval of 200 ms in an area where all clients see each other, from frames to
// encoded datagrams: comparing actors, collecting nearby ones, encoding, and packing. It does not include the kernel.
func BenchmarkBroadcast(b *testing.B) {
	for _, n := range []int{200, 1000} {
		b.Run(fmt.Sprintf("viewers=%d/actors=%d", n, n), func(b *testing.B) {
			s, f := broadcastScene(b, n)
			bytes, datagrams := 0, 0
			s.w.emit = func(_ netip.AddrPort, d []byte) { bytes, datagrams = bytes+len(d), datagrams+1 }
			b.ReportAllocs()
			for b.Loop() {
				showInterval(s, f)
			}
			updates := float64(n) * float64(n) * float64(b.N)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/updates, "ns/update")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/op")
			b.ReportMetric(float64(bytes)/updates, "bytes/update")
			b.ReportMetric(float64(datagrams)/float64(b.N), "datagrams/op")
		})
	}
}
