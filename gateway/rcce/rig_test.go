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
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store/sqlite"
)

// rig is a whole server, its socket replaced by a mailbox, in a bubble of fake time. Time passes only in step, where
// every client is served once in 10 ms.
type rig struct {
	t       testing.TB
	ctx     context.Context
	started time.Time
	world   *area.World
	hub     *session.Hub
	disk    *sqlite.Store
	gate    *Gateway
	clients []*client

	mu   sync.Mutex
	mail map[netip.AddrPort][][]byte // datagrams for clients
	lost int                         // datagrams for nobody
}

// rigOptions are what tests change.
type rigOptions struct {
	Options
	still bool // no area ticks: frames are made by hand
}

// bubble runs fn with a server, and stops it afterwards.
func bubble(t *testing.T, w *sim.World, o rigOptions, fn func(r *rig)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, dir, w, o)
		defer r.stop()
		fn(r)
	})
}

func newRig(t testing.TB, dir string, w *sim.World, o rigOptions) *rig {
	t.Helper()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{
		t: t, ctx: t.Context(), started: time.Now(), disk: db, world: area.NewWorld(w, area.Options{Log: quiet, Seed: 1}),
		mail: map[netip.AddrPort][][]byte{},
	}
	r.hub = session.NewHub(r.world, db, session.Options{Log: quiet, Secrets: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	o.Log = quiet
	if o.Workers == 0 {
		o.Workers = 1
	}
	r.gate = newGateway(r.hub, r.world, o.Options)
	for _, w := range r.gate.workers {
		w.emit = r.deliver
		go func() {
			if err := w.serve(r.ctx); err != nil {
				panic(err)
			}
		}()
	}
	if !o.still {
		r.world.Start(r.ctx)
	}
	return r
}

func (r *rig) stop() {
	r.must(r.world.Stop(context.Background()))
	r.must(r.hub.Close(context.Background()))
	r.must(r.disk.Close())
	time.Sleep(time.Second) // workers say good-bye
}

func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) now() uint32 { return uint32(time.Since(r.started).Milliseconds()) }

// deliver is the wire from the server.
func (r *rig) deliver(to netip.AddrPort, b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if box, ok := r.mail[to]; ok {
		r.mail[to] = append(box, append([]byte(nil), b...))
		return
	}
	r.lost++
}

// collect takes what has come for a client.
func (r *rig) collect(to netip.AddrPort) [][]byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	box := r.mail[to]
	if len(box) > 0 {
		r.mail[to] = nil
	}
	return box
}

// send is the wire to the server.
func (r *rig) send(from netip.AddrPort, b []byte) {
	d := gateway.NewDatagram()
	d.N, d.From = copy(d.Buf[:], b), from
	r.gate.deal(d)
}

// step lets 10 ms pass.
func (r *rig) step() {
	time.Sleep(10 * time.Millisecond)
	synctest.Wait()
	for _, c := range r.clients {
		c.serve()
	}
	synctest.Wait()
}

// run lets time pass.
func (r *rig) run(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		r.step()
	}
}

// until lets time pass until cond holds.
func (r *rig) until(what string, cond func() bool) {
	r.t.Helper()
	for end := time.Now().Add(20 * time.Second); !cond(); {
		if time.Now().After(end) {
			r.t.Fatalf("waited 20 s in vain for %s", what)
		}
		r.step()
	}
}

// on runs fn on the goroutine of worker 0, as everything about its connections must.
func (r *rig) on(fn func(w *worker)) {
	w := r.gate.workers[0]
	done := make(chan struct{})
	w.calls.Results <- func() { defer close(done); fn(w) }
	<-done
	synctest.Wait()
}

// show hands worker 0 a frame that was made by hand, and brings to the clients what comes of it.
func (r *rig) show(f *sim.Frame) {
	r.on(func(w *worker) { w.Show(f) })
	r.settle()
}

// settle serves everybody until nothing is under way.
func (r *rig) settle() {
	for range 8 {
		r.step()
	}
}

// secret is what a client sends for the password of a test's account.
func secret(password string) string {
	sum := md5.Sum([]byte(password))
	return hex.EncodeToString(sum[:])
}

// account makes an account of that name, whose password is "pass", with a character of the same name.
func (r *rig) account(name string) {
	r.t.Helper()
	p := session.Peer{Addr: netip.MustParseAddr("127.0.0.1"), Conn: 1 << 40, Door: "rcce"}
	r.must(r.hub.CreateAccount(r.ctx, p, name, secret("pass"), ""))
	l, err := r.hub.Login(r.ctx, p, name, secret("pass"))
	r.must(err)
	r.must(r.hub.CreateCharacter(r.ctx, l, session.NewCharacter{Name: name, Template: human}))
}

// player makes an account and brings its character into the world, to the end of the entry burst.
func (r *rig) player(name string) *client {
	r.t.Helper()
	r.account(name)
	return r.enters(name)
}

// enters brings the character of an account into the world, to the end of the entry burst.
func (r *rig) enters(name string) *client {
	r.t.Helper()
	c := r.connect()
	c.send(proto.StartGameRequest{User: name, MD5: secret("pass")})
	r.until(name+" to enter", func() bool { return count[proto.StartGame](c) >= 13 })
	return c
}

// stillPlayer is player where no area ticks: the entry burst is still to come. The player's entity is the first result.
func (r *rig) stillPlayer(name string) (sim.EntityID, *client) {
	r.t.Helper()
	r.account(name)
	c := r.connect()
	c.send(proto.StartGameRequest{User: name, MD5: secret("pass")})
	r.settle()
	var e sim.EntityID
	r.on(func(w *worker) {
		for x := range w.conns {
			if x.peer.Addr() == c.addr && x.session != nil {
				e = x.session.Entity
			}
		}
	})
	if e == 0 {
		r.t.Fatalf("%s did not enter; got %v", name, c.kinds())
	}
	return e, c
}

// bad is how often the door counted something of that kind.
func (r *rig) bad(kind string) uint64 { return r.gate.door.Bad.With(kind).Load() }

func kind(p proto.Packet) string { return fmt.Sprintf("%T", p)[len("rcce."):] }
