package main

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/swarm"
)

// eventually polls until done returns true.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for start := time.Now(); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > patience {
			t.Fatalf("never: %s", what)
		}
	}
}

// A panic in an area ends serve with exit status 1, and the last line that serve prints names the replay file.
func TestPanicInAreaEndsServeWithNameOfReplayFile(t *testing.T) {
	dir := t.TempDir()
	w := &server.LoadedWorld{World: content.DefaultWorld()}
	w.World.Areas[0].Spawns[0].Waypoint = 60000 // package content refuses such a world
	s := serveCmd{stopTimeout: stopsWithin, worldFlags: worldFlags{DataDir: dir}, serverFlags: serverFlags{
		Metrics: "off", JournalConfig: server.JournalConfig{JournalRetain: time.Hour, JournalKeep: 1000}, LimitConfig: server.Default().LimitConfig,
	}}
	var out, errs bytes.Buffer
	err := s.run(t.Context(), terminal.NewScreen(&out, io.Discard), slog.New(slog.DiscardHandler), w, nil)
	if err == nil || statusOf(err) != 1 {
		t.Fatalf("ended with %v", err)
	}
	complain(&errs, err, 1)
	replays, globErr := filepath.Glob(filepath.Join(dir, "*.replay"))
	if globErr != nil || len(replays) != 1 {
		t.Fatalf("replays: %v", replays)
	}
	if got := errs.String(); !strings.HasPrefix(got, `truestep: area "Truestep Vale" stopped: `) || !strings.HasSuffix(got, "; the replay of its last ticks is "+replays[0]+"\n") {
		t.Errorf("%s", got)
	}
}

// busyServer starts a server with two RealmCrafter clients and then locks its database, until the test ends or calls unlock. env is added
// to the environment of the server.
func busyServer(t *testing.T, env ...string) (p *process, unlock func()) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "serve", "--rs", "off", "--bedrock", "off", "--rcce", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--no-status")
	cmd.Env = env
	p = launchCommand(t, cmd)
	lines := p.until("ready")
	door := strings.TrimSuffix(field(t, lines, "rcce", 1), "/udp")
	players := swarm.RCCE{Config: swarm.Config{Server: door, Clients: 2, Ramp: 100, Prefix: "bot", Password: "swarm"}, Activity: swarm.Walk}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = swarm.Run(ctx, players) // the error is expected: the players are dropped when the server ends
	}()
	t.Cleanup(func() { cancel(); <-done })
	url := field(t, lines, "metrics", 1)
	eventually(t, "two players are in the world", func() bool {
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
	unlock = sync.OnceFunc(func() { // the transaction ends with the connection to the database
		conn.Close()
		db.Close()
	})
	t.Cleanup(unlock)
	if _, err := conn.ExecContext(t.Context(), "PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return p, unlock
}

// ignoresRepeated is the time after the first signal to stop in which further signals have no effect, as the log line says.
const ignoresRepeated = 3 * time.Second

// The database is locked until the repeated signals are sent, so the server receives them before everything is saved. If one may have
// been received after ignoresRepeated, because the machine was busy, another server is tried.
func TestRepeatedSignalDoesNotEndServeBeforeDataIsSaved(t *testing.T) {
	t.Parallel()
	for start := time.Now(); ; {
		p, unlock := busyServer(t)
		first := time.Now()
		p.signal(syscall.SIGTERM)
		eventually(t, "the server begins to stop", func() bool { return strings.Contains(p.errs.String(), "Ctrl-C again after 3 s ends at once") })
		p.signal(syscall.SIGTERM)
		p.signal(syscall.SIGINT)
		time.Sleep(100 * time.Millisecond) // a server that a signal ends must not save everything before
		if strings.Contains(p.errs.String(), "all records saved") {
			t.Fatalf("the server has saved to a locked database\n%s", p.errs.String())
		}
		unlock()
		code, _, _ := p.end()
		if code == 0 && strings.Contains(p.errs.String(), "all records saved") {
			return
		}
		if time.Since(first) < ignoresRepeated || time.Since(start) > patience {
			t.Fatalf("exit status %d\n%s", code, p.errs.String())
		}
	}
}

// stopsLockedWithin is longer than the stop timeout of the server, and shorter than the busy_timeout of its SQLite connections, 5 s.
const stopsLockedWithin = server.StopTimeout + 1500*time.Millisecond

// The server cannot save before its stop timeout. It must then end, without the timeout of database calls. A machine that stands still for
// seconds delays it as well, but not each of several servers.
func TestLockedDatabaseDoesNotDelayServerStop(t *testing.T) {
	t.Parallel()
	const attempts = 3
	for attempt := 1; ; attempt++ {
		p, _ := busyServer(t, keepStopTimeout+"=1")
		p.signal(syscall.SIGTERM)
		code, _, took := p.end()
		if code != 1 || !strings.Contains(p.errs.String(), "\ntruestep: 2 player records are not saved: ") || took > stopsLockedWithin && attempt == attempts {
			t.Fatalf("exit status %d after %v\n%s", code, took, p.errs.String())
		}
		if took <= stopsLockedWithin {
			return
		}
	}
}
