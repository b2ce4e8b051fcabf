//go:build linux

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"math/big"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/e2e/truth"
	gate "github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store/sqlite"
)

func TestRestTimeBeginsAnewWithEachMove(t *testing.T) {
	first, second := &truth.Area{}, &truth.Area{}
	start := time.Now()
	r := rests{}
	for _, c := range []struct {
		after time.Duration
		at    shown
		want  time.Duration
	}{
		{0, shown{area: first}, 0},
		{time.Second, shown{area: first}, time.Second},
		{2 * time.Second, shown{area: first, pos: geom.Vec{X: 1}}, 0},
		{3 * time.Second, shown{area: first, pos: geom.Vec{X: 1}}, time.Second},
		{4 * time.Second, shown{area: second, pos: geom.Vec{X: 1}}, 0},
		{5 * time.Second, shown{area: second, pos: geom.Vec{X: 1}, dead: true}, 0},
	} {
		if is := r.record("Ann", c.at, start.Add(c.after)); is != c.want {
			t.Errorf("after %v the player has stood for %v, want %v", c.after, is, c.want)
		}
	}
	if is := r.record("Bob", shown{}, start.Add(time.Minute)); is != 0 {
		t.Errorf("another player has stood for %v, want 0", is)
	}
}

// A RuneScape player clicks on a distant tile and then has to stand still: it stops within two cycles.
func TestHeldRuneScapePlayerStopsOnItsPath(t *testing.T) {
	p, err1 := rand.Prime(rand.Reader, 256)
	q, err2 := rand.Prime(rand.Reader, 256)
	key, err3 := proto.NewPrivateKey(p, q, big.NewInt(proto.DefaultExponent))
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		network := netsim.New(1)
		ln, err := network.Host("10.0.0.1").Listen(":43594")
		if err != nil {
			t.Fatal(err)
		}
		serveRS(t, ln, key)
		p := &rsPlayer{common: common{crowd: &crowd{world: &truth.World{}}, name: "Ann"}}
		p.crowd.holding.Store(true)
		c, err := rs.Dial(t.Context(), rs.Config{Addr: ln.AddrPort().String(), Key: &key.PublicKey, User: p.name, Password: password, Seed: 1, Dial: network.Host("10.0.0.2").Dial})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		time.Sleep(2 * time.Second)
		tile := func() (at proto.Tile) {
			c.Inspect(func(w *rs.World) { at = w.Tile() })
			return at
		}
		start := tile()
		if err := c.Walk(start.X+12, start.Z, false); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		c.Play(p)
		time.Sleep(restTime)
		stopped := tile()
		time.Sleep(5 * time.Second)
		if at := tile(); stopped == start || at != stopped {
			t.Errorf("the player walked from %v to %v, and then to %v while it had to stand still", start, stopped, at)
		}
	})
}

// serveRS runs a whole server with a RuneScape door until the test ends.
func serveRS(t *testing.T, ln *netsim.Listener, key *proto.PrivateKey) {
	quiet := slog.New(slog.DiscardHandler)
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	world := area.NewWorld(content.DefaultWorld().World, area.Options{Log: quiet, Seed: 7})
	hub := session.NewHub(world, db, session.Options{Log: quiet, HashCost: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	door, err := gate.Listen(hub, world, gate.Options{Listener: ln, Key: key, Register: true, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	world.Start(context.Background())
	served := make(chan error, 1)
	go func() { served <- door.Run(context.Background()) }()
	t.Cleanup(func() {
		if err := errors.Join(world.Stop(context.Background()), <-served, hub.Close(context.Background()), db.Close()); err != nil {
			t.Error(err)
		}
	})
}
