package bedrock

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/telemetry"
)

// Clients of all versions join through a door over an in-memory network, see each other walk without corrections,
// and are sent the reason when the server stops.
func TestClientsPlayAndReceiveReasonWhenServerStops(t *testing.T) {
	for name, imp := range map[string]netsim.Impairment{
		"perfect": {}, "bad": {DelayMS: 30, JitterMS: 20, Loss: 0.05, Duplicate: 0.02, Reorder: 0.05},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) { sessionsFromConnectToStop(t, dir, imp) })
		})
	}
}

func sessionsFromConnectToStop(t *testing.T, dir string, imp netsim.Impairment) {
	network := netsim.New(1)
	host := network.Host("192.0.2.1", "192.0.2.2")
	quiet := slog.New(slog.DiscardHandler)
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	world := area.NewWorld(twoFields(), area.Options{Log: quiet})
	hub := session.NewHub(world, db, session.Options{Log: quiet})
	door := NewDoor()
	door.BedrockWorkers, door.BedrockKeylog = 2, filepath.Join(dir, "keys.log")
	h := &gateway.Host{World: world, Hub: hub, Log: quiet, Metrics: telemetry.New(), Sockets: gateway.SocketOpener{
		UDP: func(addr string) (gateway.Conn, error) { return host.ListenPacket(addr) },
	}}
	if err := errors.Join(door.Check(), door.Bind(h), door.Open(h)); err != nil {
		t.Fatal(err)
	}
	if s := door.Describe(h); len(s.Try) != 1 || s.NoBots != "" {
		t.Errorf("the door is described as %+v", s)
	}
	door.gate.farewellWait = 10 * time.Second // with packet loss the final message needs retransmissions, which take time
	world.Start(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- door.Run(context.Background()) }()

	var clients []*bot.Client
	var playing sync.WaitGroup
	for i, v := range proto.Versions() {
		home := network.Host(fmt.Sprint("198.51.100.", i+1))
		network.Impair(host, home, imp, imp)
		c, err := bot.Dial(t.Context(), "192.0.2.2:19132", bot.Options{
			Name: v.GameVersion(), Version: v, Seed: uint64(i + 1), Key: clientKey(), Dial: home.Dial,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		clients = append(clients, c)
		// The radius keeps the walkers close enough to see each other, and away from the portal.
		wander := &bot.Wander{Home: &geom.Vec{X: westX/unitsPerBlock - 8, Y: groundY, Z: -1}, Radius: 2}
		playing.Go(func() {
			err := c.Play(t.Context(), wander)
			if d, ok := errors.AsType[*bot.DisconnectError](err); !ok || d.Reason != proto.DisconnectServerShutdown {
				t.Errorf("%v: at the end: %v", v, err)
			}
		})
	}
	time.Sleep(20 * time.Second)
	if err := world.Stop(context.Background()); err != nil {
		t.Errorf("Stop: %v", err)
	}
	playing.Wait()
	for _, c := range clients {
		n := c.Stats(nil)
		if n.ParseErrors+n.UnknownActors != 0 || n.Inputs < 400 || n.Updates == 0 || n.Move.Unexpected != 0 || n.Move.Tampered != 0 {
			t.Errorf("%+v, %v", n, c.FirstParseError())
		}
	}
	if log, err := os.ReadFile(door.BedrockKeylog); err != nil || bytes.Count(log, []byte("\n")) != len(clients) {
		t.Errorf("the log of keys has %d lines, want one per client: %v", bytes.Count(log, []byte("\n")), err)
	}
	if err := errors.Join(<-ended, door.Close(), door.Close(), hub.Close(context.Background())); err != nil {
		t.Error(err)
	}
}

// A panic in a worker ends Run with an error instead of the process, so that the records of players can still be saved.
func TestPanicInWorkerEndsGatewayWithError(t *testing.T) {
	for name, breaks := range map[string]func(w *worker){
		"in the worker": func(w *worker) { w.calls.Results <- func() { panic("boom") } },
		"in a call": func(w *worker) {
			w.calls.Results <- func() { w.calls.Start(func(context.Context) func() { panic("boom") }) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			quiet := slog.New(slog.DiscardHandler)
			world := area.NewWorld(twoFields(), area.Options{Log: quiet})
			g, err := Listen(new(session.Hub), world, Options{Addr: "127.0.0.1:0", Log: quiet, Workers: 2})
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

func TestErrorOfSocketThatCannotBeOpenedSaysHowToFixIt(t *testing.T) {
	world := area.NewWorld(twoFields(), area.Options{})
	taken, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for addr, want := range map[string]string{taken.LocalAddr().String(): "choose another address with --bedrock", "nowhere": "give it as host:port"} {
		_, err := Listen(new(session.Hub), world, Options{Addr: addr})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), addr) {
			t.Errorf("%s: %v, want an error with %q", addr, err, want)
		}
		var cause syscall.Errno
		if addr != "nowhere" && !errors.As(err, &cause) {
			t.Errorf("%s: error does not wrap the cause: %v", addr, err)
		}
	}
}
