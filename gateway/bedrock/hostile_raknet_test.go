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

// RK-10, RK-13: messages that are never completed, and those that have no place, cost a bounded share of memory.
func TestPartsThatAreNeverCompleted(t *testing.T) {
	t.Parallel()
	beside(t, Options{}, func(r *rig) {
		x := r.stranger("mallory")
		x.deaf = true // from here on its datagrams are made by hand
		u24 := func(b []byte, n int) []byte { return append(b, byte(n), byte(n>>8), byte(n>>16)) }
		for i := range 2000 {
			d := u24([]byte{0x84}, 10+i)
			d = binary.BigEndian.AppendUint16(append(d, 0x70), 1000*8) // reliable ordered, a part
			d = u24(d, 10+i)
			d = append(u24(d, 10), 0)
			d = binary.BigEndian.AppendUint32(d, 500)
			d = binary.BigEndian.AppendUint16(d, uint16(i))
			d = binary.BigEndian.AppendUint32(d, uint32(i%500))
			r.send(x.addr, append(d, make([]byte, 1000)...))
			if i%100 == 99 {
				r.step()
			}
		}
		r.run(12 * time.Second)
		x.peer.Reset()
		r.on(func(w *worker) {
			if w.server.Peers() != 1 {
				t.Errorf("%d sessions of RakNet", w.server.Peers())
			}
		})
	})
}

// RK-14: an acknowledgement of everything is not expanded before it is checked.
func TestAcknowledgementsOfEverything(t *testing.T) {
	t.Parallel()
	beside(t, Options{}, func(r *rig) {
		x := r.enters("mallory")
		for range 200 {
			for _, kind := range []byte{0xc0, 0xa0} {
				b := []byte{kind, 0xff, 0xff}
				for len(b) < 1400 {
					b = append(b, 0, 0, 0, 0, 0xff, 0xff, 0xff)
				}
				r.send(x.addr, b)
			}
			r.step()
		}
		x.peer.Reset()
		r.run(11 * time.Second)
		r.on(func(w *worker) {
			if len(w.conns) != 1 {
				t.Errorf("%d connections", len(w.conns))
			}
		})
	})
}

// RK-3, RK-4, RK-6: forged requests create nothing without cookies, and little with those who know none.
func TestFloodsOfForgedRequests(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{}, {NoCookies: true}} {
		beside(t, o, func(r *rig) {
			first, second := requests(r)
			for i := range 3000 {
				from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 1000)
				r.send(from, first)
				r.send(from, second)
				if i%300 == 299 {
					r.step()
				}
			}
			late := r.newcomer(bot.Options{Name: "newcomer"})
			r.until("a newcomer to enter", late.Playing)
			r.on(func(w *worker) {
				if n := w.server.Peers(); n > 2+1024 || !o.NoCookies && n > 2 {
					t.Errorf("%d sessions of RakNet", n)
				}
				if len(w.conns) != 2 {
					t.Errorf("%d connections", len(w.conns))
				}
			})
			r.run(11 * time.Second)
			r.on(func(w *worker) {
				if n := w.server.Peers(); n != 2 {
					t.Errorf("%d sessions of RakNet 11 s later", n)
				}
			})
			if r.logged.count("level=WARN") != 0 {
				t.Errorf("logged:\n%s", r.logged)
			}
		})
	}
}

// requests are the two with which a client connects.
func requests(r *rig) (first, second []byte) {
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

// A worker that is behind loses datagrams as a network would, and nothing else.
func TestAnInboxThatOverflows(t *testing.T) {
	t.Parallel()
	beside(t, Options{}, func(r *rig) {
		release := make(chan struct{})
		r.gate.workers[0].calls.C <- func() { <-release }
		from := netip.MustParseAddrPort("10.9.9.9:1000")
		for range inboxDepth + 1000 {
			r.send(from, []byte{1, 2, 3})
		}
		if n := r.bad("overload"); n < 1000-10 || n > 1000 {
			t.Errorf("%d were lost", n)
		}
		close(release)
		r.run(300 * time.Millisecond)
	})
}

// Connections that are begun and left, at any stage, leave nothing.
func TestConnectionsThatComeAndGo(t *testing.T) {
	t.Parallel()
	beside(t, Options{PerAddr: -1}, func(r *rig) {
		for i, until := range []string{"", "NetworkSettings", "ServerToClientHandshake", "ResourcePacksInfo", "StartGame", "SetTime"} {
			for _, polite := range []bool{false, true} {
				x := r.stranger(fmt.Sprint("mallory", i, polite))
				switch until {
				case "":
				case "NetworkSettings":
					x.hello()
				default:
					x.until(until)
				}
				if until == "StartGame" { // and in the middle of what comes
					x.send(proto.SetLocalPlayerAsInitialized{})
				}
				if polite {
					x.hangUp()
				} else {
					x.peer.Reset()
					x.deaf = true
				}
				r.run(100 * time.Millisecond)
			}
		}
		r.run(12 * time.Second)
		r.on(func(w *worker) {
			if len(w.conns) != 1 || len(w.players) != 1 || len(w.scenes.Expected) != 0 || w.calls.Busy() {
				t.Errorf("%d connections, %d players, %d arrivals, calls under way: %v", len(w.conns), len(w.players), len(w.scenes.Expected), w.calls.Busy())
			}
			if len(w.g.names.by) != 1 || w.g.players.Load() != 1 {
				t.Errorf("names %v, %d players", w.g.names.by, w.g.players.Load())
			}
		})
		if s := r.hub.Stats(); s.Online != 1 || s.Leaving != 0 {
			t.Errorf("%+v", s)
		}
	})
}
