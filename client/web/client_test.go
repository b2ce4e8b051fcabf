package web_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/client/keys"
	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/telemetry"
)

// serve starts a server of the embedded world on sockets of this machine and returns the address of its web door.
func serve(t *testing.T) string {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	dir := t.TempDir()
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

// Over real sockets, a player of each transport enters the world, walks as its client predicts, and sees the other player.
func TestClientsOverBothTransportsWalkAndSeeEachOther(t *testing.T) {
	base := serve(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	names := []string{"Quentin", "Wanda"}
	clients := make([]*webcl.Client, len(names))
	done := make(chan error, len(names))
	life, leave := context.WithCancel(ctx)
	for i, name := range names {
		c, err := webcl.Dial(ctx, base, webcl.Options{Name: name, WS: i == 1})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		clients[i] = c
		go func() {
			done <- c.Play(life, func(*webcl.World) keys.Keys { return keys.Keys{Forward: 1, Yaw: float32(90 * i)} })
		}()
	}
	for i, c := range clients {
		other := names[1-i]
		until(t, ctx, func() (ok bool, state string) {
			c.Inspect(func(w *webcl.World) {
				sees := w.FindByName(other) != nil
				ok = sees && w.Counts.Corrections == 0 && w.State().Vel.X*w.State().Vel.X+w.State().Vel.Z*w.State().Vel.Z > 0
				state = fmt.Sprintf("%s sees %s: %v; %+v", names[i], other, sees, w.Counts)
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
