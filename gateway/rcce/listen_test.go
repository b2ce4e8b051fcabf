package rcce

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/proto/enet"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/telemetry"
)

// Over an in-memory network that loses datagrams, a client connects to a door that was started by Bind, Open and Run, enters the
// world, and is kicked when the server stops.
func TestClientJoinsOverLossyNetworkAndIsKickedWhenServerStops(t *testing.T) {
	for name, imp := range map[string]netsim.Impairment{
		"perfect": {}, "bad": {DelayMS: 30, JitterMS: 20, Loss: 0.1, Duplicate: 0.05, Reorder: 0.1},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) { sessionFromConnectToStop(t, dir, imp) })
		})
	}
}

func sessionFromConnectToStop(t *testing.T, dir string, imp netsim.Impairment) {
	network := netsim.New(1)
	host, home := network.Host("192.0.2.1", "192.0.2.2"), network.Host("198.51.100.1")
	network.Impair(host, home, imp, imp)
	quiet := slog.New(slog.DiscardHandler)
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	world := area.NewWorld(emptyFields(), area.Options{Log: quiet})
	hub := session.NewHub(world, db, session.Options{Log: quiet, HashCost: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	(&testServer{t: t, ctx: t.Context(), hub: hub}).createAccount("ann")
	door := NewDoor()
	door.RcceWorkers = 2
	h := &gateway.Host{World: world, Hub: hub, Log: quiet, Metrics: telemetry.New(), Sockets: gateway.SocketOpener{
		UDP: func(addr string) (gateway.Conn, error) { return host.ListenPacket(addr) },
	}}
	if err := errors.Join(door.Check(), door.Bind(h), door.Open(h)); err != nil {
		t.Fatal(err)
	}
	if s := door.Describe(h); !strings.HasSuffix(s.Play[0], "; port 25000") || len(s.Try) != 1 {
		t.Errorf("the door is described with %q", s.Play)
	}
	world.Start(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- door.Run(context.Background()) }()

	s := dialSocket(t, home, netip.MustParseAddrPort("192.0.2.2:25000"))
	s.waitFor("the handshake", func() bool { return s.peer.IsConnected() })
	s.send(proto.StartGameRequest{User: "ann", MD5: rightMD5})
	s.waitFor("the entry and an update", func() bool {
		return s.count[proto.TypeStartGame] == 13 && s.count[proto.TypeStandardUpdate] > 0
	})
	if err := world.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	s.waitFor("the message that the server stops", func() bool { return s.count[proto.TypeKickedPlayer] == 1 })
	if err := errors.Join(<-ended, door.Close(), door.Close(), hub.Close(context.Background())); err != nil {
		t.Error(err)
	}
}

// A panic in a worker ends Run with an error instead of the process, so that the records of players can still be saved.
func TestPanicInWorkerEndsGatewayWithError(t *testing.T) {
	for name, breaks := range map[string]func(w *worker){
		"in the worker": func(w *worker) { w.calls.Results <- func() { panic("boom") } },
		"in a call": func(w *worker) {
			w.calls.Results <- func() { w.calls.Start(func(context.Context) func() { panic("boom") }) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			quiet := slog.New(slog.DiscardHandler)
			world := area.NewWorld(emptyFields(), area.Options{Log: quiet})
			g, err := Listen(new(session.Hub), world, Options{Addr: "127.0.0.1:0", Log: quiet, Workers: 2})
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

// socketClient is an ENet client whose socket belongs to an in-memory network.
type socketClient struct {
	t     *testing.T
	conn  net.Conn
	to    netip.AddrPort
	host  *enet.Host
	peer  *enet.Peer
	start time.Time
	count map[proto.PacketType]int
}

// dialSocket connects a client to the server address in the parameter to. The client receives datagrams from that address only.
func dialSocket(t *testing.T, home *netsim.Host, to netip.AddrPort) *socketClient {
	t.Helper()
	conn, err := home.Dial(t.Context(), "udp", to.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	s := &socketClient{
		t: t, conn: conn, to: to, start: time.Now(), count: map[proto.PacketType]int{},
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

// waitFor runs the client until cond holds.
func (s *socketClient) waitFor(what string, cond func() bool) {
	s.t.Helper()
	event := func(e enet.Event) {
		if e.Kind == enet.Message {
			s.count[proto.PacketType(e.Data[0])]++
		}
	}
	emit := func(_ netip.AddrPort, b []byte) { _, _ = s.conn.Write(b) }
	var buf [4096]byte
	for end := time.Now().Add(time.Minute); !cond(); {
		if time.Now().After(end) {
			s.t.Fatalf("not within a minute: %s; received %v", what, s.count)
		}
		now := uint32(time.Since(s.start).Milliseconds())
		s.host.Tick(now, event)
		s.host.Flush(now, emit)
		_ = s.conn.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		if n, err := s.conn.Read(buf[:]); err == nil {
			s.host.Receive(now, s.to, buf[:n], event)
		}
	}
	s.host.Flush(uint32(time.Since(s.start).Milliseconds()), emit)
}

func TestErrorOfSocketThatCannotBeOpenedSaysHowToFixIt(t *testing.T) {
	world := area.NewWorld(emptyFields(), area.Options{})
	taken, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for addr, want := range map[string]string{taken.LocalAddr().String(): "choose another address with --rcce", "nowhere": "give it as host:port"} {
		_, err := Listen(new(session.Hub), world, Options{Addr: addr})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), addr) {
			t.Errorf("%s: %v, want a fix with %q", addr, err, want)
		}
		var cause syscall.Errno
		if addr != "nowhere" && !errors.As(err, &cause) {
			t.Errorf("%s: the cause is lost: %v", addr, err)
		}
	}
}
