package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/journal"
)

// blinker claims once to be 3000 units farther east, when it has stood for more than two seconds. Before that the server
// waits for its answer to the place where it began; and who stood for so long may go 450 units at once.
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

// A real client lies over UDP; the operator asks in another process, while the server runs and when it has stopped.
func TestWhyShowsAHoldWhileTheServerRunsAndAfter(t *testing.T) {
	t.Parallel()
	p := launch(t, "serve", "--rs", "off", "--bedrock", "off", "--rcce", "127.0.0.1:0", "--metrics", "off", "--no-status")
	door := strings.TrimSuffix(field(t, p.until("ready"), "rcce", 1), "/udp")
	data := filepath.Join(p.cmd.Dir, gateway.DefaultDataDir)

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	began := time.Now()
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
	near := []string{"logged in"}
	if time.Since(began) > journal.Nearby {
		near = nil // on a busy machine that is no neighbour of the hold
	}
	code, out, errs := truestep(ask...)
	if code != 0 || errs != "" {
		t.Errorf("exit status %d, %s", code, errs)
	}
	for _, want := range append(near, "held", "too_fast", "units", "claimed to be 3000 units east", "from above, north is up", "around it", "<- this") {
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
