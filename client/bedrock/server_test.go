package bedrock_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway"
	gate "github.com/truestep-io/truestep/gateway/bedrock"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store/sqlite"
)

// patience is the maximum time that a test waits for an expected state. Inside a synctest bubble it is virtual time.
const patience = 30 * time.Second

// serve runs a complete server with the embedded world on a socket until the test ends.
func serve(tb testing.TB, conn gateway.Conn) {
	tb.Helper()
	quiet := slog.New(slog.DiscardHandler)
	db, err := sqlite.Open(tb.Context(), emptystore.Dir(tb))
	if err != nil {
		tb.Fatal(err)
	}
	vale := content.DefaultWorld()
	world := area.NewWorld(vale.World, area.Options{Log: quiet, Seed: 7})
	hub := session.NewHub(world, db, session.Options{Log: quiet, HashCost: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	door, err := gate.Listen(hub, world, gate.Options{Conn: conn, Log: quiet, Appearance: vale.Appearance.Bedrock})
	if err != nil {
		tb.Fatal(err)
	}
	world.Start(context.Background())
	served := make(chan error, 1)
	go func() { served <- door.Run(context.Background()) }()
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := errors.Join(world.Stop(ctx), <-served, hub.Close(ctx), db.Close()); err != nil {
			tb.Error(err)
		}
	})
}

// Honest players on a complete server walk and fight for half a minute, each with a different delay, over networks with
// each impairment. No correction moves them, all packets can be parsed, and each player sees the others.
func TestHonestPlayersAreNotCorrectedByTheServer(t *testing.T) {
	t.Parallel()
	for name, imp := range map[string]netsim.Impairment{
		"perfect": {}, "delay": {DelayMS: 80}, "jitter": {DelayMS: 40, JitterMS: 60},
		"loss": {DelayMS: 30, JitterMS: 10, Loss: 0.02, Duplicate: 0.01, Reorder: 0.02},
	} {
		if testing.Short() && imp.Loss == 0 { // with -short only the network with loss is tested; make unit does not set -short
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { honestPlayers(t, imp) })
		})
	}
}

func honestPlayers(t *testing.T, imp netsim.Impairment) {
	const players, playFor = 5, 30 * time.Second
	network := netsim.New(3)
	host := network.Host("10.0.0.1")
	conn, err := host.ListenPacket(":19132")
	if err != nil {
		t.Fatal(err)
	}
	serve(t, conn)
	all := make([]*playingClient, players)
	chunks := &bedrock.ChunkCache{}
	for n := range all {
		var b bedrock.Behaviour = &bedrock.Wander{Radius: 12}
		if n == 1 {
			b = &bedrock.Fight{}
		}
		home := network.Host(fmt.Sprint("10.0.1.", n+1))
		network.Impair(home, host, imp, imp)
		all[n] = joinServer(t, conn.AddrPort().String(), b, bedrock.Options{
			Name: fmt.Sprintf("Walker%d", n), Seed: uint64(n) + 1, Chunks: chunks, Dial: home.Dial,
			Tamper: &bedrock.Tamper{DelayIn: n, DelayOut: n},
		})
	}
	for _, p := range all {
		p.waitForOthers(players - 1)
	}
	time.Sleep(playFor)
	for _, p := range all {
		s := p.Stats(nil)
		if s.ParseErrors != 0 || s.Trailing != 0 {
			t.Errorf("%s: %+v, first bad: %v", p.name, s, p.FirstParseError())
		}
		if s.Move.Unexpected != 0 || s.Move.Tampered != 0 {
			t.Errorf("%s is corrected: %+v", p.name, s)
		}
		if s.Inputs < uint64(playFor/bedrock.TickInterval) || s.Updates == 0 {
			t.Errorf("%s: %d inputs in %v, %d updates", p.name, s.Inputs, playFor, s.Updates)
		}
	}
}

// A player joins, moves, is shown to another client, and leaves. Only this test of the package uses kernel sockets.
func TestClientJoinsMovesAndLeavesOverKernelSockets(t *testing.T) {
	t.Parallel()
	conn, err := gate.Bind("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := conn.LocalAddr().String()
	serve(t, conn)
	watcher := joinServer(t, addr, nil, bedrock.Options{Name: "Watcher", Seed: 1})
	walker := joinServer(t, addr, &bedrock.Wander{Radius: 12}, bedrock.Options{Name: "Walker", Seed: 2})
	find := func(s *bedrock.Session) (a bedrock.Actor, ok bool) {
		for b := range s.World().Actors() {
			if b.Name == "Walker" {
				return *b, true
			}
		}
		return a, false
	}
	var first *bedrock.Actor
	watcher.waitFor("the walker is seen to move", func(s *bedrock.Session) bool {
		a, ok := find(s)
		if ok && first == nil {
			first = &a
		}
		return ok && a.Pos != first.Pos
	})
	walker.leave()
	watcher.waitFor("the walker is gone", func(s *bedrock.Session) bool {
		_, ok := find(s)
		return !ok
	})
}

// playingClient is a client that plays until the test ends.
type playingClient struct {
	*bedrock.Client
	t     *testing.T
	name  string
	leave func() // ends the client and waits until it has ended
}

func joinServer(t *testing.T, addr string, b bedrock.Behaviour, o bedrock.Options) *playingClient {
	t.Helper()
	c, err := bedrock.Dial(t.Context(), addr, o)
	if err != nil {
		t.Fatal(err)
	}
	life, stop := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer c.Close()
		if err := c.Play(life, b); err != nil {
			t.Errorf("%s: %v", o.Name, err)
		}
	}()
	p := &playingClient{Client: c, t: t, name: o.Name}
	p.leave = func() {
		stop()
		<-over
	}
	t.Cleanup(p.leave)
	return p
}

// waitFor waits until ok returns true for the session.
func (p *playingClient) waitFor(what string, ok func(s *bedrock.Session) bool) {
	p.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		yes := false
		p.Inspect(func(s *bedrock.Session) { yes = ok(s) })
		if yes {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("%s: not within %v: %s", p.name, patience, what)
		}
	}
}

// waitForOthers waits until the client is shown the given number of other players and has received the chunks around its
// player.
func (p *playingClient) waitForOthers(others int) {
	p.t.Helper()
	p.waitFor(fmt.Sprintf("it sees %d others and has 9 chunks", others), func(s *bedrock.Session) bool {
		return s.World().ActorCount() >= others && s.Predictor().Ground().ChunkCount() >= 9
	})
}
