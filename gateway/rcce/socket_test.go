package rcce

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/proto/enet"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store/sqlite"
)

// The one test with a real socket and a real clock: from CONNECT to the first broadcast and the good-bye.
func TestThroughARealSocket(t *testing.T) {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	world := area.NewWorld(empty(), area.Options{Log: quiet})
	hub := session.NewHub(world, db, session.Options{Log: quiet, Secrets: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	(&rig{t: t, ctx: t.Context(), hub: hub}).account("ann")
	g, err := Listen(hub, world, Options{Addr: "127.0.0.1:0", Log: quiet, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	world.Start(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- g.Run(context.Background()) }()

	s := dialSocket(t, g.Addr())
	s.until("the handshake", func() bool { return s.peer.Connected() })
	s.send(proto.StartGameRequest{User: "ann", MD5: right})
	s.until("the entry and an update", func() bool {
		return s.count[proto.TypeStartGame] == 13 && s.count[proto.TypeStandardUpdate] > 0
	})
	if err := world.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	s.until("the good-bye", func() bool { return s.count[proto.TypeKickedPlayer] == 1 })
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
	if err := hub.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// A bug in the door must not cost anybody what he did since his last record.
func TestABrokenWorkerEndsTheDoorButNotTheProcess(t *testing.T) {
	for name, breaks := range map[string]func(w *worker){
		"in the worker": func(w *worker) { w.calls.C <- func() { panic("boom") } },
		"in a call": func(w *worker) {
			w.calls.C <- func() { w.calls.Do(func(context.Context) func() { panic("boom") }) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
			world := area.NewWorld(empty(), area.Options{Log: quiet})
			g, err := Listen(nil, world, Options{Addr: "127.0.0.1:0", Log: quiet, Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			breaks(g.workers[0])
			if err := g.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "boom") {
				t.Errorf("Run ended with %v", err)
			}
			if err := world.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// socketClient is a client on a real socket.
type socketClient struct {
	t     *testing.T
	conn  *net.UDPConn
	to    netip.AddrPort
	host  *enet.Host
	peer  *enet.Peer
	start time.Time
	count map[proto.Type]int
}

func dialSocket(t *testing.T, to netip.AddrPort) *socketClient {
	t.Helper()
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	s := &socketClient{
		t: t, conn: conn, to: to, start: time.Now(), count: map[proto.Type]int{},
		host: enet.NewHost(enet.Config{MaxPeers: 1, SessionSeed: 1, RefuseConnect: true}),
	}
	if s.peer, err = s.host.Connect(0, to, 0); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *socketClient) send(p proto.Packet) {
	if err := s.peer.Send(channelReliable, p.Append(nil)); err != nil {
		s.t.Fatal(err)
	}
}

// until serves the client until cond holds, for a minute at most: a busy machine is waited for.
func (s *socketClient) until(what string, cond func() bool) {
	s.t.Helper()
	event := func(e enet.Event) {
		if e.Kind == enet.Message {
			s.count[proto.Type(e.Data[0])]++
		}
	}
	var buf [4096]byte
	for end := time.Now().Add(time.Minute); !cond(); {
		if time.Now().After(end) {
			s.t.Fatalf("waited a minute in vain for %s; got %v", what, s.count)
		}
		now := uint32(time.Since(s.start).Milliseconds())
		s.host.Tick(now, event)
		s.host.Flush(now, func(to netip.AddrPort, b []byte) { _, _ = s.conn.WriteToUDPAddrPort(b, to) })
		_ = s.conn.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		n, from, err := s.conn.ReadFromUDPAddrPort(buf[:])
		if err == nil {
			s.host.Receive(now, netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), buf[:n], event)
		}
	}
	s.host.Flush(uint32(time.Since(s.start).Milliseconds()), func(to netip.AddrPort, b []byte) { _, _ = s.conn.WriteToUDPAddrPort(b, to) })
}

// A taken port and a wrong address say what to do.
func TestListenExplainsItsErrors(t *testing.T) {
	world := area.NewWorld(empty(), area.Options{})
	taken, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for addr, want := range map[string]string{taken.LocalAddr().String(): "choose one with --rcce", "nowhere": "give it as host:port"} {
		_, err := Listen(nil, world, Options{Addr: addr})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), addr) {
			t.Errorf("%s: %v, want advice with %q", addr, err, want)
		}
		var op *net.OpError
		if addr != "nowhere" && !errors.As(err, &op) {
			t.Errorf("%s: the cause is lost: %v", addr, err)
		}
	}
}
