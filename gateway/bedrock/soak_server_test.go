package bedrock

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// soakServer is a testServer with many predicting clients, each behind a simulated network with delay and loss. Logins,
// encryption, compression and RakNet are as in production; only the socket is simulated.
type soakServer struct {
	*testServer
	def       *sim.World
	feed      *area.Feed
	checker   checker
	clients   []*soakClient
	byName    map[string]*soakClient
	shards    int // number of goroutines that serve the clients
	chunks    bot.ChunkCache
	afterStep func() // called after each step of 10 ms, when no other goroutine runs; may be nil
}

// courseWorld returns the world of the soak tests: zones with all kinds of terrain, and open lanes.
func courseWorld(t testing.TB) *sim.World {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "course.toml"))
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := content.LoadWorldFiles("course.toml", src, os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	return w.World
}

// nearbyPolicy is an interest policy with a radius of 3 units. The small radius keeps the soak tests fast.
var nearbyPolicy = interest.Policy{CloseRadius: 3, FarRadius: 3, EnterRadius: 3, LeaveRadius: 4, IntervalMS: 100, MiddleEveryMS: 100}

// soakRadius is the view distance that clients request, in chunks.
const soakRadius = 2

// withSoakServer runs fn with a server of world w.
func withSoakServer(t *testing.T, w *sim.World, shards int, fn func(so *soakServer)) {
	t.Helper()
	withSoakModels(t, &content.World{World: w}, shards, fn)
}

// withSoakModels runs fn with a server of a world that also has item models.
func withSoakModels(t *testing.T, loaded *content.World, shards int, fn func(so *soakServer)) {
	t.Helper()
	withSoakPolicy(t, loaded, shards, &nearbyPolicy, fn)
}

// withSoakPolicy runs fn with a server of a world with item models. The parameter shown is the interest policy of the server, or
// nil for the default.
func withSoakPolicy(t *testing.T, loaded *content.World, shards int, shown *interest.Policy, fn func(so *soakServer)) {
	t.Helper()
	w := loaded.World
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		srv := newTestServer(t, dir, w, Options{Workers: shards, Policy: shown, Radius: soakRadius, Appearance: loaded.Appearance.Bedrock})
		defer srv.stop()
		so := &soakServer{testServer: srv, def: w, feed: srv.world.Subscribe("soak", feedDepth, area.All), shards: shards, checker: newChecker(), byName: map[string]*soakClient{}}
		defer so.feed.Close()
		so.checker.client = so.clientState
		defer func() {
			if t.Failed() {
				t.Logf("the networks and the players' keys are those of TRUESTEP_SOAK_SEED=%d", soakSeed())
			}
		}()
		fn(so)
	})
}

// soakClient is one client of a soak test.
type soakClient struct {
	*bot.Session
	srv          *soakServer
	name         string
	addr         netip.AddrPort
	host         *raknet.Client
	peer         *raknet.Peer
	net          soakNet
	up, down     *netsim.Path
	behaviour    bot.Behaviour
	interval     time.Duration // time between two ticks on the client's own clock
	nextTick     time.Duration // time of the next tick, in server time since the server started
	withholds    func() bool   // reports whether the client currently holds back its messages; may be nil
	withheld     [][]byte
	deaf         bool              // the network holds back the server's datagrams, so that none arrives
	held         [][]byte          // datagrams that the network holds back while deaf is true
	lateNewsTick uint64            // client tick of the last packet that arrived too late for the client's history, 0 if there was none
	received     []receivedBarrier // barriers in order of arrival
	predicted    [256]prediction   // states that the client predicted; the one of tick t is at index t % len(predicted)
	closed       bool
	err          error
	rtts         []int64 // RTTs in ms, one sample per second
}

// prediction is the state of a player after a tick, as its client predicted it when it sent the input of that tick.
type prediction struct {
	tick    uint64
	body    move.Avatar
	vehicle move.Vehicle
}

// soakNet is the delay and loss of a client's network, in both directions.
type soakNet struct {
	RTT  uint32 // RTT in ms without jitter
	Loss float64
}

func (n soakNet) String() string { return fmt.Sprintf("%d ms, %g %% loss", n.RTT, n.Loss*100) }

func (n soakNet) path(seed uint64) *netsim.Path {
	return netsim.NewPath(netsim.Impairment{
		DelayMS: n.RTT / 2, JitterMS: 20, Loss: n.Loss, Duplicate: 0.01, Reorder: 0.01, ReorderMS: 40, ByTime: true,
	}, seed)
}

// seed returns a seed for random numbers, which depends on TRUESTEP_SOAK_SEED and on the parameter n.
func (srv *soakServer) seed(n uint64) uint64 { return soakSeed()<<32 + n }

// addClient adds a client that has not connected yet. The client's clock deviates from the server's clock by up to 50 ppm.
func (srv *soakServer) addClient(o bot.Options, net soakNet, play bot.Behaviour) *soakClient {
	srv.t.Helper()
	n := uint64(len(srv.clients) + 1)
	o.Key, o.Seed, o.Radius, o.Chunks = clientKey(), n, soakRadius, &srv.chunks
	game, err := bot.NewSession(o)
	srv.must(err)
	c := &soakClient{
		Session: game, srv: srv, name: o.Name, behaviour: play, net: net,
		addr: netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(20000+n)),
		host: raknet.NewClient(raknet.ClientConfig{GUID: n, Limits: raknet.Limits{AckDelay: -1}}),
		up:   net.path(srv.seed(2 * n)), down: net.path(srv.seed(2*n + 1)),
		interval: bot.TickInterval + time.Duration(int64(n)%11-5)*500*time.Nanosecond,
	}
	if o.Tamper != nil && o.Tamper.Rate > 0 {
		c.interval = time.Duration(float64(c.interval) / o.Tamper.Rate)
	}
	c.nextTick = time.Since(srv.started) + time.Duration(n*7%50)*time.Millisecond
	srv.mu.Lock()
	srv.mail[c.addr] = nil
	srv.mu.Unlock()
	c.peer = c.host.Connect(srv.now(), serverAddr)
	srv.clients, srv.byName[c.name] = append(srv.clients, c), c
	return c
}

// advance advances the time by d.
func (srv *soakServer) advance(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		srv.step()
	}
}

// step advances the time by 10 ms.
func (srv *soakServer) step() {
	time.Sleep(10 * time.Millisecond)
	synctest.Wait()
	srv.checkFrames()
	if srv.afterStep != nil {
		srv.afterStep()
	}
	var all sync.WaitGroup
	for i := range srv.shards {
		all.Go(func() {
			for j := i; j < len(srv.clients); j += srv.shards {
				srv.clients[j].serve()
			}
		})
	}
	all.Wait()
}

// clientState returns the state of a player after a tick, as its client predicted it when it sent the input of that tick.
// The client's history may contain another state by now, because later packets have made the client rewind.
func (srv *soakServer) clientState(name string, tick uint64) (m clientState) {
	if c := srv.byName[name]; c != nil && c.Predictor() != nil {
		if p := &c.predicted[tick%uint64(len(c.predicted))]; p.tick == tick {
			m.after, m.vehicle, m.known = p.body, p.vehicle, true
		}
		m.lateNewsTick, m.received = c.lateNewsTick, c.received
	}
	return m
}

// checkFrames passes all frames that are waiting in the feed to the checker.
func (srv *soakServer) checkFrames() {
	for {
		select {
		case p := <-srv.feed.C():
			srv.checker.checkFrame(p.Frame)
			p.Release()
		default:
			return
		}
	}
}

// waitForJoins waits until all clients are in the world.
func (srv *soakServer) waitForJoins() {
	srv.t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		srv.advance(200 * time.Millisecond)
		waiting := 0
		for _, c := range srv.clients {
			srv.must(c.err)
			if !c.Playing() {
				waiting++
			}
		}
		if waiting == 0 {
			return
		}
		if time.Now().After(end) {
			srv.t.Fatalf("%d of %d clients did not enter; logged:\n%s", waiting, len(srv.clients), srv.logs)
		}
	}
}

// serve processes received datagrams and due ticks like a client program.
func (c *soakClient) serve() {
	now := uint32(c.srv.now())
	for _, d := range c.srv.takeMail(c.addr) {
		c.down.Send(now, d)
	}
	moved := false
	for d, ok := c.down.Receive(now); ok; d, ok = c.down.Receive(now) {
		c.held = append(c.held, slices.Clone(d))
	}
	if !c.deaf {
		for _, d := range c.held {
			c.host.Receive(int64(now), serverAddr, d, c.event)
			moved = true
		}
		c.held = c.held[:0]
	}
	for elapsed := time.Since(c.srv.started); elapsed >= c.nextTick; moved = true {
		c.nextTick += c.interval
		c.host.Tick(int64(now), c.event)
		c.tick()
	}
	if moved {
		c.Flush(c.send)
		c.host.Flush(int64(now), c.emit)
	}
	for d, ok := c.up.Receive(now); ok; d, ok = c.up.Receive(now) {
		c.srv.send(c.addr, d)
	}
}

func (c *soakClient) tick() {
	if c.closed || c.err != nil {
		return
	}
	c.fail(c.Session.Tick(c.srv.now()*1e6, c.behaviour))
	if p := c.Predictor(); p != nil {
		tick := p.Tick()
		c.predicted[tick%uint64(len(c.predicted))] = prediction{tick, p.State(), p.VehicleAt(tick)}
	}
	if n := c.Counts().Inputs; n%20 == 1 && len(c.rtts) <= int(n/20) {
		rtt, _ := c.peer.RTT()
		c.rtts = append(c.rtts, rtt)
	}
}

func (c *soakClient) event(e raknet.Event) {
	switch e.Kind {
	case raknet.Connected:
		c.Start()
	case raknet.Disconnected:
		c.closed = true
	case raknet.Message:
		c.receive(e.Data)
	}
}

// receive processes a message and records whether it was too late for the client's history.
func (c *soakClient) receive(m []byte) {
	late := func() (n uint64) {
		if p := c.Predictor(); p != nil {
			n = p.RewindStats().Late
		}
		return n
	}
	before := late()
	c.fail(c.Receive(c.srv.now()*1e6, m))
	if late() > before {
		c.lateNewsTick = c.Predictor().Tick()
	}
	if last := uint32(c.LastBarrier() / barrierUnit); last > 0 && (len(c.received) == 0 || c.received[len(c.received)-1].serial < last) {
		c.received = append(c.received, receivedBarrier{last, c.Predictor().Tick()})
	}
}

// send sends a message. While withholds returns true, it keeps the messages and sends them later, in order.
func (c *soakClient) send(m []byte) {
	if c.withholds != nil && c.withholds() {
		c.withheld = append(c.withheld, append([]byte(nil), m...))
		return
	}
	for _, k := range c.withheld {
		_ = c.peer.SendOrdered(k) // an error means that the client was disconnected, which the test reports
	}
	c.withheld = c.withheld[:0]
	_ = c.peer.SendOrdered(m)
}

func (c *soakClient) emit(_ netip.AddrPort, d []byte) { c.up.Send(uint32(c.srv.now()), d) }

func (c *soakClient) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}
