package rcce_test

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/content"
	gate "github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/internal/lateness"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store/sqlite"
)

// patience is how long a test waits for what must come, on a machine that has much else to do.
const patience = 30 * time.Second

// serve runs a whole server with the embedded world until the test ends, and returns its address.
func serve(tb testing.TB) string {
	tb.Helper()
	addr, _ := serveWorld(tb)
	return addr
}

// serveWorld is serve, and returns the world as well. Nothing stands in its way: a client with a screen sees a wall, and
// goes round it; these do not, and would rightly be held at the first that their luck sends them against.
func serveWorld(tb testing.TB) (addr string, world *area.World) {
	tb.Helper()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	db, err := sqlite.Open(tb.Context(), tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	def := content.DefaultWorld()
	for i := range def.Areas {
		def.Areas[i].Walls = nil
	}
	world = area.NewWorld(def, area.Options{Log: quiet, Seed: 7})
	hub := session.NewHub(world, db, session.Options{Log: quiet, Secrets: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	door, err := gate.Listen(hub, world, gate.Options{Addr: "127.0.0.1:0", Log: quiet})
	if err != nil {
		tb.Fatal(err)
	}
	world.Start(context.Background())
	served := make(chan error, 1)
	go func() { served <- door.Run(context.Background()) }()
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		for _, err := range []error{world.Stop(ctx), <-served, hub.Close(ctx), db.Close()} {
			if err != nil {
				tb.Error(err)
			}
		}
	})
	return door.Addr().String(), world
}

// bot is a client that joins in a goroutine of its own and plays until the test ends.
type bot struct {
	*rcce.Client // valid after await
	tb           testing.TB
	chats        chan string
	joined       chan error
	late         *lateness.Worst
}

func join(tb testing.TB, addr string, b rcce.Behaviour, o rcce.Options) *bot {
	tb.Helper()
	p := joining(tb, addr, b, o)
	p.await()
	return p
}

// joining is join without the waiting: await does that.
func joining(tb testing.TB, addr string, b rcce.Behaviour, o rcce.Options) *bot {
	p := &bot{tb: tb, chats: make(chan string, 1000), joined: make(chan error, 1), late: lateness.Measure(tb, nil)}
	o.Password, o.Seed = "secret", 5
	o.Chat = func(text string) {
		select {
		case p.chats <- text:
		default:
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.run(ctx, addr, b, o)
	}()
	tb.Cleanup(func() {
		stop()
		<-done
	})
	return p
}

func (p *bot) await() {
	p.tb.Helper()
	if err := <-p.joined; err != nil {
		p.tb.Fatal(err)
	}
}

func (p *bot) run(ctx context.Context, addr string, b rcce.Behaviour, o rcce.Options) {
	c, err := rcce.Dial(ctx, addr, o)
	if err != nil {
		p.joined <- err
		return
	}
	defer c.Close()
	p.Client = c
	err = c.Join(ctx)
	p.joined <- err
	if err != nil {
		return
	}
	if err := c.Play(ctx, b); err != nil {
		p.tb.Errorf("play: %v", err)
	}
}

// soon waits until the client's world is as asked for.
func (p *bot) soon(what string, ok func(w *rcce.World, n rcce.Counts) bool) {
	p.tb.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		n, yes := p.Stats(nil, nil), false
		p.Look(func(w *rcce.World) { yes = ok(w, n) })
		if yes {
			return
		}
		if time.Now().After(end) {
			p.tb.Fatalf("not soon: %s; %+v", what, n)
		}
	}
}

// honest checks what must be true of every well-behaved client at a sound server.
func (p *bot) honest() {
	p.tb.Helper()
	n := p.Stats(nil, nil)
	if n.Bad != 0 || n.Ignored != 0 {
		p.tb.Errorf("%d bad, %d ignored messages; first: %v", n.Bad, n.Ignored, p.FirstBad())
	}
	if worst := p.late.Get(); worst >= calm {
		p.tb.Logf("the machine stalled for %v: whether the client was taken back is not judged", worst)
	} else if n.Corrections != 0 || n.Snaps != 0 {
		p.tb.Errorf("%d corrections, %d snaps", n.Corrections, n.Snaps)
	}
}

// calm is how late a machine may be for clients to be where the server has them. An echo that is two thirds of a second
// old is 60 units behind a runner, and takes him back.
const calm = 300 * time.Millisecond
