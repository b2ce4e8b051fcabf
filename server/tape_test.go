package server

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/tape"
)

func TestTapeRetainSettingAcceptsAgeOrSizeOrBoth(t *testing.T) {
	const none = math.MaxInt64
	for text, want := range map[string]tape.Retain{
		"0":          {},
		"1h,2GiB":    {Age: time.Hour, Bytes: 2 << 30},
		"2GiB, 90m":  {Age: 90 * time.Minute, Bytes: 2 << 30},
		"24h":        {Age: 24 * time.Hour, Bytes: none},
		"512MiB":     {Age: none, Bytes: 512 << 20},
		"1.5KiB":     {Age: none, Bytes: 1536},
		"":           {Age: -1},
		"1h,2h":      {Age: -1},
		"1GiB,2GiB":  {Age: -1},
		"1h,2GiB,3":  {Age: -1},
		"-1h":        {Age: -1},
		"2GB":        {Age: -1},
		"NaNGiB":     {Age: -1},
		"1e300GiB":   {Age: -1},
		"9999999TiB": {Age: -1},
		"0GiB":       {Age: -1},
	} {
		got, err := (&TapeConfig{TapeRetain: text}).retain()
		if want.Age < 0 {
			if err == nil || !strings.Contains(err.Error(), "tape-retain") {
				t.Errorf("%q: %+v, %v; want an error", text, got, err)
			}
		} else if err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, c := range []TapeConfig{{Tape: "on", TapeRetain: "0"}, {Tape: "on", TapeSync: time.Second, TapeRetain: "x"}} {
		cfg := quietConfig(t)
		cfg.TapeConfig = c
		if err := cfg.Check(); err == nil || !strings.Contains(err.Error(), "tape-") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// walkAway makes a player walk 3 units along the X axis, and returns when a frame shows the player there.
func walkAway(t *testing.T, s *Server, p *session.Session) {
	t.Helper()
	at := p.Character.Pos
	feed := s.world.Subscribe("test", 1, area.All)
	defer feed.Close()
	x := at.X
	eventually(t, "the player has moved in the world", func() bool {
		x = min(x+0.3, at.X+3)
		_ = p.Submit(sim.Intent{Kind: sim.IntentClaim, Claim: move.Claim{X: x, Y: at.Y, Z: at.Z, DestX: x, DestZ: at.Z}})
		f := <-feed.C()
		defer f.Release()
		actor := f.Frame.Find(p.Entity)
		return actor != nil && actor.Pos.X >= at.X+2
	})
}

// awaitTape waits until the tape has all ticks that the areas have published. If the disk is slow, they publish ticks before these are
// written.
func awaitTape(t *testing.T, s *Server) {
	t.Helper()
	for i, stats := range s.world.Stats() {
		eventually(t, "the tape has the newest tick", func() bool {
			return s.world.Durable(sim.AreaID(i)) >= stats.Tick && s.tapeFailure() == nil
		})
	}
}

// killedCopy copies the data folder of a running server. The copy has the files that a kill of the server would leave behind. The copy
// begins anew if the server deletes a file in the meantime, such as a segment of the tape that it has compressed.
func killedCopy(t *testing.T, dir string) (copied string) {
	t.Helper()
	eventually(t, "no file is deleted during the copy", func() bool {
		copied = filepath.Join(t.TempDir(), "killed")
		err := os.CopyFS(copied, os.DirFS(dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return err == nil
	})
	return copied
}

func enterAgain(t *testing.T, s *Server) *session.Session {
	t.Helper()
	peer := session.Peer{Addr: netip.MustParseAddr("127.0.0.1"), Conn: 2, Door: "test"}
	l, err := s.hub.Login(t.Context(), peer, "ann", "secret")
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.hub.Enter(t.Context(), l, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPlayerEntersAtLastPositionAfterServerWasKilled(t *testing.T) {
	cfg := quietConfig(t)
	s := start(t, cfg)
	p := join(t, s)
	walkAway(t, s, p)
	ticks := s.world.Stats()[p.Area()].Tick
	awaitTape(t, s)

	var log bytes.Buffer
	killed := cfg
	killed.DataDir, killed.Log = killedCopy(t, cfg.DataDir), slog.New(slog.NewTextHandler(&log, nil))
	again := start(t, killed)
	if got := again.world.Restored(); len(got) != 1 || got[0].Entity != p.Entity || got[0].Area != p.Area() {
		t.Fatalf("restored players %+v, want entity %d in area %d", got, p.Entity, p.Area())
	}
	q := enterAgain(t, again)
	if q.Character.Pos.X < p.Character.Pos.X+2 || q.Entity != p.Entity || !q.Resumed() {
		t.Errorf("entered at %v as entity %d, want 2 units beyond %v in the body of entity %d", q.Character.Pos, q.Entity, p.Character.Pos, p.Entity)
	}
	if got := again.world.Stats()[p.Area()].Tick; got < ticks {
		t.Errorf("the area is at tick %d, it was at %d before the kill", got, ticks)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "restored to tick") {
		t.Errorf("no line about the restored areas in\n%s", log.String())
	}

	after := start(t, killed) // start after a clean stop
	if got := after.world.Restored(); len(got) != 0 {
		t.Errorf("after a clean stop players %+v are restored", got)
	}
	if r := enterAgain(t, after); r.Character.Pos.X < p.Character.Pos.X+2 {
		t.Errorf("entered at %v after a clean stop", r.Character.Pos)
	}
}

func TestUnwantedOrUnusableTapeIsSetAside(t *testing.T) {
	cfg := quietConfig(t)
	s := start(t, cfg)
	walkAway(t, s, join(t, s))
	for name, change := range map[string]func(c *Config){
		"discarded": func(c *Config) { c.TapeDiscard = true },
		"off":       func(c *Config) { c.Tape = "off" },
		"behind the stored records": func(c *Config) {
			if err := os.WriteFile(filepath.Join(c.DataDir, sqlite.TapeFolder, "behind"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"of a cluster": func(c *Config) {
			if err := os.WriteFile(filepath.Join(c.DataDir, sqlite.TapeFolder, "cluster"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		killed := cfg
		killed.DataDir = killedCopy(t, cfg.DataDir)
		change(&killed)
		again := start(t, killed)
		if got := again.world.Restored(); len(got) != 0 {
			t.Errorf("%s: restored players %+v", name, got)
		}
		if found, err := filepath.Glob(filepath.Join(killed.DataDir, tapeDiscarded+"*")); err != nil || len(found) != 1 {
			t.Errorf("%s: folders %q, %v; want one that was set aside", name, found, err)
		}
		if _, err := os.Stat(filepath.Join(killed.DataDir, sqlite.TapeFolder)); (err == nil) != (name != "off") {
			t.Errorf("%s: the folder of the tape: %v", name, err)
		}
		enterAgain(t, again)
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Only the tape of a killed single server has what happened to its players in the last seconds.
func TestFolderOfKilledSingleServerIsNeitherCopiedNorTakenByNode(t *testing.T) {
	cfg := quietConfig(t)
	s := start(t, cfg)
	walkAway(t, s, join(t, s))
	awaitTape(t, s)
	killed := cfg
	killed.DataDir = killedCopy(t, cfg.DataDir)
	database := pgtest.Database(t)
	copyTo := func() error {
		c := CopyStore{From: StorePlace(sqlitePrefix + killed.DataDir), To: StorePlace(database), Replace: true}
		return c.Run(t.Context(), io.Discard, io.Discard)
	}
	addr := freeAddr(t)
	l, err := net.Listen("tcp", addr) // occupies the port, so that a node whose folder is accepted does not start either
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	node := loneNode(t, addr)
	node.DataDir, node.Store = killed.DataDir, StoreURL(database)
	startNode := func() error {
		_, err := Start(t.Context(), node)
		return err
	}
	tapes := func() int {
		found, err := filepath.Glob(filepath.Join(killed.DataDir, tapeDiscarded+"*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	const refusal = "start that server once, with the store that it had, and stop it with SIGTERM"
	for what, run := range map[string]func() error{"copy": copyTo, "node": startNode} {
		if err := run(); err == nil || !strings.Contains(err.Error(), refusal) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if !hasFolder(filepath.Join(killed.DataDir, sqlite.TapeFolder)) || tapes() != 0 {
		t.Error("the tape was set aside")
	}
	discarding := node
	discarding.DataDir, discarding.TapeDiscard = killedCopy(t, killed.DataDir), true
	if _, err := Start(t.Context(), discarding); err == nil || !strings.Contains(err.Error(), "--cluster-listen") {
		t.Errorf("a node with --tape-discard: %v, want the refusal of its port", err)
	}
	without := discarding // after a start with --tape-discard, which leaves no tape that a later start refuses
	without.DataDir, without.Tape = killedCopy(t, killed.DataDir), "off"
	if _, err := Start(t.Context(), without); err == nil || !strings.Contains(err.Error(), "--cluster-listen") || hasFolder(filepath.Join(without.DataDir, sqlite.TapeFolder)) {
		t.Errorf("a node without a tape, with --tape-discard: %v, want the refusal of its port, and no tape", err)
	}
	for when, c := range map[time.Duration]string{-time.Hour: refusal, time.Hour: "--cluster-listen"} { // logs of a node, older or newer than the tape
		folder := killedCopy(t, killed.DataDir)
		log := filepath.Join(folder, clusterFolder, serialFile)
		if err := errors.Join(os.Mkdir(filepath.Dir(log), 0o700), os.WriteFile(log, []byte("1\n"), 0o600), os.Chtimes(log, time.Time{}, time.Now().Add(when))); err != nil {
			t.Fatal(err)
		}
		without.DataDir, without.TapeDiscard = folder, false
		if _, err := Start(t.Context(), without); err == nil || !strings.Contains(err.Error(), c) {
			t.Errorf("a node whose last logs are %v younger than the tape: %v, want %q", when, err, c)
		}
	}
	again := start(t, killed)
	if got := again.world.Restored(); len(got) != 1 {
		t.Errorf("the single server restores the players %+v, want one", got)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if err := copyTo(); err != nil {
		t.Errorf("a copy after a clean stop: %v", err)
	}
	if err := startNode(); err == nil || !strings.Contains(err.Error(), "--cluster-listen") || tapes() != 1 {
		t.Errorf("a node after a clean stop: %v, and %d tapes are set aside; want the refusal of its port, and one tape", err, tapes())
	}
}
