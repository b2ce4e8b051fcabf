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
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store/sqlite"
)

// serve runs a whole server with the embedded world until the test ends, and returns its address.
func serve(tb testing.TB) string {
	tb.Helper()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	db, err := sqlite.Open(tb.Context(), tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	world := area.NewWorld(content.DefaultWorld(), area.Options{Log: quiet, Seed: 7})
	hub := session.NewHub(world, db, session.Options{Log: quiet, Secrets: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	door, err := gate.Listen(hub, world, gate.Options{Addr: "127.0.0.1:0", Log: quiet})
	if err != nil {
		tb.Fatal(err)
	}
	world.Start(context.Background())
	served := make(chan error, 1)
	go func() { served <- door.Run(context.Background()) }()
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		for _, err := range []error{world.Stop(ctx), <-served, hub.Close(ctx), db.Close()} {
			if err != nil {
				tb.Error(err)
			}
		}
	})
	return door.Addr().String()
}

// Honest players of the real server wander and fight for a while among each other, on good lines and bad ones. Nobody
// is moved by a correction, everything can be read, and each sees the others.
func TestHonestPlayersOfTheRealServer(t *testing.T) {
	const players, playFor = 5, 1500 * time.Millisecond
	t.Parallel()
	addr := serve(t)
	chunks := &bedrock.ChunkCache{}
	var wait sync.WaitGroup
	for n := range players {
		wait.Go(func() {
			var b bedrock.Behaviour = &bedrock.Wander{Radius: 12}
			if n == 1 {
				b = &bedrock.Fight{}
			}
			name := fmt.Sprintf("Walker%d", n)
			c, err := bedrock.Dial(t.Context(), addr, bedrock.Options{
				Name: name, Seed: uint64(n) + 1, Chunks: chunks, Tamper: &bedrock.Tamper{DelayIn: n, DelayOut: n},
			})
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			ctx, stop := context.WithTimeout(t.Context(), playFor)
			defer stop()
			if err := c.Play(ctx, b); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			s := c.Stats(nil)
			if s.Bad != 0 || s.Trailing != 0 || s.Move.False != 0 || s.Move.Deserved != 0 {
				t.Errorf("%s: %+v, first bad: %v", name, s, c.FirstBad())
			}
			c.Look(func(s *bedrock.Session) {
				if w := s.World(); w.ActorCount() < players-1 || s.Predictor().Ground().Chunks() < 9 {
					t.Errorf("%s sees %d others on %d chunks", name, w.ActorCount(), s.Predictor().Ground().Chunks())
				}
			})
		})
	}
	wait.Wait()
}
