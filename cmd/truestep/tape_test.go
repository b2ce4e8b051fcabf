package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTapeOfServerIsVerifiedAndExported(t *testing.T) {
	home := t.TempDir()
	for _, signal := range []os.Signal{os.Kill, os.Interrupt} { // the second run restores what the first left
		p := launch(t, "serve", "--rcce", "off", "--rs", "off", "--bedrock", "off", "--metrics", "off", "--console", "off", "--no-status", "--data-dir", home)
		p.until("ready")
		p.signal(signal)
		if code, _, _ := p.end(); signal == os.Interrupt && code != 0 {
			t.Fatalf("stopped with status %d: %s", code, p.errs.String())
		}
	}
	dir := filepath.Join(home, "tape")
	code, out, errs := truestep("tape", "verify", dir)
	if code != 0 || !strings.Contains(out, "areas 5, segments 10, ticks ") {
		t.Fatalf("status %d, %q, %q", code, out, errs)
	}
	if code, out, errs := truestep("tape", "verify", home); code != 0 || !strings.Contains(out, "areas 5, segments 10, ticks ") {
		t.Errorf("verify of the data folder: status %d, %q, %q", code, out, errs)
	}
	empty := t.TempDir()
	if err := os.Mkdir(filepath.Join(empty, "tape"), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		empty:                                  "truestep: " + filepath.Join(empty, "tape") + " has no segment of an area of the world ",
		filepath.Join(empty, "tape"):           "truestep: " + filepath.Join(empty, "tape") + " contains no tape: ",
		filepath.Join(dir, areaFolder(t, dir)): " contains no tape: name the data folder of a server that records a tape, or the folder tape in it",
	} {
		if code, out, errs := truestep("tape", "verify", path); code != exitUsage || out != "" || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("verify of %s: status %d, %q, %q", path, code, out, errs)
		}
	}
	if code, _, errs := truestep("tape", "export", dir, filepath.Join(home, "first.replay"), "--area", "truestep vale", "--from", "2m"); code != 0 {
		t.Errorf("export of the folder of the tape: status %d, %q", code, errs)
	}
	replay := filepath.Join(home, "vale.replay")
	export := []string{"tape", "export", home, replay, "--area", "truestep vale", "--from", "2m"}
	if code, out, errs := truestep(export...); code != 0 || !strings.Contains(out, " ticks (") || !strings.Contains(out, " of Truestep Vale, ") || !strings.Contains(out, "; truestep replay ") {
		t.Errorf("export: status %d, %q, %q", code, out, errs)
	}
	if code, out, errs := truestep("replay", replay); code != 0 || !strings.Contains(out, "as recorded") {
		t.Errorf("replay of an export: status %d, %q, %q", code, out, errs)
	}
	for _, c := range [][2]string{
		{"file exists", "vale.replay"},
		{`area "the moon": the world has Truestep Vale, `, "--area=the moon"},
		{`--from: "soon" is not a time`, "--from=soon"},
		{"--from 1m is not before --to 2m", "--from=1m --to=2m"},
		{"has no ticks from", "--from=1d --to=23h"},
	} {
		file, flags := filepath.Join(home, "other.replay"), strings.Split(c[1], " --")
		if c[1] == "vale.replay" {
			file, flags = replay, nil
		}
		for i := 1; i < len(flags); i++ {
			flags[i] = "--" + flags[i]
		}
		args := append([]string{"tape", "export", dir, file, "--area=Truestep Vale", "--from=2m"}, flags...)
		if code, _, errs := truestep(args...); code != exitUsage || !strings.Contains(errs, c[0]) {
			t.Errorf("%v: status %d, %q", args, code, errs)
		}
	}
	for _, c := range [][]string{
		{"is not the folder of a tape", "--data-dir=" + dir, filepath.Join(home, "a.replay")},
		{"--around: read journal entry 9: no such journal entry; truestep why", "--around=9", "--data-dir=" + home, filepath.Join(home, "a.replay")},
		{"3 paths", dir, "a", "b"},
	} {
		if code, _, errs := truestep(append([]string{"tape", "export"}, c[1:]...)...); code != exitUsage || !strings.Contains(errs, c[0]) {
			t.Errorf("%v: status %d, %q, want %q", c[1:], code, errs, c[0])
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "000-*", "*2.wal"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(files[0], b, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := truestep("tape", "verify", dir); code != 1 || !strings.Contains(out, filepath.Base(files[0])) || !strings.Contains(errs, "the tape has 1 problems") {
		t.Errorf("a damaged tape: status %d, %q, %q", code, out, errs)
	}
	if code, _, errs := truestep("tape", "verify", filepath.Join(home, "nowhere")); code != exitUsage || !strings.Contains(errs, "nowhere") {
		t.Errorf("a folder that is missing: status %d, %q", code, errs)
	}
}

// areaFolder returns the name of the folder of an area in the folder of a tape.
func areaFolder(t *testing.T, dir string) string {
	t.Helper()
	areas, err := filepath.Glob(filepath.Join(dir, "000-*"))
	if err != nil || len(areas) != 1 {
		t.Fatal(areas, err)
	}
	return filepath.Base(areas[0])
}
