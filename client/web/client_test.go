package web_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/client/keys"
	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/telemetry"
)

// serve starts a server of the embedded world on sockets of this machine and returns the address of its web door.
func serve(t *testing.T) string {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	dir := emptystore.Dir(t)
	store, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	world := area.NewWorld(content.DefaultWorld().World, area.Options{Log: quiet, Seed: 7, Metrics: telemetry.New()})
	hub := session.NewHub(world, store, session.Options{Log: quiet})
	listener, udp := listen(t)
	gate, err := web.Listen(hub, world, web.Options{Listener: listener, UDP: udp, KeyDir: dir, Metrics: telemetry.New(), Log: quiet, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	running := make(chan error, 1)
	go func() { running <- gate.Run(context.Background()) }()
	world.Start(context.Background())
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		err := world.Stop(ctx)
		if err := errors.Join(err, <-running, hub.Close(ctx), store.Close()); err != nil {
			t.Error(err)
		}
	})
	return "http://" + listener.Addr().String()
}

// listen opens a TCP and a UDP socket with the same port number.
func listen(t *testing.T) (net.Listener, *net.UDPConn) {
	t.Helper()
	for range 20 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		at := l.Addr().(*net.TCPAddr)
		if udp, err := net.ListenUDP("udp", &net.UDPAddr{IP: at.IP, Port: at.Port}); err == nil {
			return l, udp
		}
		_ = l.Close()
	}
	t.Fatal("no port is free for TCP and UDP")
	return nil, nil
}

// Over real sockets, a player of each transport enters the world, walks as its client predicts, and sees the other player walk. Both
// stand until each sees the other, and walk only 3 blocks: after some more they would enter a portal.
func TestClientsOverBothTransportsWalkAndSeeEachOther(t *testing.T) {
	base := serve(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	names := []string{"Quentin", "Wanda"}
	clients := make([]*webcl.Client, len(names))
	done := make(chan error, len(names))
	life, leave := context.WithCancel(ctx)
	var walk atomic.Bool
	for i, name := range names {
		c, err := webcl.Dial(ctx, base, webcl.Options{Name: name, WS: i == 1})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		clients[i] = c
		go func() {
			var start geom.Vec
			done <- c.Play(life, func(w *webcl.World) keys.Keys {
				k := keys.Keys{Yaw: float32(90 * i)}
				if !walk.Load() {
					start = w.State().Pos
				} else if geom.DistXZ(w.State().Pos, start) < 3 {
					k.Forward = 1
				}
				return k
			})
		}()
	}
	shown := make([]map[string]geom.Vec, len(names)) // positions of both players in each client before they walk
	for i, c := range clients {
		until(t, ctx, func() (ok bool, state string) {
			c.Inspect(func(w *webcl.World) { shown[i] = positions(w) })
			return len(shown[i]) == len(names), fmt.Sprint(names[i], " sees players at ", shown[i])
		})
	}
	walk.Store(true)
	for i, c := range clients {
		until(t, ctx, func() (ok bool, state string) {
			c.Inspect(func(w *webcl.World) {
				now := positions(w)
				ok = w.Counts.Corrections == 0
				for _, name := range names {
					at, sees := now[name]
					ok = ok && sees && geom.DistXZ(at, shown[i][name]) > 1
				}
				state = fmt.Sprintf("%s sees players at %v, and before at %v; %+v", names[i], now, shown[i], w.Counts)
			})
			return ok, state
		})
	}
	leave()
	for range clients {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// positions returns the positions of all players, the own one included, as the server has sent them.
func positions(w *webcl.World) map[string]geom.Vec {
	at := map[string]geom.Vec{}
	for _, a := range w.Actors {
		if a.Door != "" {
			at[a.Name] = a.Pos()
		}
	}
	return at
}

// until waits until f returns true. If ctx ends before, the test fails with the text that f returned last.
func until(t *testing.T, ctx context.Context, f func() (bool, string)) {
	t.Helper()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		ok, state := f()
		if ok {
			return
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			t.Fatal(state)
		}
	}
}

func TestDialReturnsReasonWhyServerRefusesLogin(t *testing.T) {
	base := serve(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := webcl.Dial(ctx, base, webcl.Options{Guest: "forged"}); err == nil || len(err.Error()) < 20 {
		t.Errorf("%v, want an error with a sentence", err)
	}
}
