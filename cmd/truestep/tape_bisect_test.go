package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/tape"
)

// backwardTick is the first tick of recordBackward in which the player walks backward.
const backwardTick = 40

// recordBackward records 60 ticks of the first area of the embedded world to a tape and to a replay file. Player 1 stands until
// it walks backward along the first axis. It returns where the player is before and after the first step.
func recordBackward(t *testing.T) (dir, file string, before, after float32) {
	t.Helper()
	w := content.DefaultWorld().World
	dir, file = filepath.Join(t.TempDir(), "tape"), filepath.Join(t.TempDir(), "area.replay")
	log, err := tape.Open(tape.Options{Dir: dir, World: w, Program: "test", Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	l, _ := log.OpenArea(0)
	template := uint16(0)
	for i := range w.Templates {
		if w.Templates[i].Playable {
			template = w.Templates[i].ID
			break
		}
	}
	r := &area.Replay{World: w.Name, Digest: w.Digest(), Area: w.Areas[0].Name, Seed: 7}
	a, hash := sim.NewArea(w, 0, 7), uint64(0)
	for tick := 1; tick <= 60; tick++ {
		var intents []sim.Intent
		if tick == 1 {
			c := &sim.Character{ID: 1, Name: "Ann", Template: template, Level: 1, Attr: w.Template(template).Attr}
			intents = []sim.Intent{{Kind: sim.IntentJoin, Who: 1, Join: &sim.Join{Character: c, Portal: -1, Pos: geom.Vec{}, Login: true}}}
		}
		if tick == backwardTick {
			intents = []sim.Intent{{Kind: sim.IntentClaim, Who: 1, AtMS: int64(tick) * 50, Claim: move.Claim{X: before, DestX: before - 100, Backward: true}}}
		}
		l.Seal(area.Batch{Tick: sim.Tick(tick), PrevHash: hash, Intents: intents})
		f := a.Step(intents)
		l.Commit()
		hash = f.Hash
		r.Ticks = append(r.Ticks, area.ReplayTick{Intents: intents, Hash: hash})
		if tick < backwardTick {
			before = f.Find(1).Pos.X
		} else if tick == backwardTick {
			after = f.Find(1).Pos.X
		}
	}
	if err := l.Close(false); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, r.Append(nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, file, before, after
}

// buildSlowerBackward builds this program with another rule: players walk backward with 0.4 of their speed instead of half of it.
func buildSlowerBackward(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(root, "sim", "move", "walk.go")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	const rule, other = "return units * backwardFactor", "return units * 0.4"
	if strings.Count(string(text), rule) != 1 {
		t.Fatalf("%s does not have %q", source, rule)
	}
	dir := t.TempDir()
	patched, overlay, program := filepath.Join(dir, "walk.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "truestep")
	files, err := json.Marshal(map[string]map[string]string{"Replace": {source: patched}})
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string]string{patched: strings.Replace(string(text), rule, other, 1), overlay: string(files)} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-overlay", overlay, "-o", program, "./cmd/truestep")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

func TestTapeBisectFindsFirstTickAndValueInWhichTwoProgramsDiffer(t *testing.T) {
	dir, file, before, after := recordBackward(t)
	other := buildSlowerBackward(t)
	for _, path := range []string{dir, file} {
		code, out, errs := truestep("tape", "bisect", path, "--other", other)
		for _, line := range []string{
			fmt.Sprintf("first difference: tick %d of Truestep Vale", backwardTick),
			"recorded state: that of this program\nentity 1 \"Ann\": pos.X\n",
			fmt.Sprintf("  this program   %v\n", after),
		} {
			if code != 1 || errs != "" || !strings.Contains(out, line) {
				t.Errorf("%s: status %d, %q, %q without %q", path, code, errs, out, line)
			}
		}
		_, rest, _ := strings.Cut(out, "other program  ")
		var x float32
		if _, err := fmt.Sscan(rest, &x); err != nil || geom.Abs(x-(before+(after-before)*0.8)) > 1e-4 {
			t.Errorf("%s: the other program has pos.X %v, %v; want four fifths of the way from %v to %v", path, x, err, before, after)
		}
	}
	t.Setenv(actAsTruestep, "1") // the test program runs as this version of truestep
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, file} {
		if code, out, errs := truestep("tape", "bisect", path, "--other", self); code != 0 || out != "no difference in 60 ticks\n" {
			t.Errorf("%s, the same program: status %d, %q, %q", path, code, out, errs)
		}
	}
}

func TestTapeBisectRefusesProgramWithInvalidOrLateOutput(t *testing.T) {
	dir, _, _, _ := recordBackward(t)
	other := filepath.Join(t.TempDir(), "other")
	for _, c := range []struct{ script, want string }{
		{"exec sleep 60", "the program took too long and was stopped; give it more time with --timeout"},
		{"echo nonsense", `the first line of the output is "nonsense", want "truestep tape states 1": the program has another version`},
		{"echo no such command >&2; exit 2", "the program ended before its output was complete (exit status 2): no such command"},
		{"echo truestep tape states 1", "the program ended before its output was complete (exit status 0): no message"},
		{"echo truestep tape states 1; echo end", "nothing was compared: there is no tick of the tape that both programs can replay"},
		{"echo truestep tape states 1; exec tr '\\0' x </dev/zero", "token too long"},
		{"echo truestep tape states 1; exec yes stretch", "the program took too long"},
	} {
		if err := os.WriteFile(other, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		code, out, errs := truestep("tape", "bisect", dir, "--other", other, "--timeout", "300ms")
		if code != exitUsage || out != "" || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: status %d, %q, %q; want %q", c.script, code, out, errs, c.want)
		}
	}
}

func TestTapeStatesCommandRequiresStretchFlagWithExistingSegment(t *testing.T) {
	dir, _, _, _ := recordBackward(t)
	for _, c := range [][]string{
		{"--stretch AREA/SEGMENT", "--fields=3"},
		{"stretch 0/9: no part of the tape begins with this segment of this area", "--stretch=0/9"},
	} {
		if code, _, errs := truestep(append([]string{"tape", "states", dir}, c[1:]...)...); code != exitUsage || !strings.Contains(errs, c[0]) {
			t.Errorf("%v: status %d, %q", c[1:], code, errs)
		}
	}
}
