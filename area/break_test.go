package area

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

func TestPanicInOneAreaDoesNotStopOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, fakes := newFakes(2, Options{})
		f := w.Subscribe("f", 64, All)
		w.Start(t.Context())
		submit(t, w, 0, join(1))
		submit(t, w, 1, join(2))
		ticks(2)
		if w.Err() != nil {
			t.Fatal(w.Err())
		}
		submit(t, w, 0, say(1, "break"))
		<-w.Done()
		if err := w.Err(); err == nil || !strings.Contains(err.Error(), `area "area 0" stopped: deliberate panic`) {
			t.Errorf("the error is %v", err)
		}
		if s := w.Stats(); s[0].Err == nil || s[1].Err != nil {
			t.Errorf("stats say %v and %v", s[0].Err, s[1].Err)
		}
		if err := w.Submit(0, join(3)); err == nil {
			t.Error("the stopped area accepts joins")
		}
		n := len(fakes[1].took)
		submit(t, w, 1, say(2, "go 0")) // the player that travels to the stopped area is lost, but the server continues
		submit(t, w, 1, join(4))
		ticks(5)
		if len(fakes[1].took) != n+5 {
			t.Error("the other area does not step")
		}
		if err := w.Stop(t.Context()); err == nil {
			t.Error("Stop returns no error for the area that panicked")
		}
		if got := collect(f); !slices.Contains(got, "1 left 4") {
			t.Errorf("the players of the other area were not saved: %q", got)
		}
	})
}

func TestPanicDuringStopDoesNotPreventSavingPlayersOfOtherAreas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := newFakes(2, Options{})
		f := w.Subscribe("f", 64, All)
		w.Start(t.Context())
		submit(t, w, 0, join(1))
		submit(t, w, 1, join(2))
		ticks(2)
		submit(t, w, 0, say(1, "break"))
		if err := w.Stop(t.Context()); err == nil {
			t.Error("Stop returns no error for the area that panicked")
		}
		if got := collect(f); !slices.Contains(got, "1 left 2") {
			t.Errorf("the players of the other area were not saved: %q", got)
		}
	})
}

func TestPanickingAreaSavesItsReplay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "replays")
	synctest.Test(t, func(t *testing.T) {
		w, fakes := newFakes(1, Options{ReplayDir: dir, Seed: 42})
		w.Start(t.Context())
		submit(t, w, 0, join(1))
		ticks(snapshotTicks + 5)
		odd := sim.Intent{Kind: sim.IntentClaim, Who: 1}
		odd.Claim.X = float32(math.NaN())
		full := join(2)
		full.Join.Character = &sim.Character{Name: "N\xe9", Pets: []sim.Pet{{Name: "p"}}}
		full.Join.Character.Inventory[3] = sim.ItemStack{Amount: 1, Attr: &[combat.Attributes]int16{1: 2}}
		submit(t, w, 0, odd, full, say(1, "break"))
		ticks(1)
		_ = w.Stop(t.Context())

		files, err := os.ReadDir(dir)
		if err != nil || len(files) != 1 {
			t.Fatalf("%d replays, %v", len(files), err)
		}
		if err := w.Err(); !strings.HasSuffix(err.Error(), "; the replay of its last ticks is "+filepath.Join(dir, files[0].Name())) {
			t.Errorf("the error does not contain the path of the replay: %v", err)
		}
		p := onlyReplay(t, dir)
		if p.World != "test" || p.Area != "area 0" || p.Seed != 42 || p.Panic != "deliberate panic" ||
			!strings.Contains(p.Stack, "Step") {
			t.Errorf("replay has world %q, area, %q, seed %d, panic %q", p.World, p.Area, p.Seed, p.Panic)
		}
		if a, err := sim.Restore(w.Def(), p.Snapshot); err != nil || a.Now() != snapshotTicks || len(p.Ticks) != 6 {
			t.Errorf("a snapshot that restores to %v (%v) and %d ticks since; want that of tick %d and 6", a, err, len(p.Ticks), snapshotTicks)
		}
		last := p.Ticks[len(p.Ticks)-1].Intents
		if len(last) != 3 || !math.IsNaN(float64(last[0].Claim.X)) {
			t.Fatalf("the last tick has %+v", last)
		}
		if !reflect.DeepEqual(last[1:], fakes[0].took[len(fakes[0].took)-1][1:]) {
			t.Error("the intents of the last tick differ from the submitted ones")
		}
	})
}

// onlyReplay reads the only replay in a folder.
func onlyReplay(t *testing.T, dir string) *Replay {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.replay"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d replays, %v", len(files), err)
	}
	r, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p, err := ReadReplay(r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPanickedAreaStopsEvenIfReplayCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	running(t, 1, Options{ReplayDir: filepath.Join(file, "sub")}, func(t *testing.T, w *World, _ []*fake) {
		submit(t, w, 0, join(1), say(1, "break"))
		<-w.Done()
	})
}

func TestInvalidReplayFileIsRefused(t *testing.T) {
	if _, err := ReadReplay(strings.NewReader("nonsense")); err == nil {
		t.Error("no error")
	}
	b := sampleReplay().Append(nil)
	for n := range b {
		if _, err := ParseReplay(b[:n]); err == nil {
			t.Fatalf("a replay of %d bytes was read from its first %d", len(b), n)
		}
		if n = n + 4; n < len(b) {
			if _, err := ParseReplay(checksummed(b[:n])); err == nil {
				t.Fatalf("a replay of %d bytes was read from its first %d with the right checksum", len(b), n)
			}
		}
	}
	if _, err := ParseReplay(checksummed(append(b[:len(b)-4:len(b)-4], make([]byte, 5)...))); err == nil {
		t.Error("a replay with a byte after its last tick was read")
	}
	b[len(replayMagic)-1]++
	if _, err := ParseReplay(b); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("a replay of another version gives %v", err)
	}
}

func sampleReplay() *Replay {
	return &Replay{
		World: "test", Digest: 1, Area: "area 0", Seed: 2, Snapshot: []byte{3},
		Ticks: []ReplayTick{{Intents: []sim.Intent{say(1, "x")}, Hash: 4}, {}}, Panic: "p", Stack: "s",
	}
}

// checksummed returns a copy of a replay file with the right checksum in its last four bytes: ParseReplay refuses a wrong one.
func checksummed(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b[:len(b)-4:len(b)-4], crc32.ChecksumIEEE(b[:len(b)-4]))
}

func FuzzParseReplay(f *testing.F) {
	f.Add(sampleReplay().Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) >= 4 {
			b = checksummed(b)
		}
		p, err := ParseReplay(b)
		if err != nil {
			return
		}
		again, err := ParseReplay(p.Append(nil))
		if err != nil || !bytes.Equal(again.Append(nil), p.Append(nil)) {
			t.Fatalf("accepted %x, but the re-encoded replay is rejected: %v", b, err)
		}
	})
}
