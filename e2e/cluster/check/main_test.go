package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
)

func TestCheckCommandPrintsContradictionsInFile(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, lines := range map[string]int{"sound": 1, "broken.gz": 2} {
		path := filepath.Join(t.TempDir(), name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		var w io.WriteCloser = f
		if strings.HasSuffix(name, ".gz") {
			w = gzip.NewWriter(f)
		}
		h := checker.New(time.Second)
		h.WriteEvents(w)
		for i := range lines {
			h.RecordLine(at.Add(time.Duration(i)*time.Minute), "Ann", "Bob", 7)
		}
		if err := h.Stop(); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		status := run([]string{path}, &out, &errs)
		want := "1 events, 0 frames, 0 moves of stacks, 0 chat lines and 0 blows that a further client had to be shown, 0 chat lines that their speaker had to be shown, 0 points of damage compared with health, 0 parties with 0 members, 0 changes of area on a mount, 0 pets, 0 places of characters compared at two observers: 0 contradictions\n"
		if lines > 1 {
			want = "client Ann was shown chat line 7 of Bob twice, 1m0s apart\n2 events, 0 frames, 0 moves of stacks, 0 chat lines and 0 blows that a further client had to be shown, 0 chat lines that their speaker had to be shown, 0 points of damage compared with health, 0 parties with 0 members, 0 changes of area on a mount, 0 pets, 0 places of characters compared at two observers: 1 contradictions\n"
		}
		if status != lines-1 || out.String() != want || errs.Len() > 0 {
			t.Errorf("%s: status %d\n%s%s", name, status, out.String(), errs.String())
		}
	}
}

func TestCheckCommandRefusesMissingFileAndWrongArguments(t *testing.T) {
	for _, args := range [][]string{nil, {"--help"}, {"a", "b"}, {filepath.Join(t.TempDir(), "missing")}} {
		var out, errs bytes.Buffer
		if status := run(args, &out, &errs); status != 2 || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%q: status %d, %q, %q", args, status, out.String(), errs.String())
		}
	}
}
