package bedrock

import (
	"bytes"
	"context"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
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
	lines   []*line // those that are served
	dialled int
	logged  *diary

	mu   sync.Mutex
	mail map[netip.AddrPort][][]byte // datagrams for clients
}

// bubble runs fn with a server, and stops it afterwards.
func bubble(t *testing.T, w *sim.World, o Options, fn func(r *rig)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, dir, w, o)
		defer r.stop()
		fn(r)
	})
}

func newRig(t testing.TB, dir string, w *sim.World, o Options) *rig {
	t.Helper()
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	r := &rig{
		t: t, ctx: t.Context(), started: time.Now(), disk: db, logged: &diary{},
		world: area.NewWorld(w, area.Options{Log: quiet, Seed: 1}), mail: map[netip.AddrPort][][]byte{},
	}
	r.hub = session.NewHub(r.world, db, session.Options{Log: quiet, Secrets: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	o.Log = slog.New(slog.NewTextHandler(r.logged, nil))
	if o.Workers == 0 {
		o.Workers = 1
	}
	r.gate, err = newGateway(r.hub, r.world, o)
	r.must(err)
	for _, w := range r.gate.workers {
		w.write = r.deliver
		w.announce()
		go func() {
			if err := w.serve(r.ctx); err != nil {
				panic(err)
			}
		}()
	}
	r.world.Start(r.ctx)
	return r
}

func (r *rig) stop() {
	r.must(r.world.Stop(context.Background()))
	r.must(r.hub.Close(context.Background()))
	r.must(r.disk.Close())
	time.Sleep(time.Second) // workers say good-bye
	if n := r.gate.door.Sessions.Load(); n != 0 {
		r.t.Errorf("%d sessions are counted when all have gone", n)
	}
}

func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) now() int64 { return time.Since(r.started).Milliseconds() }

// deliver is the wire from the server.
func (r *rig) deliver(to netip.AddrPort, b []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if box, ok := r.mail[to]; ok {
		r.mail[to] = append(box, append([]byte(nil), b...))
	}
	return nil
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
	for _, l := range r.lines {
		l.serve()
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
			r.t.Fatalf("waited 20 s in vain for %s; logged:\n%s", what, r.logged)
		}
		r.step()
	}
}

// on runs fn on the goroutine of worker 0, as everything about its connections must.
func (r *rig) on(fn func(w *worker)) {
	w := r.gate.workers[0]
	done := make(chan struct{})
	w.calls.C <- func() { defer close(done); fn(w) }
	<-done
	synctest.Wait()
}

// bad is how often the door counted something of that kind.
func (r *rig) bad(kind string) uint64 { return r.gate.door.Bad.With(kind).Load() }

// diary is what the door logged.
type diary struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (d *diary) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(b)
}

func (d *diary) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.String()
}

// count is how many lines have all the words.
func (d *diary) count(words ...string) (n int) {
next:
	for line := range strings.Lines(d.String()) {
		for _, w := range words {
			if !strings.Contains(line, w) {
				continue next
			}
		}
		n++
	}
	return n
}
