//go:build linux

package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
)

func TestHistoryOfTestIsWrittenToFile(t *testing.T) {
	for _, name := range []string{"history", "history.gz"} {
		path := filepath.Join(t.TempDir(), name)
		run := &test{history: checker.New(time.Second)}
		end, err := run.recordHistory(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			run.history.RecordLine(time.Now(), "Ann", "Bob", 7)
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var r io.Reader = f
		if strings.HasSuffix(name, ".gz") {
			if r, err = gzip.NewReader(f); err != nil {
				t.Fatal(err)
			}
		}
		h, events, err := checker.Read(r)
		if err != nil || events != 2 || len(h.Check()) != 1 {
			t.Errorf("%s: %d events, %v", name, events, err)
		}
	}
}

func TestHistoryFlagIsRefusedTogetherWithBrokenFlag(t *testing.T) {
	if _, err := parseFlags([]string{"--broken", "--history", "x"}); err == nil || !strings.Contains(err.Error(), "--history") {
		t.Errorf("the error is %v", err)
	}
}

func TestManyClientsTogetherSayNoMoreLinesThanAreaAllows(t *testing.T) {
	for clients, want := range map[string]time.Duration{"40,40,40,40": 3 * time.Second, "300,60,60,120": 10 * time.Second} {
		if o, err := parseFlags([]string{"--clients", clients, "--server", os.Args[0]}); err != nil || o.talks != want {
			t.Errorf("--clients %s: a line in %v of each player, %v; want %v", clients, o.talks, err, want)
		}
	}
}
