package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/server"
)

// blinker claims once to be 3000 units farther east, after it has stood for more than two seconds. By then the client has
// confirmed its start position, and the server accepts claims at a distance of at most 450 units.
type blinker struct {
	since time.Time
	done  bool
}

func (b *blinker) Act(p *rcce.Player) {
	if b.since.IsZero() {
		b.since = p.Now()
	}
	if !b.done && p.Now().Sub(b.since) > 2200*time.Millisecond {
		at := p.Pos()
		p.Teleport(at.X+3000, at.Z)
		b.done = true
	}
}

// A client claims a false position over UDP; the operator asks in another process, while the server runs and after it has
// stopped.
func TestWhyCommandShowsRejectedClaimOfRunningAndStoppedServer(t *testing.T) {
	t.Parallel()
	p := launch(t, "serve", "--rs", "off", "--bedrock", "off", "--rcce", "127.0.0.1:0", "--metrics", "off", "--no-status")
	door := strings.TrimSuffix(field(t, p.until("ready"), "rcce", 1), "/udp")
	data := filepath.Join(p.cmd.Dir, gateway.DefaultDataDir)

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, err := rcce.Dial(ctx, door, rcce.Options{User: "Liar", Password: "secret", Character: "Pinocchio"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Join(ctx); err != nil {
		t.Fatal(err)
	}
	playing, stop := context.WithCancel(ctx)
	played := make(chan error, 1)
	go func() { played <- c.Play(playing, new(blinker)) }()
	ask := []string{"why", "pinocchio", "--data-dir", data, "--since", "10m"}
	eventually(t, "the hold is in the journal", func() bool {
		time.Sleep(50 * time.Millisecond)
		_, out, _ := truestep(ask...)
		return strings.Contains(out, "too_fast")
	})
	code, out, errs := truestep(ask...)
	if code != 0 || errs != "" {
		t.Errorf("exit status %d, %s", code, errs)
	}
	for _, want := range []string{"held", "too_fast", "units", "claimed to be 3000 units east", "from above, north is up", "around it", "<- this"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	stop()
	if err := <-played; err != nil {
		t.Error(err)
	}
	p.signal(syscall.SIGTERM)
	if code, _, took := p.end(); code != 0 || took > stopsWithin {
		t.Errorf("exit status %d after %v\n%s", code, took, &p.errs)
	}

	code, out, errs = truestep(append(ask, "--json", "--reason", "too_fast")...)
	var e struct {
		Player, Account, Door, Verdict, Reason, Sentence, Unit, Area string
		Asked, Allowed                                               float32
		From, Pos                                                    *struct{ X float32 }
		Times                                                        int
	}
	if err := json.Unmarshal([]byte(out), &e); code != 0 || err != nil {
		t.Fatalf("exit status %d, %v, %s\n%s", code, err, errs, out)
	}
	if e.Player != "Pinocchio" || !strings.EqualFold(e.Account, "Liar") || e.Door != "rcce" || e.Verdict != "held" || e.Area == "" ||
		e.Asked != 3000 || e.Allowed > 500 || e.Unit != "units" || e.From == nil || e.Pos == nil || e.From.X != e.Pos.X+3000 || e.Times != 1 {
		t.Errorf("%s", out)
	}
}

// The test runs in virtual time, so that the login is always within the time range of the events that are listed with the hold.
func TestWhyCommandShowsLoginAmongEventsNearRejectedClaim(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		network := netsim.New(1)
		host, home := network.Host("127.0.0.1"), network.Host("127.1.0.1")
		cfg := server.Default()
		cfg.DataDir, cfg.Console, cfg.Metrics, cfg.Log = t.TempDir(), gateway.Off, gateway.Off, slog.New(slog.DiscardHandler)
		cfg.Sockets = gateway.SocketOpener{
			UDP: func(addr string) (gateway.Conn, error) { return host.ListenPacket(addr) },
			TCP: func(addr string) (net.Listener, error) { return host.Listen(addr) },
		}
		s, err := server.Start(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		c, err := rcce.Dial(t.Context(), "127.0.0.1:25000", rcce.Options{User: "Liar", Password: "secret", Character: "Pinocchio", Dial: home.Dial})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Join(t.Context()); err != nil {
			t.Fatal(err)
		}
		playing, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		if err := c.Play(playing, new(blinker)); err != nil {
			t.Error(err)
		}
		c.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		code, out, errs := truestep("why", "pinocchio", "--data-dir", cfg.DataDir, "--since", "10m")
		if code != 0 || errs != "" {
			t.Errorf("exit status %d, %s", code, errs)
		}
		for _, want := range []string{"logged in", "held", "too_fast", "claimed to be 3000 units east", "around it", "<- this"} {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
	})
}
