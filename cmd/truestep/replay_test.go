package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
)

// recorded steps the first area of a world n times and returns the replay. Each tick has one intent, which the area refuses.
func recorded(w *sim.World, n int) *area.Replay {
	r := &area.Replay{World: w.Name, Digest: w.Digest(), Area: w.Areas[0].Name, Seed: 7}
	a := sim.NewArea(w, 0, 7)
	for range n {
		intents := []sim.Intent{{Kind: sim.IntentChat, Who: 9, Text: "hello"}}
		f := a.Step(intents)
		r.Ticks = append(r.Ticks, area.ReplayTick{Intents: intents, Hash: f.Hash})
	}
	return r
}

func replayFile(t *testing.T, r *area.Replay) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "area-1.replay")
	if err := os.WriteFile(path, r.Append(nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReplayCommandPrintsTicksAndReportsDifferentHash(t *testing.T) {
	r := recorded(content.DefaultWorld().World, 5)
	code, out, errs := truestep("replay", replayFile(t, r))
	if code != 0 || strings.Count(out, "as recorded") != 5 || !strings.Contains(out, `chat         Who=9 Text="hello"`) || strings.Count(out, "event ") == 0 {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
	if code, out, _ := truestep("replay", replayFile(t, r), "--all"); code != 0 || strings.Count(out, "intent chat") != 5 {
		t.Errorf("--all: exit status %d\n%s", code, out)
	}
	r.Ticks[3].Hash++
	code, _, errs = truestep("replay", replayFile(t, r))
	if code != 1 || !strings.Contains(errs, "tick 4 has another hash than recorded") {
		t.Errorf("wrong hash: exit status %d\n%s", code, errs)
	}
}

func TestReplayExportTestFlagWritesGoTestAndCopyOfReplay(t *testing.T) {
	path, dir := replayFile(t, recorded(content.DefaultWorld().World, 2)), filepath.Join(t.TempDir(), "replays")
	code, out, errs := truestep("replay", path, "--export-test", dir)
	test := filepath.Join(dir, "area_1_test.go")
	if code != 0 || !strings.Contains(out, "wrote "+test) {
		t.Fatalf("exit status %d\n%s%s", code, out, errs)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), test, nil, parser.AllErrors); err != nil {
		t.Error(err)
	}
	exported, err := os.ReadFile(filepath.Join(dir, "area-1.replay"))
	original, _ := os.ReadFile(path)
	if err != nil || !bytes.Equal(exported, original) {
		t.Errorf("the copy of the replay differs: %v", err)
	}
}

func TestReplayOfInvalidFileIsRefusedWithRemedy(t *testing.T) {
	here(t)
	write(t, "not.replay", "nonsense")
	code, _, errs := truestep("replay", "not.replay")
	if code != 2 || !strings.Contains(errs, "not.replay: replay: the file is not a replay of an area") {
		t.Errorf("exit status %d: %s", code, errs)
	}
	r := recorded(content.DefaultWorld().World, 1)
	r.Digest++
	code, _, errs = truestep("replay", replayFile(t, r))
	if code != 2 || !strings.Contains(errs, "load exactly the world and rules that the server ran") {
		t.Errorf("exit status %d: %s", code, errs)
	}
}

func TestReplayCommandPrintsTapeOfRunningServer(t *testing.T) {
	home := t.TempDir()
	p := launch(t, "serve", "--rcce", "off", "--rs", "off", "--bedrock", "off", "--metrics", "off", "--console", "off", "--no-status", "--data-dir", home)
	p.until("ready")
	events := func() (int, string, string) {
		return truestep("replay", home, "--area", "Truestep Vale", "--from=-2m", "--events", "--json")
	}
	code, out, errs := events()
	for deadline := time.Now().Add(20 * time.Second); code != 0 && time.Now().Before(deadline); code, out, errs = events() {
		time.Sleep(20 * time.Millisecond) // until the first tick is on the tape
	}
	if code != 0 || !strings.Contains(out, `"kind":"joined"`) || !strings.Contains(out, `{"type":"end",`) || strings.Contains(out, `"type":"intent"`) {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
	p.signal(os.Interrupt)
	p.end()
	if code, out, errs := truestep("replay", home, "--area", "Truestep Vale"); code != 0 || !strings.Contains(out, "\nTruestep Vale from ") {
		t.Errorf("after the server has ended: exit status %d\n%s%s", code, out, errs)
	}
}

func TestReplayCommandErrorsNameRemedy(t *testing.T) {
	here(t)
	file := replayFile(t, recorded(content.DefaultWorld().World, 1))
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "truestep-data contains no tape: name the data folder of a server that records a tape, or the folder tape in it"},
		{[]string{"nowhere.replay"}, "open "},
		{[]string{"nowhere", "--from", "5m"}, "open "},
		{[]string{file, "--from", "5m"}, file + " is not a tape, and --area, --from, --to, --follow, --events, --json and --serve apply to tapes only: leave them out"},
		{[]string{".", "--all"}, "--tick, --all and --export-test apply to replay files only: give the path of such a file"},
		{[]string{".", "--from", "-5m"}, `perhaps try --from="-5m"?`},
	} {
		code, _, errs := truestep(append([]string{"replay"}, c.args...)...)
		if code != exitUsage || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: exit status %d: %s", c.args, code, errs)
		}
	}
}
