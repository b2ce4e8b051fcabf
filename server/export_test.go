package server

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/tape"
)

// exportSecrets are texts of players that no exported file may contain, in lower case.
var exportSecrets = []string{"qaccountone", "qaccounttwo", "qcharone", "qchartwo", "qpassword", "qmail", "qchatline", "qslotmacro", "127.0.0.1"}

// writeHillWorld writes a copy of the embedded world, with an area that has a heightmap, to a folder and returns the path of the
// world file.
func writeHillWorld(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	hill := image.NewGray(image.Rect(0, 0, 8, 8))
	hill.SetGray(3, 3, color.Gray{Y: 9})
	var picture bytes.Buffer
	if err := png.Encode(&picture, hill); err != nil {
		t.Fatal(err)
	}
	world := filepath.Join(dir, "world.toml")
	if err := os.WriteFile(filepath.Join(dir, "hill.png"), picture.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	text := string(content.DefaultTOML()) + "\n[[area]]\nname = \"Hill\"\n[area.blocks]\nunits = 2\nground = \"heightmap\"\nheightmap = \"hill.png\"\n[[area.portal]]\nname = \"Foot\"\nat = [0, 0, 0]\n"
	if err := os.WriteFile(world, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return world
}

// playAndRefuse runs a server on which two players with secret names play, until the journal has a held claim of the first
// player. It closes the server and returns the number of the journal entry.
func playAndRefuse(t *testing.T, cfg Config) int64 {
	t.Helper()
	s := start(t, cfg)
	var players []*session.Session
	for i, name := range []string{"one", "two"} {
		peer := session.Peer{Addr: netip.MustParseAddr("127.0.0.1"), Conn: uint64(i + 1), Door: "test"}
		if err := s.hub.CreateAccount(t.Context(), peer, "qaccount"+name, "qpassword", "qmail@example.com"); err != nil {
			t.Fatal(err)
		}
		l, err := s.hub.Login(t.Context(), peer, "qaccount"+name, "qpassword")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.hub.CreateCharacter(t.Context(), l, session.NewCharacter{Name: "Qchar" + name}); err != nil {
			t.Fatal(err)
		}
		p, err := s.hub.Enter(t.Context(), l, 0)
		if err != nil {
			t.Fatal(err)
		}
		players = append(players, p)
	}
	walkAway(t, s, players[1])
	p, at := players[0], players[0].Character.Pos
	for _, in := range []sim.Intent{
		{Kind: sim.IntentChat, Text: "qchatline of qcharone"},
		{Kind: sim.IntentActionBar, SlotA: 1, Text: "qslotmacro"},
		{Kind: sim.IntentInviteParty, Text: "QCHARTWO"},
		{Kind: sim.IntentClaim, Claim: move.Claim{X: at.X + 500, Y: at.Y, Z: at.Z, DestX: at.X + 500, DestZ: at.Z}},
	} {
		if err := p.Submit(in); err != nil {
			t.Fatal(err)
		}
	}
	var id int64
	eventually(t, "the journal has the hold", func() bool {
		r, err := journal.OpenReader(filepath.Join(cfg.DataDir, journal.FileName))
		if err != nil {
			return false
		}
		defer r.Close()
		list, err := r.Latest(t.Context(), journal.Query{Player: "qcharone", Verdicts: []journal.Verdict{journal.Held}}, 1)
		if err == nil && len(list) == 1 {
			id = list[0].ID
		}
		return id > 0
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestExportAroundJournalEntryOmitsPlayerNamesAndReplaysOnOtherMachine(t *testing.T) {
	cfg := quietConfig(t)
	world := WorldConfig{World: writeHillWorld(t)}
	loaded, err := world.Load()
	if err != nil {
		t.Fatal(err)
	}
	cfg.World = loaded.World
	id := playAndRefuse(t, cfg)
	file := filepath.Join(t.TempDir(), "hold.replay")
	export := TapeExport{Paths: []string{file}, Around: id, DataDir: cfg.DataDir, WorldConfig: world}
	var out bytes.Buffer
	if err := export.Export(t.Context(), &out, time.Now()); err != nil {
		t.Fatal(err)
	}
	entry := entryOf(t, cfg.DataDir, id)
	if !strings.Contains(out.String(), "entry ") || !strings.Contains(out.String(), "held, too_fast") {
		t.Errorf("printed %q", out.String())
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := exportContent(b)
	if err != nil {
		t.Fatal(err)
	}
	plain = bytes.ToLower(plain)
	for _, secret := range exportSecrets {
		if bytes.Contains(plain, []byte(secret)) {
			t.Errorf("the file contains %q", secret)
		}
	}
	if !bytes.Contains(plain, []byte("player 1")) || !bytes.Contains(plain, []byte("player 2")) {
		t.Error("the file has no aliases of the two players")
	}

	// Read the ticks from the tape before the world's files are removed. A replay of the exported file must reach the same
	// states.
	named, err := tape.Extract(tape.Options{Dir: filepath.Join(cfg.DataDir, sqlite.TapeFolder), World: loaded.World.World}, entry.AreaID,
		entry.At.Add(-aroundEntry), entry.At.Add(aroundEntry))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Dir(world.World)); err != nil {
		t.Fatal(err)
	}
	r, err := LoadReplay(file, WorldConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(r.Loaded); err != nil {
		t.Error(err)
	}
	original, err := named.Play(loaded.World.World)
	if err != nil {
		t.Fatal(err)
	}
	ticks, held := 0, false
	for {
		_, f, err := original.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		_, g, err := r.Playback.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !sim.SameFrameButTexts(f, g) {
			t.Fatalf("tick %d differs from that of the tape", f.Tick)
		}
		for _, e := range g.Events {
			held = held || e.Kind == sim.EventHeld && g.Tick == entry.Tick && e.Who == entry.Entity && e.Pos == entry.Pos
		}
		ticks++
	}
	if !held || ticks < 2 || ticks != len(r.Ticks) {
		t.Errorf("hold found: %v, in %d ticks of %d", held, ticks, len(r.Ticks))
	}
}

func entryOf(t *testing.T, dataDir string, id int64) journal.Entry {
	t.Helper()
	reader, err := journal.OpenReader(filepath.Join(dataDir, journal.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	e, _, err := reader.Entry(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestExportFlagsCanIncludePlayerNamesAndExcludeWorld(t *testing.T) {
	cfg := quietConfig(t)
	world := WorldConfig{World: writeHillWorld(t)}
	loaded, err := world.Load()
	if err != nil {
		t.Fatal(err)
	}
	cfg.World = loaded.World
	id := playAndRefuse(t, cfg)
	file := filepath.Join(t.TempDir(), "hold.replay")
	export := TapeExport{Paths: []string{filepath.Join(cfg.DataDir, sqlite.TapeFolder), file}, Around: id, Names: true, NoWorld: true, WorldConfig: world}
	var out bytes.Buffer
	if err := export.Export(t.Context(), &out, time.Now()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "truestep replay "+file+" --world="+world.World+" steps them") {
		t.Errorf("printed %q", out.String())
	}
	if _, err := LoadReplay(file, WorldConfig{}); err == nil || !strings.Contains(err.Error(), "load exactly the world and rules") {
		t.Errorf("without the world: %v", err)
	}
	r, err := LoadReplay(file, world)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(r.Loaded); err != nil || !bytes.Contains(r.Append(nil), []byte("Qcharone")) {
		t.Errorf("verify: %v; or the name is missing", err)
	}

	other := TapeExport{Paths: []string{file + "2"}, Around: id + 1000, DataDir: cfg.DataDir, WorldConfig: world}
	if err := other.Export(t.Context(), &out, time.Now()); err == nil || !strings.Contains(err.Error(), "truestep why lists the entries") {
		t.Errorf("an entry that does not exist: %v", err)
	}
	if _, err := os.Stat(file + "2"); err == nil {
		t.Error("a file was written")
	}
}

// sampleExport returns an exported file with a short replay in the world of writeHillWorld.
func sampleExport(tb testing.TB) []byte {
	r := area.Replay{World: "w", Area: "a", Ticks: []area.ReplayTick{{Intents: []sim.Intent{{Kind: sim.IntentJump, Who: 3}}, Hash: 7}}}
	files := recordedFS{files: map[string][]byte{"a/b.png": []byte("picture")}}
	archive, err := files.zip()
	if err != nil {
		tb.Fatal(err)
	}
	e := exportFile{world: worldSource{kind: worldFile, claimPolicy: "seed", step: "l1", text: []byte("name = 'w'"), archive: archive}, replay: r.Append(nil)}
	b, err := e.encode()
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func TestDamagedExportIsRefused(t *testing.T) {
	b := sampleExport(t)
	if _, err := parseExportFile(b); err != nil {
		t.Fatal(err)
	}
	for n := range len(b) {
		if _, err := parseExportFile(b[:n]); err == nil {
			t.Fatalf("%d of %d bytes are accepted", n, len(b))
		}
		changed := bytes.Clone(b)
		changed[n] ^= 0x10
		if _, err := parseExportFile(changed); err == nil {
			t.Fatalf("a change of byte %d is accepted", n)
		}
	}
	newer := bytes.Clone(b)
	newer[len(exportMagic)-1]++
	if _, err := parseExportFile(newer); err == nil || !strings.Contains(err.Error(), "has format version 2, but this program reads version 1") {
		t.Errorf("a newer version: %v", err)
	}
}

// FuzzExportContent parses arbitrary bytes as the decompressed content of a file. Fuzzing whole files would find nothing,
// because random changes break the check sum.
func FuzzExportContent(f *testing.F) {
	plain, err := exportContent(sampleExport(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain)
	f.Fuzz(func(t *testing.T, content []byte) {
		e, err := parseExportContent(content)
		if err != nil {
			return
		}
		if again := e.content(); !bytes.Equal(again, content) {
			t.Fatalf("accepted %x but wrote %x", content, again)
		}
		if _, err := openZip(e.world.archive); err == nil {
			_, _ = e.world.load()
		}
		_, _ = area.ParseReplay(e.replay)
	})
}

func TestExportArchiveWithCompressedFileIsRefused(t *testing.T) {
	files := recordedFS{files: map[string][]byte{"a.txt": []byte("text")}}
	b, err := files.zip()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openZip(b); err != nil {
		t.Error(err)
	}
	at := bytes.Index(b, []byte("PK\x01\x02")) // central directory: method at 10, uncompressed size at 24
	for _, change := range []struct {
		offset int
		value  byte
	}{{10, 8}, {27, 0x7f}} {
		changed := bytes.Clone(b)
		changed[at+change.offset] = change.value
		if _, err := openZip(changed); err == nil {
			t.Errorf("byte %d of the directory as %d is accepted", change.offset, change.value)
		}
	}
}
