package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSwarmPlayersAvoidWallsOfWorldFile(t *testing.T) {
	walls, err := readWalls("")
	if err != nil || len(walls["Truestep Vale"]) == 0 {
		t.Errorf("embedded world: %v, %d solids", err, len(walls["Truestep Vale"]))
	}
	file := filepath.Join(t.TempDir(), "other.toml")
	for _, c := range []struct{ text, want string }{
		{"", "world file: "},
		{"name = 3\n", "other.toml:1"},
	} {
		if c.text != "" {
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := readWalls(file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}
