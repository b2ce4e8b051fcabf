package bedrock

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
)

// Rules RK-10 and RK-13 of docs/wire/bedrock.md: split messages that are never completed, or that exceed the limits,
// hold a bounded amount of memory.
func TestIncompleteSplitMessagesUseBoundedMemory(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		x := srv.connect("mallory")
		x.stalled = true // from here on the test writes the datagrams itself
		u24 := func(b []byte, n int) []byte { return append(b, byte(n), byte(n>>8), byte(n>>16)) }
		for i := range 2000 {
			d := u24([]byte{0x84}, 10+i)
			d = binary.BigEndian.AppendUint16(append(d, 0x70), 1000*8) // a reliable ordered frame with the split flag
			d = u24(d, 10+i)
			d = append(u24(d, 10), 0)
			d = binary.BigEndian.AppendUint32(d, 500)
			d = binary.BigEndian.AppendUint16(d, uint16(i))
			d = binary.BigEndian.AppendUint32(d, uint32(i%500))
			srv.send(x.addr, append(d, make([]byte, 1000)...))
			if i%100 == 99 {
				srv.step()
			}
		}
		srv.advance(12 * time.Second)
		x.peer.Reset()
		srv.onWorker(func(w *worker) {
			if w.server.PeerCount() != 1 {
				t.Errorf("%d RakNet sessions", w.server.PeerCount())
			}
		})
	})
}

// Rule RK-14 of docs/wire/bedrock.md: an acknowledgement range of all sequence numbers is refused before it is
// expanded.
func TestRakNetAcknowledgementOfHugeRangeIsRefusedWithoutExpandingIt(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		x := srv.join("mallory")
		for range 200 {
			for _, kind := range []byte{0xc0, 0xa0} {
				b := []byte{kind, 0xff, 0xff}
				for len(b) < 1400 {
					b = append(b, 0, 0, 0, 0, 0xff, 0xff, 0xff)
				}
				srv.send(x.addr, b)
			}
			srv.step()
		}
		x.peer.Reset()
		srv.advance(11 * time.Second)
		srv.onWorker(func(w *worker) {
			if len(w.conns) != 1 {
				t.Errorf("%d connections", len(w.conns))
			}
		})
	})
}

// Rules RK-3, RK-4 and RK-6 of docs/wire/bedrock.md: forged connection requests create no state if cookies are on, and
// bounded state if they are off.
func TestForgedConnectionRequestsUseBoundedMemory(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{}, {NoCookies: true}} {
		withHonestPlayer(t, o, func(srv *testServer) {
			first, second := connectionRequests(srv)
			for i := range 1500 { // open 1500 sessions; at most 1,024 sessions may wait
				from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 1000)
				srv.send(from, first)
				srv.send(from, second)
				if i%300 == 299 {
					srv.step()
				}
			}
			late := srv.newPlayer(bot.Options{Name: "newcomer"})
			srv.waitFor("a newcomer to enter", late.Playing)
			srv.onWorker(func(w *worker) {
				if n := w.server.PeerCount(); n > 2+1024 || !o.NoCookies && n > 2 {
					t.Errorf("%d RakNet sessions", n)
				}
				if len(w.conns) != 2 {
					t.Errorf("%d connections", len(w.conns))
				}
			})
			srv.advance(11 * time.Second)
			srv.onWorker(func(w *worker) {
				if n := w.server.PeerCount(); n != 2 {
					t.Errorf("%d RakNet sessions 11 s later", n)
				}
			})
			if srv.logs.Count("level=WARN") != 0 {
				t.Errorf("logged:\n%s", srv.logs)
			}
		})
	}
}

// connectionRequests returns the two datagrams with which a client requests a connection.
func connectionRequests(srv *testServer) (first, second []byte) {
	a, b := raknet.NewServer(raknet.Config{NoCookies: true}), raknet.NewClient(raknet.ClientConfig{GUID: 9})
	b.Connect(0, serverAddr)
	own := netip.MustParseAddrPort("10.9.9.9:1000")
	b.Tick(0, func(raknet.Event) {})
	b.Flush(0, func(_ netip.AddrPort, d []byte) { first = append([]byte(nil), d...) })
	a.Receive(0, own, first, func(raknet.Event) {})
	a.Flush(0, func(_ netip.AddrPort, d []byte) { b.Receive(0, serverAddr, d, func(raknet.Event) {}) })
	b.Flush(0, func(_ netip.AddrPort, d []byte) { second = append([]byte(nil), d...) })
	return first, second
}

// A worker whose inbox is full drops datagrams and continues normally.
func TestDatagramsForWorkerWithFullQueueAreDropped(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		release := make(chan struct{})
		srv.gateway.workers[0].calls.Results <- func() { <-release }
		from := netip.MustParseAddrPort("10.9.9.9:1000")
		for range inboxDepth + 1000 {
			srv.send(from, []byte{1, 2, 3})
		}
		if n := srv.faults("overload"); n < 1000-10 || n > 1000 {
			t.Errorf("%d datagrams dropped", n)
		}
		close(release)
		srv.advance(300 * time.Millisecond)
	})
}

// Connections that are closed or abandoned at any stage leak no resources.
func TestAbandonedConnectionsLeakNoResources(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{PerAddr: -1}, func(srv *testServer) {
		for i, until := range []string{"", "NetworkSettings", "ServerToClientHandshake", "ResourcePacksInfo", "StartGame", "SetTime"} {
			for _, polite := range []bool{false, true} {
				x := srv.connect(fmt.Sprint("mallory", i, polite))
				switch until {
				case "":
				case "NetworkSettings":
					x.sendHello()
				default:
					x.loginUntil(until)
				}
				if until == "StartGame" { // the connection closes while the world is being sent
					x.send(proto.SetLocalPlayerAsInitialized{})
				}
				if polite {
					x.close()
				} else {
					x.peer.Reset()
					x.stalled = true
				}
				srv.advance(100 * time.Millisecond)
			}
		}
		srv.advance(12 * time.Second)
		srv.onWorker(func(w *worker) {
			if len(w.conns) != 1 || len(w.players) != 1 || len(w.scenes.Expected) != 0 || w.calls.Busy() {
				t.Errorf("%d connections, %d players, %d arrivals, calls under way: %v", len(w.conns), len(w.players), len(w.scenes.Expected), w.calls.Busy())
			}
			if len(w.g.accounts.by) != 1 || w.g.players.Load() != 1 {
				t.Errorf("names %v, %d players", w.g.accounts.by, w.g.players.Load())
			}
		})
		if s := srv.hub.Stats(); s.Online != 1 || s.Leaving != 0 {
			t.Errorf("%+v", s)
		}
	})
}
