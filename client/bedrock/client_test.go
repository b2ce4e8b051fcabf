package bedrock

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/leaktest"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/sim/terrain"
)

func TestMain(m *testing.M) { leaktest.VerifyTestMain(m) }

// rakNetServer is a RakNet server with one fakeServer per client.
type rakNetServer struct {
	conn *netsim.PacketConn
	dial func(ctx context.Context, network, addr string) (net.Conn, error) // connects from the network address of a client
	rak  *raknet.Server
	from time.Time
	over sync.WaitGroup

	mu      sync.Mutex
	servers map[*raknet.Peer]*fakeServer
	reasons []raknet.DisconnectReason
}

// newRakNetServer runs a server on an in-memory network until the test ends. imp is the delay and loss of its
// connections.
func newRakNetServer(t *testing.T, cfg raknet.Config, blocks *terrain.Blocks, imp netsim.Impairment) *rakNetServer {
	t.Helper()
	network := netsim.New(1)
	host, home := network.Host("10.0.0.1"), network.Host("10.0.1.1")
	network.Impair(home, host, imp, imp)
	conn, err := host.ListenPacket("10.0.0.1:19132")
	if err != nil {
		t.Fatal(err)
	}
	n := &rakNetServer{conn: conn, dial: home.Dial, rak: raknet.NewServer(cfg), from: time.Now(), servers: map[*raknet.Peer]*fakeServer{}}
	n.over.Add(1)
	go n.serve(blocks)
	t.Cleanup(func() {
		conn.Close()
		n.over.Wait()
	})
	return n
}

func (n *rakNetServer) addr() string { return n.conn.LocalAddr().String() }

func (n *rakNetServer) ms() int64 { return time.Since(n.from).Milliseconds() }

func (n *rakNetServer) serve(blocks *terrain.Blocks) {
	defer n.over.Done()
	buf := make([]byte, maxDatagram)
	emit := func(to netip.AddrPort, b []byte) { _, _ = n.conn.WriteToUDPAddrPort(b, to) }
	for {
		_ = n.conn.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		k, at, err := n.conn.ReadFromUDPAddrPort(buf)
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
		n.mu.Lock()
		if err == nil {
			n.rak.Receive(n.ms(), at, buf[:k], func(e raknet.Event) { n.event(e, blocks) })
		}
		n.rak.Tick(n.ms(), func(e raknet.Event) { n.event(e, blocks) })
		n.rak.Flush(n.ms(), emit)
		n.mu.Unlock()
	}
}

func (n *rakNetServer) event(e raknet.Event, blocks *terrain.Blocks) {
	switch e.Kind {
	case raknet.Connected:
		n.servers[e.Peer] = newFakeServer(blocks)
	case raknet.Message:
		n.servers[e.Peer].receive(e.Data, func(b []byte) { _ = e.Peer.SendOrdered(b) })
	case raknet.Disconnected:
		n.reasons = append(n.reasons, e.Reason)
	}
}

// eachServer calls fn with the fakeServer of each client. During the calls, no other goroutine changes a fakeServer.
func (n *rakNetServer) eachServer(fn func(d *fakeServer)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, d := range n.servers {
		fn(d)
	}
}

// A client joins, walks without corrections and leaves. By then the server has received all of its inputs.
func TestClientWalksOverRakNetWithoutCorrections(t *testing.T) {
	t.Parallel()
	jsp := RakNet{ImitateJSPRakNet: true}
	for name, kind := range map[string]struct {
		client RakNet
		server raknet.Config
		line   netsim.Impairment
	}{
		"current":                    {},
		"current, bad connection":    {line: netsim.Impairment{DelayMS: 40, JitterMS: 20, Loss: 0.05, Duplicate: 0.02, Reorder: 0.05}},
		"jsp-raknet":                 {client: jsp, server: raknet.Config{NoCookies: true}},
		"jsp-raknet, bad connection": {client: jsp, server: raknet.Config{NoCookies: true}, line: netsim.Impairment{DelayMS: 40, JitterMS: 20, Duplicate: 0.02}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				n := newRakNetServer(t, kind.server, playground(t), kind.line)
				c, err := Dial(t.Context(), n.addr(), Options{Name: "Alex", Seed: 5, RakNet: kind.client, Chunks: &ChunkCache{}, Dial: n.dial})
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				c.Say("hello")
				c.Command("/who")
				walk, stop := context.WithCancel(t.Context())
				if err := c.Play(walk, &stopAfter{n: 200, stop: stop, b: &Wander{}}); err != nil {
					t.Fatal(err)
				}
				h := Histograms{RoundTrips: NewHistogram()}
				s := c.Stats(&h)
				if s.Inputs < 200 || s.Move.Corrections != 0 || s.ParseErrors != 0 || s.BytesIn == 0 || s.BytesOut == 0 {
					t.Errorf("%+v: %v", s, c.FirstParseError())
				}
				if h.RoundTrips.TotalCount() == 0 {
					t.Error("no RTT was measured")
				}
				time.Sleep(time.Second) // waits until the datagrams on their way have arrived
				c.Close()
				n.eachServer(func(d *fakeServer) {
					if d.received[proto.IDText] == nil || d.received[proto.IDCommandRequest] == nil {
						t.Errorf("received only %v", d.packetOrder)
					}
					if d.err != nil || d.inputs < 200 || d.player.corrections != 0 || d.player.maxError > 1e-4 {
						t.Errorf("%v, %d inputs, %d corrections, off by %v", d.err, d.inputs, d.player.corrections, d.player.maxError)
					}
				})
				s = c.Stats(nil) // Close has sent further inputs until the server confirmed the end
				if past := c.ResetStats(); past.Inputs != s.Inputs {
					t.Errorf("ResetStats returned %d inputs, Stats %d", past.Inputs, s.Inputs)
				}
				if now := c.Stats(nil); now.Inputs != 0 || now.BytesIn != 0 || now.Move.Ticks != 0 {
					t.Errorf("counts after ResetStats: %+v", now)
				}
			})
		})
	}
}

// stopAfter calls stop in its n-th tick.
type stopAfter struct {
	n    int
	stop func()
	b    Behaviour
}

func (a *stopAfter) Act(p *Player) Keys {
	if a.n--; a.n == 0 {
		a.stop()
	}
	return a.b.Act(p)
}

// slowBehaviour takes longer than a tick, as it may on an overloaded machine.
type slowBehaviour struct{}

func (slowBehaviour) Act(*Player) Keys {
	time.Sleep(TickInterval + TickInterval/5)
	return Keys{}
}

// A client that is late for every tick still reads from its socket. Otherwise it would not acknowledge the server's
// datagrams, and the server would disconnect it.
func TestClientWithLateTicksStaysConnected(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := newRakNetServer(t, raknet.Config{}, playground(t), netsim.Impairment{})
		c, err := Dial(t.Context(), n.addr(), Options{Name: "Alex", Seed: 5, Chunks: &ChunkCache{}, Dial: n.dial})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for range 2 { // the first tick is in time, the second is late
			c.ResetStats()
			play, stop := context.WithCancel(t.Context())
			if err := c.Play(play, &stopAfter{n: 600, stop: stop, b: slowBehaviour{}}); err != nil {
				t.Fatal(err)
			}
		}
		if s := c.Stats(nil); s.Inputs < 600 || s.BytesIn == 0 {
			t.Errorf("%d inputs sent, %d bytes received", s.Inputs, s.BytesIn)
		}
	})
}

// The test binds the port with a socket that is connected to another peer: the kernel then reports the port as closed,
// and no other process can open it.
func TestDialToClosedPortReturnsErrNoServer(t *testing.T) {
	conn, err := net.DialUDP("udp4", nil, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := Dial(t.Context(), conn.LocalAddr().String(), Options{Name: "Alex"}); !errors.Is(err, ErrNoServer) {
		t.Errorf("error %v", err)
	}
}

func TestDialEndsWhenContextIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := netsim.New(1).Host("10.0.0.1")
		conn, err := host.ListenPacket("10.0.0.1:19132") // a socket that does not answer
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := Dial(ctx, conn.AddrPort().String(), Options{Name: "Alex", Dial: host.Dial}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
}

// A server that disconnects a client with a reason ends Play with that reason.
func TestKickedClientReturnsKickReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newRakNetServer(t, raknet.Config{}, nil, netsim.Impairment{DelayMS: 20})
		c, err := Dial(t.Context(), n.addr(), Options{Name: "Alex", Dial: n.dial})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		n.eachServer(func(d *fakeServer) { d.queue(proto.Disconnect{Reason: proto.DisconnectKicked, Message: "no"}) }) // sent with the answer to the next input
		if d, ok := errors.AsType[*DisconnectError](c.Play(t.Context(), nil)); !ok || d.Message != "no" {
			t.Errorf("disconnect error %v", d)
		}
	})
}

func TestRTTIsMeasuredFromAcks(t *testing.T) {
	var tr rttMeter
	var got []time.Duration
	add := func(d time.Duration) { got = append(got, d) }
	for n := range byte(5) {
		tr.sent([]byte{0x84, n, 0, 0, 1}, int64(n))
	}
	tr.received([]byte{0xc0, 0, 1, 1, 0, 0, 0}, 100, add)                // acknowledges datagram 0
	tr.received([]byte{0xc0, 0, 1, 0, 1, 0, 0, 2, 0, 0}, 101, add)       // acknowledges datagrams 1..2
	tr.received([]byte{0xc0, 0, 1, 1, 0, 0, 0}, 102, add)                // acknowledges datagram 0 again
	tr.received([]byte{0xc0, 0, 9, 0, 3, 0, 0}, 103, add)                // truncated acknowledgement
	tr.received([]byte{0xa0, 0, 1, 1, 3, 0, 0}, 104, add)                // NACK, not an acknowledgement
	tr.received([]byte{0xc0, 0, 1, 0, 3, 0, 0, 255, 255, 255}, 105, add) // acknowledges all datagrams from 3 on
	if len(got) != 5 || got[0] != 100 || got[1] != 100 || got[3] != 102 {
		t.Errorf("got %v", got)
	}
}
