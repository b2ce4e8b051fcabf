package rcce_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway"
	gate "github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

// waitLimit is the maximum time that a test waits for an expected state. Inside a synctest bubble it is virtual time.
const waitLimit = 30 * time.Second

// server is a whole server with the embedded world, on an in-memory network.
type server struct {
	world   *area.World
	network *netsim.Network
	host    *netsim.Host
	addr    string
	slow    atomic.Int64 // simulated delay, in ns, of the server's search for an account
	players int          // number of hosts created so far, one for each player
}

// withServer runs fn with a server in a synctest bubble (virtual time), in parallel with other tests.
func withServer(t *testing.T, fn func(t *testing.T, s *server)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{network: netsim.New(42)}
		s.host = s.network.Host("10.0.0.1")
		conn, err := s.host.ListenPacket(":25000")
		if err != nil {
			t.Fatal(err)
		}
		s.addr = conn.AddrPort().String()
		s.world = serve(t, conn, &s.slow)
		fn(t, s)
	})
}

// serve runs a server on a socket until the test ends. Its world has no walls, because a Wander without
// LineOfSight walks into them, and the server would refuse its claims.
func serve(tb testing.TB, conn gateway.Conn, slow *atomic.Int64) *area.World {
	tb.Helper()
	quiet := slog.New(slog.DiscardHandler)
	db, err := sqlite.Open(tb.Context(), emptystore.Dir(tb))
	if err != nil {
		tb.Fatal(err)
	}
	def := content.DefaultWorld().World
	for i := range def.Areas {
		def.Areas[i].Walls = nil
	}
	world := area.NewWorld(def, area.Options{Log: quiet, Seed: 7})
	hub := session.NewHub(world, slowStore{db, slow}, session.Options{Log: quiet, HashCost: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	door, err := gate.Listen(hub, world, gate.Options{Conn: conn, Log: quiet})
	if err != nil {
		tb.Fatal(err)
	}
	world.Start(context.Background())
	served := make(chan error, 1)
	go func() { served <- door.Run(context.Background()) }()
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
		defer cancel()
		if err := errors.Join(world.Stop(ctx), <-served, hub.Close(ctx), db.Close()); err != nil {
			tb.Error(err)
		}
	})
	return world
}

// slowStore is a store that takes some time to find an account.
type slowStore struct {
	store.Store
	time *atomic.Int64
}

func (s slowStore) Account(ctx context.Context, name string) (*store.Account, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(time.Duration(s.time.Load())):
		return s.Store.Account(ctx, name)
	}
}

// newHost adds a host whose link to the server has the impairment in both directions.
func (s *server) newHost(imp netsim.Impairment) *netsim.Host {
	s.players++
	h := s.network.Host(fmt.Sprint("10.0.1.", s.players))
	s.network.Impair(h, s.host, imp, imp)
	return h
}

// join starts a player on its own host without impairment and waits until it is in the world.
func (s *server) join(t *testing.T, b rcce.Behaviour, o rcce.Options) *bot {
	t.Helper()
	o.Dial = s.newHost(netsim.Impairment{}).Dial
	p := start(t, s.addr, b, o)
	p.await()
	return p
}

// ticks returns the tick number of the area that has players.
func (s *server) ticks() int {
	for _, a := range s.world.Stats() {
		if a.Players > 0 {
			return int(a.Tick)
		}
	}
	return 0
}

// bot is a client that joins and plays in its own goroutine until the test ends.
type bot struct {
	*rcce.Client // set once await has returned
	t            *testing.T
	chats        chan string
	joined       chan error
	stop         func() // ends the client and waits until it has ended
}

// start starts a client; await waits until it is in the world.
func start(t *testing.T, addr string, b rcce.Behaviour, o rcce.Options) *bot {
	p := &bot{t: t, chats: make(chan string, 1000), joined: make(chan error, 1)}
	o.Password, o.Seed = "secret", 5
	o.Chat = func(text string) {
		select {
		case p.chats <- text:
		default:
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.run(ctx, addr, b, o)
	}()
	p.stop = func() {
		cancel()
		<-done
	}
	t.Cleanup(p.stop)
	return p
}

func (p *bot) await() {
	p.t.Helper()
	if err := <-p.joined; err != nil {
		p.t.Fatal(err)
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
		p.t.Errorf("play: %v", err)
	}
}

// waitUntil waits until ok reports true for the client's world and counters.
func (p *bot) waitUntil(what string, ok func(w *rcce.World, n rcce.Counts) bool) {
	p.t.Helper()
	for end := time.Now().Add(waitLimit); ; time.Sleep(10 * time.Millisecond) {
		n, yes := p.Stats(nil, nil), false
		p.Inspect(func(w *rcce.World) { yes = ok(w, n) })
		if yes {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("not within %v: %s; %+v", waitLimit, what, n)
		}
	}
}

// checkNoCorrections checks that the client parsed all messages and was never corrected.
func (p *bot) checkNoCorrections() {
	p.t.Helper()
	n := p.Stats(nil, nil)
	if n.Bad != 0 || n.Ignored != 0 {
		p.t.Errorf("%d bad, %d ignored messages; first: %v", n.Bad, n.Ignored, p.FirstParseError())
	}
	if n.Corrections != 0 || n.Snaps != 0 {
		p.t.Errorf("%d corrections, %d snaps", n.Corrections, n.Snaps)
	}
}
