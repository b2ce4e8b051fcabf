//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// verifyTape makes the program simulate all ticks on the tape of a node again, while the node records further ticks. It returns an
// error if a state differs from the recorded state.
func (n *node) verifyTape() error {
	out, err := exec.Command(n.Bin, "tape", "verify", filepath.Join(n.DataDir, "tape"), "--world", filepath.Join(n.cluster.folder, "world.toml")).CombinedOutput()
	if err != nil {
		return fmt.Errorf("truestep tape verify of the tape of node %s: %w\n%s", n.name, err, out)
	}
	return nil
}
