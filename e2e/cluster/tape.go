//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// verifyTape has the program step all ticks on the tape of a node again, which records while it does so. It returns an error unless each
// state is the recorded one.
func (n *node) verifyTape() error {
	out, err := exec.Command(n.Bin, "tape", "verify", filepath.Join(n.DataDir, "tape"), "--world", filepath.Join(n.cluster.folder, "world.toml")).CombinedOutput()
	if err != nil {
		return fmt.Errorf("truestep tape verify of the tape of node %s: %w\n%s", n.name, err, out)
	}
	return nil
}
