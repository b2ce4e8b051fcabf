package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/tape"
)

// recordTape records ticks of the first area of the embedded world. runs are the numbers of ticks of one or more runs of the
// server; each run ends with a kill, and the next one begins a minute later. Ann and Bob enter in the first tick of the first
// run. Ann claims a step in every tick; in the tenth tick it says a chat line and Bob leaves. recordTape returns the times of
// the first and the last tick.
func recordTape(t *testing.T, data string, runs ...int) (first, last time.Time) {
	t.Helper()
	w := content.DefaultWorld().World
	human := sim.NoTemplate
	for i := range w.Templates {
		if w.Templates[i].Playable {
			human = w.Templates[i].ID
			break
		}
	}
	join := func(id sim.EntityID, name string) sim.Intent {
		return sim.Intent{Kind: sim.IntentJoin, Who: id, Join: &sim.Join{Login: true, Portal: -1, Pos: geom.Vec{X: float32(id)}, Character: &sim.Character{
			ID: sim.CharacterID(id), Name: name, Template: human, Level: 1, Attr: w.Template(human).Attr}}}
	}
	for run, n := range runs {
		if run > 0 {
			time.Sleep(time.Minute)
		}
		tp, err := tape.Open(tape.Options{Dir: filepath.Join(data, sqlite.TapeFolder), World: w, Program: "test", Seed: 1, SegmentTicks: 50, Retain: tape.Retain{Age: time.Hour, Bytes: 1 << 30}})
		if err != nil {
			t.Fatal(err)
		}
		log, a := tp.OpenArea(0)
		hash := uint64(0)
		if a == nil {
			a = sim.NewArea(w, 0, 1)
		} else {
			hash = a.Hash()
		}
		for range n {
			if memory := log.SnapshotBuffer(); memory != nil {
				a.CloneInto(memory)
				log.Snapshot(memory)
			}
			time.Sleep(50 * time.Millisecond)
			tick := a.Now() + 1
			var intents []sim.Intent
			if tick == 1 {
				intents, first = append(intents, join(1, "Ann"), join(2, "Bob")), time.Now()
			}
			intents = append(intents, sim.Intent{Kind: sim.IntentClaim, Who: 1, AtMS: int64(tick) * 50, Claim: move.Claim{X: 1 + float32(tick)/20, Y: 2, DestX: 90}})
			if tick == 10 {
				intents = append(intents, sim.Intent{Kind: sim.IntentChat, Who: 1, Text: "hello\x1b[2J"}, sim.Intent{Kind: sim.IntentLeave, Who: 2})
			}
			log.Seal(area.Batch{Tick: tick, PrevHash: hash, Intents: intents})
			f := a.Step(intents)
			hash, last = f.Hash, time.Now()
			log.Commit()
			a.Recycle(f)
		}
		for id := range w.Areas {
			log, _ := tp.OpenArea(sim.AreaID(id))
			if err := log.Close(false); err != nil {
				t.Fatal(err)
			}
		}
		if err := tp.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return first, last
}

// printStretch returns the text that c prints when it replays a tape.
func printStretch(t *testing.T, c ReplayTape, data string, now time.Time) (string, error) {
	t.Helper()
	return printStretchOf(t, WorldConfig{}, c, data, now)
}

// printStretchOf is printStretch for a tape of another world than the embedded one.
func printStretchOf(t *testing.T, world WorldConfig, c ReplayTape, data string, now time.Time) (string, error) {
	t.Helper()
	var b bytes.Buffer
	s, err := c.Open(data, world, now)
	if err != nil {
		return "", err
	}
	defer s.Close()
	err = s.Print(&b)
	return b.String(), err
}

func TestReplayOfTapePrintsIntentsAndEventsOfSelectedTime(t *testing.T) {
	data := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		first, last := recordTape(t, data, 120)
		vale := ReplayTape{Area: "truestep vale", From: "1h"}
		out, err := printStretch(t, vale, data, last)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"        1  event  joined       Ann (1)  pos=(1.00, ",
			"        1  intent join         Ann (1)\n",
			"       10  intent chat         Ann (1)  text=\"hello\\x1b[2J\"\n",
			"       10  event  left         Bob (2)\n",
			"      120  intent claim        Ann (1)  askedPos=(7.00, 2.00, 0.00)  dest=(90.00, 2.00, 0.00)\n",
			fmt.Sprintf("\nTruestep Vale from %s to %s: 120 ticks, 124 intents, ", first.Local().Format("15:04:05.000"), last.Local().Format("15:04:05.000")),
		} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is missing in\n%s", want, out)
			}
		}
		vale.From, vale.To = first.Add(500*time.Millisecond).Format(time.RFC3339Nano), first.Add(600*time.Millisecond).Format(time.RFC3339Nano)
		if out, err = printStretch(t, vale, data, last); err != nil || !strings.Contains(out, ": 3 ticks, 3 intents, ") || strings.Count(out, "intent claim") != 3 {
			t.Errorf("ticks 11 to 13: %v\n%s", err, out)
		}
		vale.From, vale.To, vale.Events = "1m", "", true
		if out, err = printStretch(t, vale, data, last); err != nil || strings.Contains(out, "  intent") || !strings.Contains(out, ": 120 ticks, 124 intents, ") {
			t.Errorf("events: %v\n%s", err, out)
		}
		if again, err := printStretch(t, vale, filepath.Join(data, sqlite.TapeFolder), last); err != nil || again != out {
			t.Errorf("folder of the tape: %v\n%s", err, again)
		}
	})
}

func TestTapeReplayWithFollowFlagPrintsOnlyFollowedPlayerAsJSON(t *testing.T) {
	data := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		_, last := recordTape(t, data, 60)
		for _, follow := range []string{"ann", "1"} {
			out, err := printStretch(t, ReplayTape{Area: "Truestep Vale", Follow: follow, JSON: true}, data, last)
			if err != nil {
				t.Fatal(err)
			}
			count := map[string]int{}
			for text := range strings.Lines(out) {
				var line struct {
					Type, At, Kind, Name string
					Tick, Entity, Other  uint64
					Pos                  []float64
					Health               *int
					Ticks, Intents       int
				}
				if err := json.Unmarshal([]byte(text), &line); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				count[line.Type]++
				if _, err := time.Parse(time.RFC3339, line.At); line.Type != lineEnd && (err != nil || line.Tick == 0 || line.Entity != 1 && line.Other != 1) {
					t.Errorf("%s: %v", text, err)
				}
				if line.Type == lineState && (line.Name != "Ann" || len(line.Pos) != 3 || line.Health == nil) {
					t.Errorf("state %s", text)
				}
				if line.Type == lineEnd && (line.Ticks != 60 || line.Intents != 62) {
					t.Errorf("end %s", text)
				}
			}
			if count[lineIntent] != 62 || count[lineState] < 50 || count[lineState] > 60 || count[lineEvent] == 0 || count[lineEnd] != 1 {
				t.Errorf("follow %s: %v", follow, count)
			}
		}
	})
}

func TestReplayOfTapeReportsMissingTicks(t *testing.T) {
	data := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		_, last := recordTape(t, data, 30, 30)
		gap := "-- nothing was recorded from " + last.Add(-30*50*time.Millisecond-time.Minute).Local().Format("15:04:05.000")
		out, err := printStretch(t, ReplayTape{Area: "Truestep Vale", From: "10m"}, data, last)
		if err != nil || strings.Count(out, gap) != 1 || !strings.Contains(out, ": 60 ticks, ") {
			t.Errorf("%v\n%s", err, out)
		}
		out, err = printStretch(t, ReplayTape{Area: "Truestep Vale", From: "10m", JSON: true}, data, last)
		if err != nil || strings.Count(out, `{"type":"gap","from":"`) != 1 {
			t.Errorf("%v\n%s", err, out)
		}
		out, err = printStretch(t, ReplayTape{Area: "Truestep Vale", From: "10m", To: "30s"}, data, last)
		if err != nil || strings.Contains(out, gap) || !strings.Contains(out, ": 30 ticks, ") {
			t.Errorf("an end within the gap: %v\n%s", err, out)
		}
	})
}

func TestInvalidFlagsForTapeReplayCauseErrorOfOneLine(t *testing.T) {
	data, empty := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		_, last := recordTape(t, data, 30)
		for _, c := range []struct {
			replay ReplayTape
			dir    string
			want   string
		}{
			{ReplayTape{}, data, "name an area with --area: the world has the areas Truestep Vale, "},
			{ReplayTape{Area: "moon"}, data, `area "moon": the world has Truestep Vale, `},
			{ReplayTape{Area: "Truestep Vale", From: "soon"}, data, `--from: "soon" is not a time`},
			{ReplayTape{Area: "Truestep Vale", From: "1m", To: "2m"}, data, "--from 1m is not before --to 2m"},
			{ReplayTape{Area: "Truestep Vale"}, empty, " contains no tape: name the data folder of a server that records a tape, or the folder tape in it"},
			{ReplayTape{Area: "Truestep Vale", From: "2h", To: "1h"}, data, `area "Truestep Vale" has no ticks from `},
			{ReplayTape{Area: "The Ring"}, data, `: the tape has no segment that can be played back`},
			{ReplayTape{Area: "Truestep Vale", Follow: "Cara"}, data, `follow "Cara": no such player was in the area during the selected time; the players there were Ann, Bob`},
		} {
			if out, err := printStretch(t, c.replay, c.dir, last); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%+v: %v, want %q\n%s", c.replay, err, c.want, out)
			}
		}
		s, err := (&ReplayTape{Area: "Truestep Vale"}).Open(data, WorldConfig{ClaimPolicy: "seed"}, last)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "was written with another world file or other rules") {
			t.Errorf("other rules: %v", err)
		}
	})
}

func TestReplayOfTapePrintsReloadOfWorldAsSeparateLine(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		var out bytes.Buffer
		p := &stretchPrinter{out: &out}
		line := stretchLine{Type: lineReload, From: "2026-01-02T03:04:05.000Z", To: "2026-01-02T03:04:05.050Z"}
		if asJSON {
			if err := p.printJSON(&line); err != nil || !strings.Contains(out.String(), `"type":"reload"`) {
				t.Errorf("printed %q, %v", out.String(), err)
			}
			continue
		}
		if err := p.printText(&line); err != nil || !strings.HasPrefix(out.String(), "-- the world file was reloaded at ") {
			t.Errorf("printed %q, %v", out.String(), err)
		}
	}
}
