package gateway

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/truestep-io/truestep/internal/logbuf"
)

// A node of a cluster uses the key that all nodes share. It logs a warning in two cases: if it also has another key of its
// own, which its clients may know, and if it has only a key of its own.
func TestDoorOfClusterNodeUsesSharedKeyAndWarnsAboutOwnKey(t *testing.T) {
	for name, c := range map[string]struct {
		cluster     bool
		shared, own string
		wantShared  bool
		wantLine    string // words of the only line in the log; empty for none
	}{
		"single server":           {own: "x"},
		"new node":                {cluster: true, shared: "s\n", wantShared: true},
		"node with the same key":  {cluster: true, shared: "s\n", own: "s", wantShared: true},
		"node with a former key":  {cluster: true, shared: "s\n", own: "x", wantShared: true, wantLine: "instead of its own former key"},
		"node without shared key": {cluster: true, own: "x", wantLine: "a key of its own"},
	} {
		var lines logbuf.Buffer
		h := &Host{DataDir: t.TempDir(), Log: slog.New(slog.NewTextHandler(&lines, nil))}
		want := h.DataDir
		if c.cluster {
			h.SharedKeys = t.TempDir()
		}
		if c.wantShared {
			want = h.SharedKeys
		}
		for dir, text := range map[string]string{h.DataDir: c.own, h.SharedKeys: c.shared} {
			if text == "" {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, "some.key"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := h.KeyFolder("some", "some.key"); got != want {
			t.Errorf("%s: the key of %s is used, want that of %s", name, got, want)
		}
		if n := lines.Count(""); n > 1 || (n == 1) != (c.wantLine != "") || lines.Count(c.wantLine) != n {
			t.Errorf("%s: want one line with %q, or none if that is empty:\n%s", name, c.wantLine, lines.String())
		}
	}
}
