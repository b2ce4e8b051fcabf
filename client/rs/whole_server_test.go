package rs_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/content"
	gate "github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store/sqlite"
)

// serve runs a whole server with the embedded world on a listener until the test ends.
func serve(tb testing.TB, ln net.Listener) {
	tb.Helper()
	quiet := slog.New(slog.DiscardHandler)
	db, err := sqlite.Open(tb.Context(), emptystore.Dir(tb))
	if err != nil {
		tb.Fatal(err)
	}
	world := area.NewWorld(content.DefaultWorld().World, area.Options{Log: quiet, Seed: 7})
	hub := session.NewHub(world, db, session.Options{Log: quiet, HashCost: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	door, err := gate.Listen(hub, world, gate.Options{Listener: ln, Key: key(), Register: true, Log: quiet})
	if err != nil {
		tb.Fatal(err)
	}
	world.Start(context.Background())
	served := make(chan error, 1)
	go func() { served <- door.Run(context.Background()) }()
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := errors.Join(world.Stop(ctx), <-served, hub.Close(ctx), db.Close()); err != nil {
			tb.Error(err)
		}
	})
}

// join starts a player that stays in the world until the test ends.
func join(tb testing.TB, cfg rs.Config, b rs.Behaviour) *rs.Client {
	tb.Helper()
	c, err := rs.Dial(tb.Context(), cfg)
	if err != nil {
		tb.Fatalf("%s: %v", cfg.User, err)
	}
	tb.Cleanup(c.Close)
	c.Play(b)
	return c
}

// Players of a whole server walk for half a minute over links with each impairment. No cycle is missed or fails to parse, and
// at the end each client has every other player at its tile.
func TestClientPositionsEqualServerPositionsOverImpairedLinks(t *testing.T) {
	t.Parallel()
	key() // generates the key outside of the synctest bubbles, because this takes real time
	for name, imp := range map[string]netsim.Impairment{
		"perfect": {}, "delay": {DelayMS: 80}, "loss": {DelayMS: 30, JitterMS: 20, Loss: 0.03},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { walkAndCompare(t, imp) })
		})
	}
}

func walkAndCompare(t *testing.T, imp netsim.Impairment) {
	const players = 5
	network := netsim.New(3)
	host := network.Host("10.0.0.1")
	ln, err := host.Listen(":43594")
	if err != nil {
		t.Fatal(err)
	}
	serve(t, ln)
	all := make([]*rs.Client, players)
	for n := range all {
		home := network.Host(fmt.Sprint("10.0.1.", n+1))
		network.Impair(home, host, imp, imp)
		all[n] = join(t, rs.Config{
			Addr: ln.AddrPort().String(), Key: &key().PublicKey, Dial: home.Dial,
			User: fmt.Sprint("Walker", n), Password: "secret", Seed: uint64(n) + 1,
		}, &rs.Wander{Radius: 6})
	}
	time.Sleep(30 * time.Second)
	for _, c := range all {
		c.Play(nil)
	}
	time.Sleep(15 * time.Second) // the players arrive at their destinations
	tiles := make([]proto.Tile, players)
	for n, c := range all {
		c.Inspect(func(w *rs.World) { tiles[n] = w.Tile() })
	}
	for n, c := range all {
		c.Inspect(func(w *rs.World) {
			for other, want := range tiles {
				index, found := w.FindByName(fmt.Sprint("Walker", other))
				if at, seen := w.Local(index); !found || !seen || at != want {
					t.Errorf("walker %d has walker %d at %v (found %v, in view %v), want %v", n, other, at, found, seen, want)
				}
			}
		})
		s := c.Stats(nil)
		if s.Bad != 0 || s.OffMap != 0 || c.Mismatch() != nil || c.Err() != nil {
			t.Errorf("walker %d: %+v, %v, %v, %v", n, s, c.FirstParseError(), c.Mismatch(), c.Err())
		}
		if s.Missed != 0 || s.Infos < 70 || s.Clicks == 0 || s.Walks == 0 {
			t.Errorf("walker %d: %d cycles missed, %d read, %d clicks, %d steps of others", n, s.Missed, s.Infos, s.Clicks, s.Walks)
		}
	}
}

// A player joins, moves, is seen and leaves. The other tests use an in-memory network.
func TestClientJoinsMovesAndLeavesOverKernelSockets(t *testing.T) {
	t.Parallel()
	ln, err := gate.Bind("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serve(t, ln)
	cfg := rs.Config{Addr: ln.Addr().String(), Key: &key().PublicKey, User: "Watcher", Password: "secret", Seed: 1}
	watcher := join(t, cfg, nil)
	cfg.User = "Walker"
	walker := join(t, cfg, &rs.Wander{Radius: 6})
	var first *proto.Tile
	waitUntil(t, watcher, "the walker is seen to move", func(w *rs.World) bool {
		index, found := w.FindByName("Walker")
		at, seen := w.Local(index)
		if found && seen && first == nil {
			first = &at
		}
		return found && seen && at != *first
	})
	if err := walker.Logout(t.Context()); err != nil {
		t.Error(err)
	}
	waitUntil(t, watcher, "the walker is gone", func(w *rs.World) bool {
		index, found := w.FindByName("Walker")
		_, seen := w.Local(index)
		return !found || !seen
	})
}

// waitUntil waits in real time until ok returns true for a client's world.
func waitUntil(t *testing.T, c *rs.Client, what string, ok func(w *rs.World) bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		yes := false
		c.Inspect(func(w *rs.World) { yes = ok(w) })
		if yes {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("not within one minute: %s", what)
		}
	}
}
