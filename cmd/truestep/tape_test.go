package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTapeVerifyComparesTapeOfServer(t *testing.T) {
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
	if code, out, errs := truestep("tape", "verify", dir); code != 1 || !strings.Contains(out, filepath.Base(files[0])) || !strings.Contains(errs, "1 problems") {
		t.Errorf("a damaged tape: status %d, %q, %q", code, out, errs)
	}
	if code, _, errs := truestep("tape", "verify", filepath.Join(home, "nowhere")); code != exitUsage || !strings.Contains(errs, "nowhere") {
		t.Errorf("a folder that is missing: status %d, %q", code, errs)
	}
}
