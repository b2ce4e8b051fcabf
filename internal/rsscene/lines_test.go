package rsscene

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/rs"
)

var update = flag.Bool("update", false, "rewrite the files of testdata")

// cycleLine is the cycle line of a viewer without other players.
const cycleLine = `{"t":"cycle","bytes":"007ff4","truth":{"local":{"1":[3200,3200,0]},"lowres":{}}}`

func TestCycleLineOfTestVectorFileIsReadBackAsWritten(t *testing.T) {
	var b bytes.Buffer
	truth := &Truth{}
	truth.IsLocal[1], truth.Tile[1] = true, rs.Tile{X: 3200, Z: 3201, Plane: 2}
	truth.IsLocal[2047], truth.Tile[2047] = true, rs.Tile{X: 16383}
	truth.Square[9] = 3<<16 | 50<<8 | 49
	if err := WriteCycle(&b, []byte{0, 0x7f, 0xf4}, truth); err != nil {
		t.Fatal(err)
	}
	want := `{"t":"cycle","bytes":"007ff4","truth":{"local":{"1":[3200,3201,2],"2047":[16383,0,0]},"lowres":{"9":[3,50,49]}}}` + "\n"
	if b.String() != want {
		t.Errorf("got  %swant %s", b.String(), want)
	}
	l, err := ReadLine(bytes.TrimSpace(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	got, err := l.Truth.Truth()
	if err != nil || *got != *truth {
		t.Errorf("read %+v, %v", got, err)
	}
}

func TestCheckAcceptsTestVectorFilesWrittenByWriteRun(t *testing.T) {
	for _, scene := range SceneNames() {
		c := Config{Profile: rs.Profile667, Scene: scene, Players: 120, Viewers: 1, Seed: 9, Lag: true, Reconnect: true}
		run := writeRun(t, c, 60)
		sent := bytes.Count(run, []byte(`{"t":"cycle"`))
		if n, err := Check(bytes.NewReader(run), rs.Profile667); err != nil || n != sent || n < 30 {
			t.Errorf("%s: %d of %d cycles: %v", scene, n, sent, err)
		}
	}
}

func TestCheckReportsFirstInvalidLineOfTestVectorFile(t *testing.T) {
	init := placementLine(t)
	for _, c := range []struct {
		name, lines string
		want        error
		cycles      int
		text        string
	}{
		{"correct", init + cycleLine + "\n" + cycleLine, nil, 2, ""},
		{"empty", "", nil, 0, ""},
		{"wrong tile", init + strings.Replace(cycleLine, "[3200", "[3201", 1), ErrState, 0, "line 2: client state differs from the expected state: local player 1 is at"},
		{"local player that is external", init + strings.Replace(cycleLine, `"1":`, `"2":[1,1,1],"1":`, 1), ErrState, 0, "line 2"},
		{"wrong square", init + cycleLine + "\n" + strings.Replace(cycleLine, `{}`, `{"5":[0,1,1]}`, 1), ErrState, 1, "line 3"},
		{"undecodable packet", init + strings.Replace(cycleLine, "007ff4", "80", 1), rs.ErrSLR, 0, "line 2"},
		{"no init", cycleLine, ErrLine, 0, "line 1"},
		{"no truth", init + `{"t":"cycle","bytes":""}`, ErrLine, 0, "line 2"},
		{"no type", `{}`, ErrLine, 0, "line 1"},
		{"no JSON", init + "cycle", ErrLine, 0, "line 2"},
		{"odd digits", init + strings.Replace(cycleLine, "007ff4", "007", 1), ErrLine, 0, "line 2"},
		{"index 0", init + strings.Replace(cycleLine, `"1":`, `"0":`, 1), ErrLine, 0, "line 2"},
		{"index with a leading zero", init + strings.Replace(cycleLine, `"1":`, `"01":`, 1), ErrLine, 0, "line 2"},
		{"index 2048", init + strings.Replace(cycleLine, `{}`, `{"2048":[0,1,1]}`, 1), ErrLine, 0, "line 2"},
		{"tile outside the world", init + strings.Replace(cycleLine, "[3200", "[16384", 1), ErrLine, 0, "line 2"},
		{"index both local and lowres", init + strings.Replace(cycleLine, `{}`, `{"1":[0,1,1]}`, 1), ErrLine, 0, "line 2"},
		{"square outside the world", init + strings.Replace(cycleLine, `{}`, `{"5":[0,256,1]}`, 1), ErrLine, 0, "line 2"},
		{"short placement", `{"t":"init","self":1,"bytes":"00"}`, rs.ErrPlacement, 0, "line 1"},
		{"self 0", `{"t":"init","self":0,"bytes":"00"}`, ErrLine, 0, "line 1"},
	} {
		n, err := Check(strings.NewReader(c.lines), rs.Profile667)
		if n != c.cycles || !errors.Is(err, c.want) || err != nil && !strings.HasPrefix(err.Error(), c.text) {
			t.Errorf("%s: %d cycles, error %v, want %d and %v", c.name, n, err, c.cycles, c.want)
		}
	}
}

// placementLine returns the init line of player 1, alone at 3200,3200.
func placementLine(tb testing.TB) string {
	tb.Helper()
	placement := make([]byte, rs.PlacementSize)
	copy(placement, []byte{0x0c, 0x80, 0x32, 0x00})
	var b bytes.Buffer
	if err := WriteInit(&b, 1, placement); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// Tests of other servers use vector files, so a seed must always give the same run.
func TestSceneRunWithFixedSeedMatchesGoldenFile(t *testing.T) {
	got := writeRun(t, Config{Profile: rs.Profile667, Scene: "chaos", Players: 12, Viewers: 1, Seed: 1}, 12)
	if *update {
		if err := os.WriteFile("testdata/chaos_667.jsonl", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/chaos_667.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("run differs from testdata/chaos_667.jsonl; run go test -update if that is intended")
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(placementLine(f) + cycleLine))
	f.Add([]byte(cycleLine))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, err := Check(bytes.NewReader(b), rs.Profile667); n > bytes.Count(b, []byte("\n"))+1 || n < 0 {
			t.Fatalf("%d cycles, %v", n, err)
		}
	})
}
