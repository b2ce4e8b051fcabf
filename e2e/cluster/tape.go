//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// verifyTape makes the program simulate all ticks on the tape of a node again, while the node records further ticks. It returns an
// error if a state differs from the recorded state. The result steps is the line that says how much was simulated.
func (n *node) verifyTape() (steps string, err error) {
	out, err := exec.Command(n.Bin, "tape", "verify", filepath.Join(n.DataDir, "tape"), "--world", filepath.Join(n.cluster.folder, "world.toml")).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("truestep tape verify of the tape of node %s: %w\n%s", n.name, err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1], nil
}
