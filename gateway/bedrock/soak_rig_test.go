package bedrock

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
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
)

// soak is a whole server with many predicting clients, each behind a bad network of its own, in a bubble of fake time.
// Nothing is left out: logins, encryption, deflate and RakNet are the real ones, only the socket is not.
type soak struct {
	*rig
	def     *sim.World
	feed    *area.Feed
	referee referee
	bots    []*soaker
	named   map[string]*soaker
	shards  int // goroutines that serve the bots
	chunks  bot.ChunkCache
	each    func() // after each step of 10 ms, when nothing runs; nil: nothing
}

// course is the world of the soaks: all kinds of ground side by side, and open lanes.
func course(t testing.TB) *sim.World {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "course.toml"))
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := content.LoadWorldFiles("course.toml", src, os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// nearby lets each player see those right beside him only: what others do is not what a soak is about.
var nearby = interest.Policy{CloseRadius: 3, FarRadius: 3, EnterRadius: 3, LeaveRadius: 4, IntervalMS: 100, MiddleEveryMS: 100}

// soakRadius is the chunks that clients ask for.
const soakRadius = 2

// soakBubble runs fn with a server of that world.
func soakBubble(t *testing.T, w *sim.World, shards int, fn func(s *soak)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, dir, w, Options{Workers: shards, Policy: &nearby, Radius: soakRadius})
		defer r.stop()
		s := &soak{rig: r, def: w, feed: r.world.Subscribe("soak", feedDepth, area.All), shards: shards, referee: newReferee(), named: map[string]*soaker{}}
		defer s.feed.Close()
		s.referee.client = s.memory
		fn(s)
	})
}

// soaker is one client of a soak.
type soaker struct {
	*bot.Session
	s        *soak
	name     string
	addr     netip.AddrPort
	host     *raknet.Client
	peer     *raknet.Peer
	net      soakNet
	up, down *netsim.Path
	play     bot.Behaviour
	every    time.Duration // between two ticks, by the client's own clock
	next     time.Duration // since the server began, by the server's
	silent   func() bool   // keeps what it sends to itself for now; nil: never
	kept     [][]byte
	forgot   uint64 // tick at which it last heard of something for a tick that it had forgotten; 0 never
	gone     bool
	err      error
	rtt      []int64 // ms, one each second
}

// soakNet is both directions of a client's network.
type soakNet struct {
	RTT  uint32 // ms, without the jitter
	Loss float64
}

func (n soakNet) String() string { return fmt.Sprintf("%d ms, %g %% loss", n.RTT, n.Loss*100) }

func (n soakNet) path(seed uint64) *netsim.Path {
	return netsim.NewPath(netsim.Impairment{
		DelayMS: n.RTT / 2, JitterMS: 20, Loss: n.Loss, Duplicate: 0.01, Reorder: 0.01, ReorderMS: 40,
	}, seed)
}

// add makes a client that is about to connect. Clocks of clients differ by up to 50 millionths.
func (s *soak) add(o bot.Options, net soakNet, play bot.Behaviour) *soaker {
	s.t.Helper()
	n := uint64(len(s.bots) + 1)
	o.Key, o.Seed, o.Radius, o.Chunks = clientKey(), n, soakRadius, &s.chunks
	game, err := bot.NewSession(o)
	s.must(err)
	b := &soaker{
		Session: game, s: s, name: o.Name, play: play, net: net,
		addr: netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(20000+n)),
		host: raknet.NewClient(raknet.ClientConfig{GUID: n, Limits: raknet.Limits{AckDelay: -1}}),
		up:   net.path(2 * n), down: net.path(2*n + 1),
		every: bot.TickInterval + time.Duration(int64(n)%11-5)*500*time.Nanosecond,
	}
	if o.Tamper != nil && o.Tamper.Rate > 0 {
		b.every = time.Duration(float64(b.every) / o.Tamper.Rate)
	}
	b.next = time.Since(s.started) + time.Duration(n*7%50)*time.Millisecond
	s.mu.Lock()
	s.mail[b.addr] = nil
	s.mu.Unlock()
	b.peer = b.host.Connect(s.now(), serverAddr)
	s.bots, s.named[b.name] = append(s.bots, b), b
	return b
}

// run lets time pass.
func (s *soak) run(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		s.step()
	}
}

// step lets 10 ms pass.
func (s *soak) step() {
	time.Sleep(10 * time.Millisecond)
	synctest.Wait()
	s.judge()
	if s.each != nil {
		s.each()
	}
	var all sync.WaitGroup
	for i := range s.shards {
		all.Go(func() {
			for j := i; j < len(s.bots); j += s.shards {
				s.bots[j].serve()
			}
		})
	}
	all.Wait()
}

// memory is what the client of that name has of its player after a tick.
func (s *soak) memory(name string, tick uint64) (m memory) {
	if b := s.named[name]; b != nil && b.Predictor() != nil {
		_, m.after, m.ok = b.Predictor().At(tick)
		m.forgot, m.heard = b.forgot, int(b.Predictor().Counts().Motions)
	}
	return m
}

// judge reads the frames that have come.
func (s *soak) judge() {
	for {
		select {
		case p := <-s.feed.C():
			s.referee.frame(p.Frame)
			p.Release()
		default:
			return
		}
	}
}

// enter lets everybody come into the world.
func (s *soak) enter() {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		s.run(200 * time.Millisecond)
		waiting := 0
		for _, b := range s.bots {
			s.must(b.err)
			if !b.Playing() {
				waiting++
			}
		}
		if waiting == 0 {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("%d of %d clients did not enter; logged:\n%s", waiting, len(s.bots), s.logged)
		}
	}
}

// serve is what the client's program does when a datagram has come or a tick is due.
func (b *soaker) serve() {
	now := uint32(b.s.now())
	for _, d := range b.s.collect(b.addr) {
		b.down.Send(now, d)
	}
	moved := false
	for d, ok := b.down.Receive(now); ok; d, ok = b.down.Receive(now) {
		b.host.Receive(int64(now), serverAddr, d, b.event)
		moved = true
	}
	for elapsed := time.Since(b.s.started); elapsed >= b.next; moved = true {
		b.next += b.every
		b.host.Tick(int64(now), b.event)
		b.tick()
	}
	if moved {
		b.Flush(b.send)
		b.host.Flush(int64(now), b.emit)
	}
	for d, ok := b.up.Receive(now); ok; d, ok = b.up.Receive(now) {
		b.s.send(b.addr, d)
	}
}

func (b *soaker) tick() {
	if b.gone || b.err != nil {
		return
	}
	b.fail(b.Session.Tick(b.s.now()*1e6, b.play))
	if n := b.Counts().Inputs; n%20 == 1 && len(b.rtt) <= int(n/20) {
		rtt, _ := b.peer.RTT()
		b.rtt = append(b.rtt, rtt)
	}
}

func (b *soaker) event(e raknet.Event) {
	switch e.Kind {
	case raknet.Connected:
		b.Start()
	case raknet.Disconnected:
		b.gone = true
	case raknet.Message:
		b.hear(e.Data)
	}
}

// hear takes a message, and notes when it had news for ticks that the client has forgotten.
func (b *soaker) hear(m []byte) {
	late := func() (n uint64) {
		if p := b.Predictor(); p != nil {
			n = p.RewindStats().Late
		}
		return n
	}
	before := late()
	b.fail(b.Receive(b.s.now()*1e6, m))
	if late() > before {
		b.forgot = b.Predictor().Tick()
	}
}

// send sends a message, or keeps it while the client is silent.
func (b *soaker) send(m []byte) {
	if b.silent != nil && b.silent() {
		b.kept = append(b.kept, append([]byte(nil), m...))
		return
	}
	for _, k := range b.kept {
		_ = b.peer.SendOrdered(k) // whoever was sent away cannot, and that is seen otherwise
	}
	b.kept = b.kept[:0]
	_ = b.peer.SendOrdered(m)
}

func (b *soaker) emit(_ netip.AddrPort, d []byte) { b.up.Send(uint32(b.s.now()), d) }

func (b *soaker) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}
