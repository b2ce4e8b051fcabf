package bedrock

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/internal/lateness"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store/sqlite"
)

// The one test with real sockets and a real clock: both versions join, see each other walk, and hear the good-bye.
func TestThroughARealSocket(t *testing.T) {
	late := lateness.Measure(t, nil)
	quiet := slog.New(slog.DiscardHandler)
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	world := area.NewWorld(twoFields(), area.Options{Log: quiet})
	hub := session.NewHub(world, db, session.Options{Log: quiet})
	g, err := Listen(hub, world, Options{Addr: "127.0.0.1:0", Log: quiet, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	g.farewell = time.Minute // a client of a busy machine hears the good-bye when it comes to read
	world.Start(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- g.Run(context.Background()) }()

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // a busy machine is waited for
	defer cancel()
	clients := meet(ctx, t, g.Addr().String())
	for _, c := range clients {
		defer c.Close()
		n := c.Stats(nil)
		if n.Bad+n.Strange != 0 || n.Updates == 0 {
			t.Errorf("%+v, %v", n, c.FirstBad())
		}
		if worst, lost := late.Get(), leftOut(world); worst+lost >= calm {
			t.Logf("the machine stalled for %v and left out %v: whether anybody was corrected is not judged", worst, lost)
		} else if n.Move.False != 0 {
			t.Errorf("corrected: %+v", n.Move)
		}
	}
	stopped := make(chan error, 1)
	go func() { stopped <- world.Stop(context.Background()) }()
	for _, c := range clients {
		err := c.Play(ctx, nil)
		if d, ok := errors.AsType[*bot.DisconnectError](err); !ok || d.Reason != proto.DisconnectServerShutdown {
			t.Errorf("at the end: %v", err)
		}
	}
	if err := <-stopped; err != nil {
		t.Errorf("Stop: %v", err)
	}
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
	if err := hub.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// calm is how late a machine may be, all in all, for an honest client not to be corrected. Inputs of two seconds that wait
// are more than the server keeps of one player.
const calm = time.Second

// leftOut is how much time the areas with players have left out: they catch up on a few ticks only, while clients make up
// for each of theirs.
func leftOut(w *area.World) (lost time.Duration) {
	for _, s := range w.Stats() {
		if s.Players > 0 {
			lost += time.Duration(s.Skipped) * time.Second / time.Duration(w.Def().TicksPerSecond)
		}
	}
	return lost
}

// meet brings a client of each version into the world, where they wander until each has walked for a while and has been
// told of others. Each is served from its first packet on, whatever the others wait for: a server sends the silent away.
func meet(ctx context.Context, t *testing.T, addr string) (clients []*bot.Client) {
	t.Helper()
	versions := proto.Versions()
	clients = make([]*bot.Client, len(versions))
	var all sync.WaitGroup
	var left atomic.Int32
	left.Store(int32(len(versions)))
	play, stop := context.WithCancel(ctx)
	defer stop()
	for i, v := range versions {
		all.Go(func() {
			c, err := bot.Dial(ctx, addr, bot.Options{Name: v.Game(), Version: v, Seed: uint64(i + 1), Key: clientKey()})
			if err != nil {
				t.Error(err)
				stop()
				return
			}
			clients[i] = c
			wander, met := &bot.Wander{Home: &geom.Vec{X: westX/unitsPerBlock - 8, Y: groundY, Z: -1}, Radius: 2}, false // no jump leads to the gate, behind which nobody is
			for play.Err() == nil {
				turn, end := context.WithTimeout(play, 250*time.Millisecond)
				err := c.Play(turn, wander)
				end()
				if err != nil {
					t.Error(err)
					stop()
				}
				if n := c.Stats(nil); !met && n.Inputs >= 30 && n.Updates > 0 {
					met = true
					if left.Add(-1) == 0 {
						stop()
					}
				}
			}
		})
	}
	all.Wait()
	if n := left.Load(); n > 0 {
		t.Fatalf("%d of %d did not walk and see others", n, len(versions))
	}
	return clients
}

// A bug in the door must not cost anybody what he did since his last record.
func TestABrokenWorkerEndsTheDoorButNotTheProcess(t *testing.T) {
	for name, breaks := range map[string]func(w *worker){
		"in the worker": func(w *worker) { w.calls.C <- func() { panic("boom") } },
		"in a call": func(w *worker) {
			w.calls.C <- func() { w.calls.Do(func(context.Context) func() { panic("boom") }) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
			world := area.NewWorld(twoFields(), area.Options{Log: quiet})
			g, err := Listen(nil, world, Options{Addr: "127.0.0.1:0", Log: quiet, Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			breaks(g.workers[0])
			if err := g.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "boom") {
				t.Errorf("Run ended with %v", err)
			}
			if err := world.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// A taken port and a wrong address say what to do.
func TestListenExplainsItsErrors(t *testing.T) {
	world := area.NewWorld(twoFields(), area.Options{})
	taken, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for addr, want := range map[string]string{taken.LocalAddr().String(): "choose one with --bedrock", "nowhere": "give it as host:port"} {
		_, err := Listen(nil, world, Options{Addr: addr})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), addr) {
			t.Errorf("%s: %v, want advice with %q", addr, err, want)
		}
		var op *net.OpError
		if addr != "nowhere" && !errors.As(err, &op) {
			t.Errorf("%s: the cause is lost: %v", addr, err)
		}
	}
}
