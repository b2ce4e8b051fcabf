package server_test

import (
	"context"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/server"
)

// stuckDoor is a door that does not end when the world stops, but only when the channel release is closed.
type stuckDoor struct {
	toyDoor
	release chan struct{}
}

func (d *stuckDoor) Run(ctx context.Context) error {
	err := d.toyDoor.Run(ctx)
	<-d.release
	return err
}

func TestServerCloseWaitsForDoorUntilStopTimeoutOfConfig(t *testing.T) {
	for set, want := range map[time.Duration]time.Duration{0: server.StopTimeout, time.Minute: time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			door := &stuckDoor{release: make(chan struct{})}
			defer close(door.release)
			door.settings.Toy = "127.0.0.1:2323"
			cfg := server.Default()
			cfg.Doors, cfg.DataDir, cfg.Console, cfg.Metrics = []gateway.Door{door}, t.TempDir(), gateway.Off, gateway.Off
			cfg.Log, cfg.StopTimeout = slog.New(slog.DiscardHandler), set
			host := netsim.New(1).Host("127.0.0.1")
			cfg.Sockets.TCP = func(addr string) (net.Listener, error) { return host.Listen(addr) }
			s, err := server.Start(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			err = s.Close()
			if took := time.Since(began); err == nil || !strings.Contains(err.Error(), "toy: the door did not close within the stop timeout") || took < want || took > want+time.Second {
				t.Errorf("StopTimeout %v: Close returned %v after %v", set, err, took)
			}
		})
	}
}

func TestNegativeStopTimeoutIsRefused(t *testing.T) {
	cfg := server.Default()
	cfg.StopTimeout = -time.Second
	if err := cfg.Check(); err == nil || !strings.Contains(err.Error(), "StopTimeout -1s: must not be negative") {
		t.Errorf("Check returned %v", err)
	}
}
