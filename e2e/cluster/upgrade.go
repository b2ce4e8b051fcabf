//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/truestep-io/truestep/bench/mutations/overlay"
)

const (
	programPath = "github.com/truestep-io/truestep/cmd/truestep"
	newVersion  = "e2e-upgrade"    // version stamp of the program to which nodes are upgraded
	leadLimit   = 20 * time.Second // maximum time until a node that has come back leads areas; others wait 5 s
	usualTime   = 2 * time.Second  // time over which the usual gap between frames is measured
	refusedTime = 3 * time.Second  // time for which a refused node tries to connect
)

// programs are the binaries of the fault upgrade: one of another version, and one whose formats differ.
type programs struct{ newer, foreign string }

// buildPrograms builds the programs from the source code of this test, the foreign one with another value of the constant clusterFormats.
func buildPrograms(ctx context.Context, folder string) (p programs, err error) {
	root, err := moduleRoot(ctx)
	if err != nil {
		return p, err
	}
	const formats = `const clusterFormats = "truestep cluster `
	file, err := overlay.Write(root, folder, []overlay.Edit{{File: "server/cluster.go", Old: formats, New: formats + "of e2e "}})
	if err != nil {
		return p, err
	}
	p = programs{newer: filepath.Join(folder, "truestep-newer"), foreign: filepath.Join(folder, "truestep-foreign")}
	for _, args := range [][]string{{"-o", p.newer}, {"-o", p.foreign, "-overlay", file}} {
		if err := build(ctx, append([]string{"-ldflags", "-X main.version=" + newVersion}, args...)...); err != nil {
			return p, err
		}
	}
	return p, nil
}

// moduleRoot returns the folder of the source code of this test.
func moduleRoot(ctx context.Context) (string, error) {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("find the source code of the test: %w", err)
	}
	return strings.TrimSpace(string(root)), nil
}

// build builds the program under test with further arguments of go build.
func build(ctx context.Context, args ...string) error {
	args = slices.Concat([]string{"build", "-trimpath"}, args, []string{programPath})
	if out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// upgrade replaces the program of each node in turn by another version. Then it tries to run a node with a program whose formats
// differ.
func (t *test) upgrade(name string) error {
	before, err := t.versions()
	if err != nil {
		return err
	}
	bin := t.programs.newer
	if t.cluster.nodes[0].Bin == bin { // an earlier round has upgraded the nodes: go back to the older program
		bin = t.server
	}
	for i, n := range t.cluster.nodes {
		f := drainNode(i)
		f.kind, f.after = upgradeKind, "upgraded node comes back"
		f.mend = func(t *test) error {
			n.Bin = bin
			return t.startNode(n)
		}
		if err := t.inject(name+", node "+n.name, f); err != nil {
			return err
		}
	}
	after, err := t.versions()
	if err == nil && (len(after) != 1 || slices.Equal(before, after)) {
		err = fmt.Errorf("the nodes show the versions %q after the upgrade and showed %q before; want one version after it, other than before", after, before)
	}
	t.Check(name+": every node shows the new version of all nodes", err)
	last := t.cluster.nodes[nodeCount-1]
	f := drainNode(last.number)
	f.kind = "SIGTERM of a node that returns with other formats"
	f.mend = func(t *test) error { return t.refuseForeign(name, last) }
	return t.inject(name+", other formats", f)
}

// refuseForeign starts a node with a program of other formats, first on its data folder and then on an empty one. It checks that the
// node is refused and that clients of the other nodes get their frames in time. At the end it starts the node as it was.
func (t *test) refuseForeign(name string, n *node) error {
	bin, folder := n.Bin, n.DataDir
	n.Bin = t.programs.foreign
	err := t.watchGaps(name+", node of other formats", &fault{kind: "node of other formats", maxGap: goalGap}, func() error {
		var refused error
		if err := n.start(t.ctx); err == nil {
			refused = errors.Join(errors.New("the node has started although its logs have other formats"), n.stop())
		} else if !strings.Contains(n.Tail(1), "the log is of another world or other rules") {
			refused = fmt.Errorf("the last line of the node does not say that its logs are of other rules: %w", err)
		}
		t.Check(name+": a program of other formats refuses the logs with one line", refused)
		n.DataDir = folder + "-foreign"
		before := t.refusals(" has the formats")
		if err := n.start(t.ctx); err != nil {
			return err
		}
		wait(t.ctx, refusedTime)
		t.Check(name+": nodes of other formats refuse each other with one line", t.compareRefusals(n, " has the formats", before)...)
		return n.stop()
	})
	n.Bin, n.DataDir = bin, folder
	return errors.Join(err, t.startNode(n))
}

// watchGaps calls act, and checks that meanwhile no client of a living node is disconnected or corrected, and no web client waits longer
// for a frame than f allows. Only the kind, the limit and the areas of f are used.
func (t *test) watchGaps(name string, f *fault, act func() error) error {
	others := slices.DeleteFunc(slices.Clone(t.players), func(p player) bool { return !p.base().node.alive.Load() })
	t.watcher.begin()
	wait(t.ctx, usualTime)
	usual := t.usual(others)
	t.watcher.begin()
	t.forgetPauses()
	corrections := t.corrections(others)
	if err := act(); err != nil {
		return err
	}
	t.checkGaps(name, f, others, usual, f.hands)
	t.Check(name+": clients of living nodes are in the world", t.lost(others)...)
	t.checkCorrections(name, corrections, others)
	return nil
}

// clusterView holds the fields of the response to GET /cluster that the test uses.
type clusterView struct {
	Nodes []struct {
		Name, Version string
		Leads         int
	}
	Areas []struct {
		Name, PlacedBy string
		Lead           *string // name of the node; nil if no leader is known
	}
}

// versions asks each node for the program versions of all nodes, and returns the different ones, sorted.
func (t *test) versions() (list []string, err error) {
	for _, n := range t.cluster.nodes {
		var v clusterView
		if err := n.Get(t.ctx, "cluster", &v); err != nil {
			return nil, err
		}
		for _, shown := range v.Nodes {
			list = append(list, shown.Version)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// mustLead reports whether a node, by its number from 0, must lead an area: one that falls to the node by the default order, and that
// neither the load nor an operator has placed elsewhere. It is also true if the view lacks some areas of the world.
func (v *clusterView) mustLead(number, areas int) bool {
	for i, a := range v.Areas {
		if a.PlacedBy == "default" && i%nodeCount == number {
			return true
		}
	}
	return len(v.Areas) != areas
}

// awaitLead waits until a node that has come back leads an area. It also returns if all areas that the node leads by default were
// placed elsewhere, by their load or by an operator.
func (t *test) awaitLead(n *node) error {
	for end := time.Now().Add(t.patient(leadLimit)); ; wait(t.ctx, polls) {
		var v clusterView
		err := n.Get(t.ctx, "cluster", &v)
		if err == nil && v.Nodes[n.number].Leads > 0 {
			return nil
		}
		if err == nil && !v.mustLead(n.number, t.areas) {
			return nil
		}
		if time.Now().After(end) || t.ctx.Err() != nil {
			return errors.Join(err, fmt.Errorf("node %s leads no area %v after it has come back", n.name, leadLimit))
		}
	}
}
