package rcce

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/emptystore"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
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
	disk    storeFaults // faults of store
	gateway *Gateway
	clients []*client

	mu          sync.Mutex
	mail        map[netip.AddrPort][][]byte // undelivered datagrams by client address
	undelivered int                         // number of datagrams for unknown addresses
}

// serverOptions are the options of a testServer.
type serverOptions struct {
	Options
	noTicks bool // no area ticks; the test creates the frames
}

// withServer runs fn with a server and stops it afterwards.
func withServer(t *testing.T, w *sim.World, o serverOptions, fn func(srv *testServer)) {
	t.Helper()
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		srv := newTestServer(t, dir, w, o)
		defer srv.stop()
		fn(srv)
	})
}

func newTestServer(t testing.TB, dir string, w *sim.World, o serverOptions) *testServer {
	t.Helper()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	srv := &testServer{
		t: t, ctx: t.Context(), started: time.Now(), store: db, world: area.NewWorld(w, area.Options{Log: quiet, Seed: 1}),
		mail: map[netip.AddrPort][][]byte{},
	}
	srv.hub = session.NewHub(srv.world, faultyStore{db, &srv.disk}, session.Options{Log: quiet, HashCost: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	o.Log = quiet
	if o.Workers == 0 {
		o.Workers = 1
	}
	if o.Appearance.Items == nil {
		o.Appearance = *fieldAppearances()
	}
	srv.gateway = newGateway(srv.hub, srv.world, o.Options)
	for _, w := range srv.gateway.workers {
		w.emit = srv.deliver
		go func() {
			if err := w.run(srv.ctx); err != nil {
				panic(err)
			}
		}()
	}
	if !o.noTicks {
		srv.world.Start(srv.ctx)
	}
	return srv
}

// storeFaults are the faults of a faultyStore. A test changes them while the server runs.
type storeFaults struct {
	slow           atomic.Int64 // delay in ns of reading an account
	lostDeletions  atomic.Int64 // number of deletions of characters that will succeed but return store.ErrUnavailable
	failedRosters  atomic.Int64 // number of reads of characters that will fail after the next deletion
	failingRosters atomic.Int64 // number of reads of characters that will fail
	failingSecrets atomic.Int64 // number of changes of passwords that will fail
}

// faultyStore is a store that is slow, or fails as a database on another machine does.
type faultyStore struct {
	store.Store
	*storeFaults
}

func (s faultyStore) DeleteCharacter(ctx context.Context, by store.SessionHolder, id store.AccountID, c sim.CharacterID) error {
	err := s.Store.DeleteCharacter(ctx, by, id, c)
	s.failingRosters.Store(s.failedRosters.Swap(0))
	if err == nil && s.lostDeletions.Add(-1) >= 0 {
		return store.ErrUnavailable
	}
	return err
}

func (s faultyStore) Characters(ctx context.Context, id store.AccountID) ([]*sim.Character, error) {
	if s.failingRosters.Add(-1) >= 0 {
		return nil, store.ErrUnavailable
	}
	return s.Store.Characters(ctx, id)
}

func (s faultyStore) SetSecret(ctx context.Context, id store.AccountID, secret string) error {
	if s.failingSecrets.Add(-1) >= 0 {
		return store.ErrUnavailable
	}
	return s.Store.SetSecret(ctx, id, secret)
}

func (s faultyStore) Account(ctx context.Context, name string) (*store.Account, error) {
	if d := time.Duration(s.slow.Load()); d > 0 {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(d):
		}
	}
	return s.Store.Account(ctx, name)
}

func (srv *testServer) stop() {
	srv.must(srv.world.Stop(context.Background()))
	srv.must(srv.hub.Close(context.Background()))
	srv.must(srv.store.Close())
	time.Sleep(time.Second) // time for the workers to disconnect their clients
}

func (srv *testServer) must(err error) {
	srv.t.Helper()
	if err != nil {
		srv.t.Fatal(err)
	}
}

func (srv *testServer) now() uint32 { return uint32(time.Since(srv.started).Milliseconds()) }

// deliver queues a datagram of the server for its client.
func (srv *testServer) deliver(to netip.AddrPort, b []byte) {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	if box, ok := srv.mail[to]; ok {
		srv.mail[to] = append(box, append([]byte(nil), b...))
		return
	}
	srv.undelivered++
}

// takeMail removes and returns the queued datagrams for a client.
func (srv *testServer) takeMail(to netip.AddrPort) [][]byte {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	box := srv.mail[to]
	if len(box) > 0 {
		srv.mail[to] = nil
	}
	return box
}

// send passes a datagram to the server.
func (srv *testServer) send(from netip.AddrPort, b []byte) {
	d := gateway.NewDatagram()
	d.N, d.From = copy(d.Buf[:], b), from
	srv.gateway.dispatch(d)
}

// step advances time by 10 ms and serves every client.
func (srv *testServer) step() {
	time.Sleep(10 * time.Millisecond)
	synctest.Wait()
	for _, c := range srv.clients {
		c.serve()
	}
	synctest.Wait()
}

// advance advances time.
func (srv *testServer) advance(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		srv.step()
	}
}

// waitFor advances time until cond holds.
func (srv *testServer) waitFor(what string, cond func() bool) {
	srv.t.Helper()
	for end := time.Now().Add(20 * time.Second); !cond(); {
		if time.Now().After(end) {
			srv.t.Fatalf("not within 20 s: %s", what)
		}
		srv.step()
	}
}

// onWorker runs fn on the goroutine of worker 0, which owns its connections.
func (srv *testServer) onWorker(fn func(w *worker)) {
	w := srv.gateway.workers[0]
	done := make(chan struct{})
	w.calls.Results <- func() { defer close(done); fn(w) }
	<-done
	synctest.Wait()
}

// show passes a frame of the test to worker 0 and delivers the resulting datagrams.
func (srv *testServer) show(f *sim.Frame) {
	srv.onWorker(func(w *worker) { w.Show(f) })
	srv.exchange()
}

// exchange serves all clients until no datagram is in flight.
func (srv *testServer) exchange() {
	for range 8 {
		srv.step()
	}
}

// passwordMD5 returns the MD5 that a client sends for a password.
func passwordMD5(password string) string {
	sum := md5.Sum([]byte(password))
	return hex.EncodeToString(sum[:])
}

// createAccount creates an account with password "pass" and a character of the same name.
func (srv *testServer) createAccount(name string) {
	srv.t.Helper()
	p := session.Peer{Addr: netip.MustParseAddr("127.0.0.1"), Conn: 1 << 40, Door: "rcce"}
	srv.must(srv.hub.CreateAccount(srv.ctx, p, name, passwordMD5("pass"), ""))
	l, err := srv.hub.Login(srv.ctx, p, name, passwordMD5("pass"))
	srv.must(err)
	srv.must(srv.hub.CreateCharacter(srv.ctx, l, session.NewCharacter{Name: name, Template: human}))
}

// join creates an account, enters the world with its character, and waits for the end of the entry burst.
func (srv *testServer) join(name string) *client {
	srv.t.Helper()
	srv.createAccount(name)
	return srv.enterWorld(name)
}

// enterWorld enters the world with the character of an account and waits for the end of the entry burst.
func (srv *testServer) enterWorld(name string) *client {
	srv.t.Helper()
	c := srv.connect()
	c.send(proto.StartGameRequest{User: name, MD5: passwordMD5("pass")})
	srv.waitFor(name+" to enter", func() bool { return countOf[proto.StartGame](c) >= 13 })
	return c
}

// joinWithoutTicks enters the world as join does, on a server whose areas do not tick. It does not wait for the entry burst,
// which is not sent without ticks. It also returns the player's entity.
func (srv *testServer) joinWithoutTicks(name string) (sim.EntityID, *client) {
	srv.t.Helper()
	srv.createAccount(name)
	c := srv.connect()
	c.send(proto.StartGameRequest{User: name, MD5: passwordMD5("pass")})
	srv.exchange()
	var e sim.EntityID
	srv.onWorker(func(w *worker) {
		for x := range w.conns {
			if x.peer.Addr() == c.addr && x.session != nil {
				e = x.session.Entity
			}
		}
	})
	if e == 0 {
		srv.t.Fatalf("%s did not enter; got %v", name, c.receivedNames())
	}
	return e, c
}

// faults returns how many invalid packets or datagrams of a kind the gateway has counted.
func (srv *testServer) faults(kind string) uint64 { return srv.gateway.door.Bad.With(kind).Load() }

func packetName(p proto.Packet) string { return fmt.Sprintf("%T", p)[len("rcce."):] }
