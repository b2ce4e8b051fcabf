package rs

import (
	"context"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store/sqlite"
)

// rig is a whole server in a bubble of fake time, with pipes for sockets.
type rig struct {
	t     testing.TB
	world *area.World
	hub   *session.Hub
	disk  *sqlite.Store
	gate  *Gateway
	pipes *pipes
	ended chan error

	clients []*client
}

// testKey is made once: primes take time.
var testKey = sync.OnceValue(func() *proto.PrivateKey {
	p, _ := new(big.Int).SetString("fb8e6e6bd4ebb0a6a0b5e2b2f0a7ba2c4a6c5f2f7f0ab4b9a2a8b1e6dd3f7a6b", 16)
	q, _ := new(big.Int).SetString("e9f0ab4b9a2a8b1e6dd3f7a6bfb8e6e6bd4ebb0a6a0b5e2b2f0a7ba2c4a6c5f1", 16)
	for !p.ProbablyPrime(20) {
		p.Add(p, big.NewInt(1))
	}
	for !q.ProbablyPrime(20) {
		q.Add(q, big.NewInt(1))
	}
	k, err := proto.NewPrivateKey(p, q, big.NewInt(65537))
	if err != nil {
		panic(err)
	}
	return k
})

// bubble runs fn with a server, and stops it afterwards.
func bubble(t *testing.T, w *sim.World, o Options, fn func(r *rig)) {
	t.Helper()
	dir := t.TempDir()
	testKey()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, dir, w, o)
		defer r.stop()
		fn(r)
	})
}

func newRig(t testing.TB, dir string, w *sim.World, o Options) *rig {
	t.Helper()
	quiet := o.Log
	if quiet == nil {
		quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if w == nil {
		w = content.DefaultWorld()
	}
	r := &rig{
		t: t, disk: db, world: area.NewWorld(w, area.Options{Log: quiet, Seed: 1}),
		pipes: newPipes(), ended: make(chan error, 1),
	}
	r.hub = session.NewHub(r.world, db, session.Options{Log: quiet, Secrets: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	o.Log, o.Listener, o.Key = quiet, r.pipes, testKey()
	if o.Workers == 0 {
		o.Workers = 1
	}
	if r.gate, err = Listen(r.hub, r.world, o); err != nil {
		t.Fatal(err)
	}
	r.world.Start(t.Context())
	go func() { r.ended <- r.gate.Run(context.Background()) }()
	return r
}

func (r *rig) stop() {
	for _, c := range r.clients {
		if c.hold != nil {
			c.resume()
		}
	}
	r.must(r.world.Stop(context.Background()))
	r.must(<-r.ended)
	r.must(r.hub.Close(context.Background()))
	r.must(r.disk.Close())
}

func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// run lets time pass.
func (r *rig) run(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// cycles lets so many cycles pass.
func (r *rig) cycles(n int) { r.run(time.Duration(n) * 600 * time.Millisecond) }

// pipes is a listener whose connections are pipes in memory.
type pipes struct {
	accept chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{accept: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accept:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 43594} }

// dial is a new connection from an address.
func (p *pipes) dial(from string) net.Conn {
	here, there := net.Pipe()
	select {
	case p.accept <- &end{there, net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(from), 5000))}:
	case <-p.closed:
		here.Close()
	}
	return here
}

// end is the server's end of a pipe.
type end struct {
	net.Conn
	from net.Addr
}

func (e *end) RemoteAddr() net.Addr { return e.from }

// join logs in and lets the first cycles pass.
func (r *rig) join(name string) *client {
	r.t.Helper()
	c := r.knock(name, "secret", false)
	r.cycles(2)
	if c.failed() != nil || c.code != proto.ResponseOK || c.view == nil {
		r.t.Fatalf("%s: answered %d: %v", name, c.code, c.err)
	}
	return c
}

// knock asks to be let in. What comes of it is read in the background.
func (r *rig) knock(name, password string, reconnect bool) *client {
	c := r.guest(name)
	c.dial(password, reconnect)
	return c
}

// guest is a client that is not connected yet. Each has an address of its own.
func (r *rig) guest(name string) *client {
	n := len(r.clients)
	from := netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)}).String()
	c := &client{r: r, name: name, from: from, packets: map[proto.Opcode]int{}, over: make(chan struct{})}
	r.clients = append(r.clients, c)
	return c
}

// on runs fn on the worker of a player and waits.
func (w *worker) on(fn func()) {
	done := make(chan struct{})
	if w.ask(context.Background(), func() { defer close(done); fn() }) {
		<-done
	}
}

// player is somebody in the world by his account's name, nil if he is not there through this door.
func (r *rig) player(name string) *player {
	r.gate.players.mu.Lock()
	defer r.gate.players.mu.Unlock()
	for _, p := range r.gate.players.byID {
		if p.session.Login.Name == name {
			return p
		}
	}
	return nil
}

// bad is how often something was refused.
func (r *rig) bad(kind string) uint64 { return r.gate.door.Bad.With(kind).Load() }
