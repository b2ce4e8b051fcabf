package bedrock

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/sim/terrain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// inn is a server on a real socket: a door for each guest.
type inn struct {
	conn *net.UDPConn
	rak  *raknet.Server
	from time.Time
	over sync.WaitGroup

	mu    sync.Mutex
	doors map[*raknet.Peer]*door
	gone  []raknet.Reason
}

func openInn(t *testing.T, cfg raknet.Config, blocks *terrain.Blocks) *inn {
	t.Helper()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	n := &inn{conn: conn, rak: raknet.NewServer(cfg), from: time.Now(), doors: map[*raknet.Peer]*door{}}
	n.over.Add(1)
	go n.serve(blocks)
	t.Cleanup(func() {
		conn.Close()
		n.over.Wait()
	})
	return n
}

func (n *inn) addr() string { return n.conn.LocalAddr().String() }

func (n *inn) ms() int64 { return time.Since(n.from).Milliseconds() }

func (n *inn) serve(blocks *terrain.Blocks) {
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

func (n *inn) event(e raknet.Event, blocks *terrain.Blocks) {
	switch e.Kind {
	case raknet.Connected:
		n.doors[e.Peer] = newDoor(blocks)
	case raknet.Message:
		n.doors[e.Peer].receive(e.Data, func(b []byte) { _ = e.Peer.SendOrdered(b) })
	case raknet.Disconnected:
		n.gone = append(n.gone, e.Reason)
	}
}

// guests calls fn with each door while nothing changes.
func (n *inn) guests(fn func(d *door)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, d := range n.doors {
		fn(d)
	}
}

// hears waits until the only guest's words and so many of its inputs are there, unless they take too long: who has left does not
// know whether the server has read everything.
func (n *inn) hears(inputs int) {
	for end, all := time.Now().Add(testPatience), false; !all && time.Now().Before(end); time.Sleep(time.Millisecond) {
		n.guests(func(d *door) {
			all = d.err != nil || d.inputs >= inputs && d.got[proto.IDText] != nil && d.got[proto.IDCommandRequest] != nil
		})
	}
}

// testPatience is how long a test waits for what must come, on a machine that has much else to do.
const testPatience = 30 * time.Second

// A client behind a real socket joins, walks, is agreed with, and leaves.
func TestClientWalksOverUDP(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]struct {
		client RakNet
		server raknet.Config
	}{
		"today":      {},
		"jsp-raknet": {client: RakNet{LikeJSP: true}, server: raknet.Config{NoCookies: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := openInn(t, kind.server, playground(t))
			ctx, cancel := context.WithTimeout(t.Context(), testPatience)
			defer cancel()
			c, err := Dial(ctx, n.addr(), Options{Name: "Alex", Seed: 5, RakNet: kind.client, Chunks: &ChunkCache{}})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			c.Say("hello")
			c.Command("/who")
			walk, stop := context.WithCancel(ctx)
			ticks := &after{n: 20, do: stop, b: &Wander{}}
			if err := c.Play(walk, ticks); err != nil {
				t.Fatal(err)
			}
			h := Histograms{Trips: NewHistogram()}
			s := c.Stats(&h)
			if s.Inputs < 20 || s.Move.Corrections != 0 || s.Bad != 0 || s.BytesIn == 0 || s.BytesOut == 0 {
				t.Errorf("%+v: %v", s, c.FirstBad())
			}
			if h.Trips.TotalCount() == 0 {
				t.Error("no round trip was measured")
			}
			c.Close()
			n.hears(20)
			n.guests(func(d *door) {
				if d.got[proto.IDText] == nil || d.got[proto.IDCommandRequest] == nil {
					t.Errorf("heard only %v", d.seen)
				}
				if d.err != nil || d.inputs < 20 || d.judge.corrections != 0 || d.judge.worst > 1e-4 {
					t.Errorf("%v, %d inputs, %d corrections, off by %v", d.err, d.inputs, d.judge.corrections, d.judge.worst)
				}
			})
			s = c.Stats(nil) // it went on for as long as the server took to say good-bye
			if past := c.ResetStats(); past.Inputs != s.Inputs {
				t.Errorf("%d inputs, %d before", past.Inputs, s.Inputs)
			}
			if now := c.Stats(nil); now.Inputs != 0 || now.BytesIn != 0 || now.Move.Ticks != 0 {
				t.Errorf("not reset: %+v", now)
			}
		})
	}
}

// after calls do in its n-th tick.
type after struct {
	n  int
	do func()
	b  Behaviour
}

func (a *after) Act(p *Player) Keys {
	if a.n--; a.n == 0 {
		a.do()
	}
	return a.b.Act(p)
}

// slow takes longer for a tick than a tick lasts, as all clients of a busy machine do.
type slow struct{}

func (slow) Act(*Player) Keys {
	time.Sleep(TickEvery + TickEvery/5)
	return Keys{}
}

// A client that is late for every tick still hears the server: one that does not is dropped for its silence about what it
// was told.
func TestLateClientIsNotDeaf(t *testing.T) {
	t.Parallel()
	n := openInn(t, raknet.Config{}, playground(t))
	ctx, cancel := context.WithTimeout(t.Context(), testPatience)
	defer cancel()
	c, err := Dial(ctx, n.addr(), Options{Name: "Alex", Seed: 5, Chunks: &ChunkCache{}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 2 { // in the first it is in time at first
		c.ResetStats()
		play, stop := context.WithCancel(ctx)
		if err := c.Play(play, &after{n: 6, do: stop, b: slow{}}); err != nil {
			t.Fatal(err)
		}
	}
	if s := c.Stats(nil); s.Inputs < 6 || s.BytesIn == 0 {
		t.Errorf("%d inputs were sent, and %d bytes heard", s.Inputs, s.BytesIn)
	}
}

// The port belongs to a socket that hears somebody else only, so that nobody else can open it meanwhile; to all others it is closed.
func TestClosedPortIsNoServer(t *testing.T) {
	conn, err := net.DialUDP("udp4", nil, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := Dial(t.Context(), conn.LocalAddr().String(), Options{Name: "Alex"}); !errors.Is(err, ErrNoServer) {
		t.Errorf("%v", err)
	}
}

func TestDialEndsWithItsContext(t *testing.T) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}) // hears and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Dial(ctx, conn.LocalAddr().String(), Options{Name: "Alex"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// A server that says why it ends the session is heard, and the connection is over.
func TestKickIsHeard(t *testing.T) {
	n := openInn(t, raknet.Config{}, nil)
	c, err := Dial(t.Context(), n.addr(), Options{Name: "Alex"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	n.guests(func(d *door) { d.tell(proto.Disconnect{Reason: proto.DisconnectKicked, Message: "no"}) }) // sent with the next input
	if d, ok := errors.AsType[*DisconnectError](c.Play(t.Context(), nil)); !ok || d.Message != "no" {
		t.Errorf("%v", d)
	}
}

func TestRoundTripsFromDatagrams(t *testing.T) {
	var tr trips
	var got []time.Duration
	add := func(d time.Duration) { got = append(got, d) }
	for n := range byte(5) {
		tr.sent([]byte{0x84, n, 0, 0, 1}, int64(n))
	}
	tr.received([]byte{0xc0, 0, 1, 1, 0, 0, 0}, 100, add)                // 0
	tr.received([]byte{0xc0, 0, 1, 0, 1, 0, 0, 2, 0, 0}, 101, add)       // 1..2
	tr.received([]byte{0xc0, 0, 1, 1, 0, 0, 0}, 102, add)                // again
	tr.received([]byte{0xc0, 0, 9, 0, 3, 0, 0}, 103, add)                // cut short
	tr.received([]byte{0xa0, 0, 1, 1, 3, 0, 0}, 104, add)                // no acknowledgement
	tr.received([]byte{0xc0, 0, 1, 0, 3, 0, 0, 255, 255, 255}, 105, add) // 3..
	if len(got) != 5 || got[0] != 100 || got[1] != 100 || got[3] != 102 {
		t.Errorf("%v", got)
	}
}
