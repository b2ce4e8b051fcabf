package main

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"log/slog"
	"net/netip"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store/sqlite"
)

// started starts a server in this process, with metrics on and no doors.
func started(t *testing.T, dir string, w *servedWorld) *running {
	t.Helper()
	s := serveCmd{worldFlags: worldFlags{DataDir: dir}, serverFlags: serverFlags{Metrics: "127.0.0.1:0"}}
	r, err := s.start(t.Context(), slog.New(slog.DiscardHandler), w)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func embedded() *servedWorld {
	return &servedWorld{def: content.DefaultWorld(), from: "the embedded world", port: 25000}
}

// enters brings a new player into the world, as a door does.
func enters(t *testing.T, r *running) *session.Session {
	t.Helper()
	ctx, peer := t.Context(), session.Peer{Addr: netip.MustParseAddr("127.0.0.1"), Conn: 1, Door: "rcce"}
	if err := r.hub.CreateAccount(ctx, peer, "ann", "secret", ""); err != nil {
		t.Fatal(err)
	}
	l, err := r.hub.Login(ctx, peer, "ann", "secret")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.hub.CreateCharacter(ctx, l, session.NewCharacter{Name: "Ann"}); err != nil {
		t.Fatal(err)
	}
	s, err := r.hub.Enter(ctx, l, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// eventually waits for what a goroutine is about to do.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for start := time.Now(); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > patience {
			t.Fatalf("never: %s", what)
		}
	}
}

func TestHeldClaimsAreCountedByReasonAndEverybodyIsSaved(t *testing.T) {
	dir := t.TempDir()
	r := started(t, dir, embedded())
	s := enters(t, r)
	at := s.Character.Pos
	claim := func(x float32) bool {
		c := move.Claim{X: x, Y: at.Y, Z: at.Z, DestX: x, DestZ: at.Z}
		return s.Submit(sim.Intent{Kind: sim.IntentClaim, Claim: c}) == nil
	}
	url := "http://" + r.metricsAt.Addr().String() + "/metrics"
	held := regexp.MustCompile(`truestep_claims_held_total\{reason="too_fast"\} [1-9]`)
	eventually(t, "a jump of 5000 units is held", func() bool {
		time.Sleep(20 * time.Millisecond) // within the budget of a player
		claim(at.X + 5000)
		_, text := get(t, url)
		return held.MatchString(text)
	})
	x := at.X
	eventually(t, "she walks 3 units", func() bool {
		time.Sleep(50 * time.Millisecond)
		x = min(x+0.3, at.X+3)
		return claim(x) && x == at.X+3
	})
	feed := r.world.Subscribe("test", 1)
	eventually(t, "the world has her where she walked", func() bool {
		p := <-feed.C()
		defer p.Release()
		she := p.Frame.Find(s.Entity)
		return she != nil && she.Pos.X >= at.X+1
	})
	feed.Close()
	// A world saves every 30 s, so that what is stored now comes from the end.
	if err := r.close(); err != nil {
		t.Fatal(err)
	}

	st, err := sqlite.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	a, err := st.Account(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	roster, err := st.Characters(t.Context(), a.ID)
	if err != nil || len(roster) != 1 || roster[0].Pos.X < at.X+1 || roster[0].Pos.X > at.X+5 {
		t.Errorf("%v, saved at %v, began at %v", err, roster[0].Pos, at)
	}
}

// A broken invariant ends the server with status 1, and its last line names the replay.
func TestABrokenAreaEndsTheServerAndNamesItsReplay(t *testing.T) {
	dir := t.TempDir()
	w := embedded()
	w.def.Areas[0].Spawns[0].Waypoint = 60000 // content would have refused it
	s := serveCmd{worldFlags: worldFlags{DataDir: dir}, serverFlags: serverFlags{Metrics: "off"}}
	var out, errs bytes.Buffer
	err := s.run(t.Context(), newScreen(std{&out, io.Discard}), slog.New(slog.DiscardHandler), w)
	if err == nil || statusOf(err) != 1 {
		t.Fatalf("ended with %v", err)
	}
	complain(&errs, err, 1)
	replays, globErr := filepath.Glob(filepath.Join(dir, "*.replay"))
	if globErr != nil || len(replays) != 1 {
		t.Fatalf("replays: %v", replays)
	}
	if got := errs.String(); !strings.HasPrefix(got, `truestep: area "Truestep Vale" stopped: `) || !strings.HasSuffix(got, "; its replay is "+replays[0]+"\n") {
		t.Errorf("%s", got)
	}
}

func TestADoorThatClosesByItselfEndsTheServer(t *testing.T) {
	r := &running{world: area.NewWorld(content.DefaultWorld(), area.Options{}), closed: make(chan *door, 1)}
	r.closed <- &door{Door: rcce.NewDoor()}
	if err := r.wait(t.Context()); err == nil || statusOf(err) != 1 {
		t.Errorf("it ends with %v", err)
	}
}

// busyServer is a server that two real clients play on over UDP, and whose disk takes nothing from now on.
func busyServer(t *testing.T) *process {
	t.Helper()
	p := launch(t, "serve", "--rs", "off", "--bedrock", "off", "--rcce", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--no-status")
	lines := p.until("ready")
	door := strings.TrimSuffix(field(t, lines, "rcce", 1), "/udp")
	swarm, _ := swarming(t, "--server", door, "-n", "2", "-d", "0", "--ramp", "100/s", "--walk", "--no-reconnect")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = swarm.run(ctx) // it is thrown out; how is of no interest here
	}()
	t.Cleanup(func() { cancel(); <-done })
	url := field(t, lines, "metrics", 1)
	eventually(t, "two players are in", func() bool {
		_, text := get(t, url)
		return strings.Contains(text, `truestep_players{area="Truestep Vale"} 2`)
	})
	db, err := sql.Open("sqlite", filepath.Join(p.cmd.Dir, "truestep-data", sqlite.FileName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return p
}

// Real clients play over UDP; the disk is blocked while the server stops, so that it has to wait for it.
func TestASecondCtrlCEndsAtOnce(t *testing.T) {
	t.Parallel()
	p := busyServer(t)
	p.signal(syscall.SIGINT)
	eventually(t, "it stops", func() bool { return strings.Contains(p.errs.String(), "Ctrl-C again ends at once") })
	p.signal(syscall.SIGINT)
	if code, _, took := p.end(); code != -1 || took > stopsWithin {
		t.Errorf("exit status %d after %v\n%s", code, took, p.errs.String())
	}
}

func TestABlockedDiskDoesNotKeepTheServerFromStopping(t *testing.T) {
	t.Parallel()
	p := busyServer(t)
	p.signal(syscall.SIGTERM)
	code, _, took := p.end()
	if code != 1 || took > stopsWithin || !strings.Contains(p.errs.String(), "\ntruestep: 2 records are not saved: ") {
		t.Errorf("exit status %d after %v\n%s", code, took, p.errs.String())
	}
}
