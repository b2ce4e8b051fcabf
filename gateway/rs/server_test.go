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
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store/sqlite"
)

// testServer is a server with world, sessions and gateway that runs in virtual time (synctest). Pipes replace its sockets.
type testServer struct {
	t       testing.TB
	world   *area.World
	hub     *session.Hub
	store   *sqlite.Store
	gateway *Gateway
	pipes   *netsim.PipeListener
	ended   chan error

	clients []*client
}

// testKey returns the RSA key of the tests, which is created once, because generating primes takes long.
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

// withServer runs fn with a server and stops it afterwards.
func withServer(t *testing.T, w *sim.World, o Options, fn func(srv *testServer)) {
	t.Helper()
	dir := emptystore.Dir(t)
	testKey()
	synctest.Test(t, func(t *testing.T) {
		srv := newTestServer(t, dir, w, o)
		defer srv.stop()
		fn(srv)
	})
}

// defaultAppearance returns the appearance table of the embedded world, on which all test worlds are based. It must not be
// modified.
var defaultAppearance = sync.OnceValue(func() appearance.RuneScape { return content.DefaultWorld().Appearance.RuneScape })

func newTestServer(t testing.TB, dir string, w *sim.World, o Options) *testServer {
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
		w = content.DefaultWorld().World
	}
	if o.Appearance.Actors == nil {
		o.Appearance = defaultAppearance()
	}
	srv := &testServer{
		t: t, store: db, world: area.NewWorld(w, area.Options{Log: quiet, Seed: 1}),
		pipes: netsim.ListenPipe("127.0.0.1:43594"), ended: make(chan error, 1),
	}
	srv.hub = session.NewHub(srv.world, db, session.Options{Log: quiet, HashCost: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	o.Log, o.Listener, o.Key = quiet, srv.pipes, testKey()
	if o.Workers == 0 {
		o.Workers = 1
	}
	if srv.gateway, err = Listen(srv.hub, srv.world, o); err != nil {
		t.Fatal(err)
	}
	srv.world.Start(t.Context())
	go func() { srv.ended <- srv.gateway.Run(context.Background()) }()
	return srv
}

func (srv *testServer) stop() {
	for _, c := range srv.clients {
		if c.paused != nil {
			c.resume()
		}
	}
	srv.must(srv.world.Stop(context.Background()))
	srv.must(<-srv.ended)
	srv.must(srv.hub.Close(context.Background()))
	srv.must(srv.store.Close())
}

func (srv *testServer) must(err error) {
	srv.t.Helper()
	if err != nil {
		srv.t.Fatal(err)
	}
}

// advance advances time.
func (srv *testServer) advance(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// advanceCycles advances time by n cycles.
func (srv *testServer) advanceCycles(n int) { srv.advance(time.Duration(n) * 600 * time.Millisecond) }

// dial opens a connection from an address. If the server has stopped, the connection is closed.
func (srv *testServer) dial(from string) net.Conn {
	c, err := srv.pipes.Dial(context.Background(), netip.AddrPortFrom(netip.MustParseAddr(from), 5000))
	if err != nil {
		c, _ = net.Pipe()
		c.Close()
	}
	return c
}

// join logs a new client in and advances time until the client has received its first cycles.
func (srv *testServer) join(name string) *client {
	srv.t.Helper()
	c := srv.startLogin(name, "secret", false)
	srv.advanceCycles(2)
	if c.firstError() != nil || c.code != proto.ResponseOK || c.view == nil {
		srv.t.Fatalf("%s: answered %d: %v", name, c.code, c.err)
	}
	return c
}

// startLogin sends a login. The answer is read in the background.
func (srv *testServer) startLogin(name, password string, reconnect bool) *client {
	c := srv.newClient(name)
	c.dial(password, reconnect)
	return c
}

// newClient returns a client that is not connected yet. Every client has a different address.
func (srv *testServer) newClient(name string) *client {
	n := len(srv.clients)
	from := netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)}).String()
	c := &client{srv: srv, name: name, from: from, packets: map[proto.Opcode]int{}, readDone: make(chan struct{})}
	srv.clients = append(srv.clients, c)
	return c
}

// runAndWait runs fn on the worker and waits for it.
func (w *worker) runAndWait(fn func()) {
	done := make(chan struct{})
	if w.enqueue(context.Background(), func() { defer close(done); fn() }) {
		<-done
	}
}

// playerNamed returns the player of an account in this gateway, or nil if there is none.
func (srv *testServer) playerNamed(name string) *player {
	srv.gateway.players.mu.Lock()
	defer srv.gateway.players.mu.Unlock()
	for _, p := range srv.gateway.players.byAccount {
		if p.session.Login.Name == name {
			return p
		}
	}
	return nil
}

// faults returns how many invalid packets or logins of a kind the gateway has counted.
func (srv *testServer) faults(kind string) uint64 { return srv.gateway.door.Bad.With(kind).Load() }
