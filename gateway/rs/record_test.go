package rs

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// recordLine is one line of a recording.
type recordLine struct {
	T     string
	Self  proto.Index
	Bytes string
	Truth struct{ Local, LowRes map[string][3]uint16 }
}

// replayRecord decodes a recording and fails the test if the positions that the client shows differ from the recorded true
// positions.
func replayRecord(t *testing.T, path string) (cycles, low int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var c *proto.PlayerInfoDecoder
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l recordLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		b, err := hex.DecodeString(l.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if l.T == "init" {
			if c, err = proto.NewPlayerInfoDecoder(proto.Profile667, l.Self, b); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := c.Apply(b); err != nil {
			t.Fatalf("%s: cycle %d: %v", path, cycles, err)
		}
		cycles++
		if len(l.Truth.Local) != c.LocalCount() {
			t.Errorf("%s: cycle %d: %d locals, %d in truth", path, cycles, c.LocalCount(), len(l.Truth.Local))
		}
		for i := range c.Locals() {
			at, _ := c.Local(i)
			if want := l.Truth.Local[strconv.Itoa(int(i))]; want != [3]uint16{at.X, at.Z, uint16(at.Plane)} {
				t.Errorf("%s: cycle %d: %d is at %v, decoded %v", path, cycles, i, want, at)
			}
		}
		for i := proto.Index(1); i <= proto.MaxIndex; i++ {
			if s, far := c.LowRes(i); far && s != 0 {
				low++
				if want := l.Truth.LowRes[strconv.Itoa(int(i))]; want != [3]uint16{uint16(s.Plane()), uint16(s.X()), uint16(s.Z())} {
					t.Errorf("%s: cycle %d: %d is in square %v, decoded %v", path, cycles, i, want, s)
				}
			}
		}
	}
	return cycles, low
}

func TestSessionRecordingDecodesToRecordedPositions(t *testing.T) {
	dir := t.TempDir()
	w := pvpWorld()
	w.TicksPerSecond = 5
	withServer(t, w, Options{Register: true, RecordDir: dir}, func(srv *testServer) {
		rng := rand.New(rand.NewPCG(3, 3))
		all := srv.joinMany(12)
		for range 60 {
			for _, c := range all {
				if !c.isClosed() {
					c.actRandomly(rng)
				}
				c.disruptConnection(rng)
			}
			srv.advanceCycles(1)
		}
	})
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) < 12 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	cycles, low := 0, 0
	for _, path := range files {
		c, l := replayRecord(t, path)
		cycles, low = cycles+c, low+l
	}
	t.Logf("%d records, %d cycles, %d squares of others", len(files), cycles, low)
	if cycles < 300 || low == 0 {
		t.Error("the run covered too few cases")
	}
}

func TestSessionRecordingStaysInFolderForAnyAccountName(t *testing.T) {
	for name, want := range map[string]string{"Ada_1": "Ada_1", "../../etc/x": "------etc-x", `a\b:c` + "\x00": "a-b-c-", "ÄÖ": "--"} {
		if got := fileName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestMissingRecordingFolderDoesNotPreventLogin(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true, RecordDir: filepath.Join(t.TempDir(), "nowhere")}, func(srv *testServer) {
		srv.join("Ada").checkNoError()
	})
}
