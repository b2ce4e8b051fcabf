package bedrock_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/content"
	gate "github.com/truestep-io/truestep/gateway/bedrock"
	"github.com/truestep-io/truestep/internal/lateness"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store/sqlite"
)

// patience is how long a test waits for what must come, on a machine that has much else to do.
const patience = 30 * time.Second

// serve runs a whole server with the embedded world until the test ends, and returns its address and that world.
func serve(tb testing.TB) (addr string, world *area.World) {
	tb.Helper()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	db, err := sqlite.Open(tb.Context(), tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	world = area.NewWorld(content.DefaultWorld(), area.Options{Log: quiet, Seed: 7})
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

// Honest players of the real server wander and fight for a while among each other, on good lines and bad ones. Nobody
// is moved by a correction, everything can be read, and each sees the others.
func TestHonestPlayersOfTheRealServer(t *testing.T) {
	const players, playFor = 5, 1500 * time.Millisecond
	t.Parallel()
	late := lateness.Measure(t, nil)
	addr, world := serve(t)
	all := make([]*guest, players)
	chunks := &bedrock.ChunkCache{}
	var joining sync.WaitGroup
	for n := range all {
		joining.Go(func() {
			var b bedrock.Behaviour = &bedrock.Wander{Radius: 12}
			if n == 1 {
				b = &bedrock.Fight{}
			}
			all[n] = join(t, addr, b, bedrock.Options{
				Name: fmt.Sprintf("Walker%d", n), Seed: uint64(n) + 1, Chunks: chunks, Tamper: &bedrock.Tamper{DelayIn: n, DelayOut: n},
			})
		})
	}
	joining.Wait()
	if t.Failed() {
		return
	}
	for _, g := range all {
		g.seesOthers(players - 1)
	}
	time.Sleep(playFor)
	for _, g := range all {
		g.honest(late, world)
	}
}

// guest is a client that plays until the test ends.
type guest struct {
	*bedrock.Client
	t    *testing.T
	name string
	over chan struct{} // closed when it plays no more
	err  error         // why, to be read then
}

func join(t *testing.T, addr string, b bedrock.Behaviour, o bedrock.Options) *guest {
	c, err := bedrock.Dial(t.Context(), addr, o)
	if err != nil {
		t.Error(err)
		return nil
	}
	life, stop := context.WithCancel(context.Background())
	g := &guest{Client: c, t: t, name: o.Name, over: make(chan struct{})}
	go func() {
		defer close(g.over)
		g.err = c.Play(life, b)
	}()
	t.Cleanup(func() {
		stop()
		<-g.over
		c.Close()
		if g.err != nil {
			t.Errorf("%s: %v", g.name, g.err)
		}
	})
	return g
}

// seesOthers waits until it sees so many others and stands on ground that it knows.
func (g *guest) seesOthers(others int) {
	g.t.Helper()
	var sees, stands int
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		g.Look(func(s *bedrock.Session) { sees, stands = s.World().ActorCount(), s.Predictor().Ground().Chunks() })
		if sees >= others && stands >= 9 {
			return
		}
		if time.Now().After(end) {
			g.t.Fatalf("%s sees %d others on %d chunks", g.name, sees, stands)
		}
	}
}

// honest checks what must be true of every well-behaved client at a sound server.
func (g *guest) honest(late *lateness.Worst, world *area.World) {
	g.t.Helper()
	s := g.Stats(nil)
	if s.Bad != 0 || s.Trailing != 0 {
		g.t.Errorf("%s: %+v, first bad: %v", g.name, s, g.FirstBad())
	}
	if worst, lost := late.Get(), leftOut(world); worst+lost >= calm {
		g.t.Logf("the machine stalled for %v and left out %v: whether %s was corrected is not judged", worst, lost, g.name)
	} else if s.Move.False != 0 || s.Move.Deserved != 0 {
		g.t.Errorf("%s: %+v", g.name, s)
	}
}

// leftOut is how much time the area of the players has left out: it catches up on a few ticks only, while clients make up
// for each of theirs. What they sent meanwhile waits, and many short stalls are as bad for them as a long one.
func leftOut(w *area.World) (lost time.Duration) {
	for _, s := range w.Stats() {
		if s.Players > 0 {
			lost = time.Duration(s.Skipped) * time.Second / time.Duration(w.Def().TicksPerSecond)
		}
	}
	return lost
}

// calm is how late a machine may be, all in all, for an honest client not to be corrected. Inputs of two seconds that wait
// are more than the server keeps of one player.
const calm = time.Second
