//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/tape"
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

// recordedStates has the hashes that a tape has recorded of the state after each tick, by area and tick.
type recordedStates []map[sim.Tick]uint64

// readStates reads the recorded hashes from the tape in a folder. It returns an error if the tape has two for one tick. That the
// recorded states are those to which the ticks lead is left to node.verifyTape.
func readStates(folder string, world *sim.World) (recordedStates, error) {
	list, _, err := tape.Stretches(tape.Options{Dir: folder, World: world})
	if err != nil {
		return nil, err
	}
	all := make(recordedStates, len(world.Areas))
	for i := range all {
		all[i] = map[sim.Tick]uint64{}
	}
	var errs []error
	for i := range list {
		states := all[list[i].Area]
		errs = append(errs, list[i].Play(func(s *tape.Step) error {
			tick := s.Tick - 1
			if tick == 0 {
				return nil // a new area, of whose state the tape has no hash
			}
			if hash, ok := states[tick]; ok && hash != s.Before {
				return fmt.Errorf("the tape in %s has two states of area %q after tick %d, with the hashes %016x and %016x", folder, world.Areas[list[i].Area].Name, tick, hash, s.Before)
			}
			states[tick] = s.Before
			return nil
		}))
	}
	return all, errors.Join(errs...)
}

// compareTapes compares the states that the tapes of all nodes have recorded. The result n is the number of ticks that were compared.
func (t *test) compareTapes() (n int, errs []error) {
	file := filepath.Join(t.cluster.folder, "world.toml")
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, []error{err}
	}
	world, _, err := content.LoadWorldFiles(file, text, os.DirFS(t.cluster.folder))
	if err != nil {
		return 0, []error{err}
	}
	var tapes []recordedStates
	for _, node := range t.cluster.nodes {
		states, err := readStates(filepath.Join(node.DataDir, "tape"), world.World)
		if err != nil {
			return 0, []error{fmt.Errorf("read the tape of node %s: %w", node.name, err)}
		}
		tapes = append(tapes, states)
	}
	return compareStates(world.World, tapes)
}

// compareStates compares the recorded states of the tapes of nodes, each with each. It returns the number of pairs of states that were
// compared, and an error for each area in which two tapes differ, or have fewer than half of the ticks of the longer one in common: a
// tape lacks ticks only where its node was away for long or could not write.
func compareStates(world *sim.World, tapes []recordedStates) (n int, errs []error) {
	for j := range tapes {
		for i := range j {
			for k := range world.Areas {
				both, first := 0, sim.Tick(0) // ticks on both tapes, and the first one with different states
				for tick, hash := range tapes[i][k] {
					other, ok := tapes[j][k][tick]
					if !ok {
						continue
					}
					if both++; hash != other && (first == 0 || tick < first) {
						first = tick
					}
				}
				n += both
				name := world.Areas[k].Name
				if first != 0 {
					errs = append(errs, fmt.Errorf("the tapes of nodes %c and %c have different states of area %q: the first after tick %d, with the hashes %016x and %016x", 'a'+i, 'a'+j, name, first, tapes[i][k][first], tapes[j][k][first]))
				}
				if most := max(len(tapes[i][k]), len(tapes[j][k])); both == 0 || both < most/2 {
					errs = append(errs, fmt.Errorf("the tapes of nodes %c and %c have only %d ticks of area %q in common, of %d on one of them", 'a'+i, 'a'+j, both, name, most))
				}
			}
		}
	}
	return n, errs
}
