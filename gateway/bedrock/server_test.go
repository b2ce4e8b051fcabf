package bedrock

import (
	"context"
	"log/slog"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store/sqlite"
)

// testServer is a server with world, sessions and gateway that runs in virtual time. Queues of datagrams replace its socket.
// Time advances only in step, by 10 ms per call.
type testServer struct {
	t       testing.TB
	ctx     context.Context
	started time.Time
	world   *area.World
	hub     *session.Hub
	store   *sqlite.Store
	gateway *Gateway
	served  []*connection // client connections that step serves
	dials   int
	logs    *logbuf.Buffer

	mu   sync.Mutex
	mail map[netip.AddrPort][][]byte // undelivered datagrams by client address
}

// withServer runs fn with a server and stops it afterwards.
func withServer(t *testing.T, w *sim.World, o Options, fn func(srv *testServer)) {
	t.Helper()
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		srv := newTestServer(t, dir, w, o)
		defer srv.stop()
		fn(srv)
	})
}

func newTestServer(t testing.TB, dir string, w *sim.World, o Options) *testServer {
	t.Helper()
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	srv := &testServer{
		t: t, ctx: t.Context(), started: time.Now(), store: db, logs: &logbuf.Buffer{},
		world: area.NewWorld(w, area.Options{Log: quiet, Seed: 1}), mail: map[netip.AddrPort][][]byte{},
	}
	srv.hub = session.NewHub(srv.world, db, session.Options{Log: quiet, HashCost: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	o.Log = slog.New(slog.NewTextHandler(srv.logs, nil))
	if o.Workers == 0 {
		o.Workers = 1
	}
	srv.gateway, err = newGateway(srv.hub, srv.world, o)
	srv.must(err)
	for _, w := range srv.gateway.workers {
		w.write = srv.deliver
		w.updatePong()
		go func() {
			if err := w.serve(srv.ctx); err != nil {
				panic(err)
			}
		}()
	}
	srv.world.Start(srv.ctx)
	return srv
}

func (srv *testServer) stop() {
	srv.must(srv.world.Stop(context.Background()))
	srv.must(srv.hub.Close(context.Background()))
	srv.must(srv.store.Close())
	time.Sleep(time.Second) // time for the workers to disconnect their clients
	if n := srv.gateway.door.Sessions.Load(); n != 0 {
		srv.t.Errorf("session counter is %d after all clients left", n)
	}
}

func (srv *testServer) must(err error) {
	srv.t.Helper()
	if err != nil {
		srv.t.Fatal(err)
	}
}

func (srv *testServer) now() int64 { return time.Since(srv.started).Milliseconds() }

// deliver queues a datagram from the server for its client.
func (srv *testServer) deliver(to netip.AddrPort, b []byte) error {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	if box, ok := srv.mail[to]; ok {
		srv.mail[to] = append(box, append([]byte(nil), b...))
	}
	return nil
}

// takeMail removes and returns the datagrams for a client.
func (srv *testServer) takeMail(to netip.AddrPort) [][]byte {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	box := srv.mail[to]
	if len(box) > 0 {
		srv.mail[to] = nil
	}
	return box
}

// send passes a client's datagram to the server.
func (srv *testServer) send(from netip.AddrPort, b []byte) {
	d := gateway.NewDatagram()
	d.N, d.From = copy(d.Buf[:], b), from
	srv.gateway.dispatch(d)
}

// step advances the time by 10 ms.
func (srv *testServer) step() {
	time.Sleep(10 * time.Millisecond)
	synctest.Wait()
	for _, c := range srv.served {
		c.serve()
	}
	synctest.Wait()
}

// advance advances the time by d.
func (srv *testServer) advance(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		srv.step()
	}
}

// waitFor advances the time until cond returns true.
func (srv *testServer) waitFor(what string, cond func() bool) {
	srv.t.Helper()
	for end := time.Now().Add(20 * time.Second); !cond(); {
		if time.Now().After(end) {
			srv.t.Fatalf("timeout after 20 s waiting for %s; logged:\n%s", what, srv.logs)
		}
		srv.step()
	}
}

// onWorker runs fn on the goroutine of worker 0, which owns all state of its connections.
func (srv *testServer) onWorker(fn func(w *worker)) {
	w := srv.gateway.workers[0]
	done := make(chan struct{})
	w.calls.Results <- func() { defer close(done); fn(w) }
	<-done
	synctest.Wait()
}

// faults returns how many client faults of the given kind the gateway has counted.
func (srv *testServer) faults(kind string) uint64 { return srv.gateway.door.Bad.With(kind).Load() }
