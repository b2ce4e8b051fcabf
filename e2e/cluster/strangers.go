//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// refuseStrangers starts two processes that do not belong to the cluster, and checks that each is refused with one line: a second one of
// node a, and one of node n, which has stopped, with another world. At the end it starts node n as it was.
func (t *test) refuseStrangers(n *node) error {
	first := t.cluster.nodes[0]
	second := *newNode(t.cluster, first.number)
	second.DataDir, second.LogFile, second.listen = first.DataDir+"-second", first.LogFile+"-second", "127.0.0.1:0"
	var refused error
	if err := second.start(t.ctx); err == nil {
		second.kill()
		refused = errors.New("a second process of node a has started")
	} else if last := second.Tail(1); !strings.Contains(last, `node "a"`) || !strings.Contains(last, fmt.Sprint("process ", first.PID())) {
		refused = fmt.Errorf("the last line of the second process of node a does not name the first one, process %d: %w", first.PID(), err)
	}
	t.Check("a second process of a node is refused with one line", refused)

	text, err := worldText(t.areas)
	if err != nil {
		return err
	}
	text = bytes.Replace(text, []byte("delay = 5"), []byte("delay = 6"), 1)
	folder := n.DataDir
	n.DataDir, n.world = folder+"-stranger", filepath.Join(t.cluster.folder, "other-world.toml")
	if err := errors.Join(os.RemoveAll(n.DataDir), os.WriteFile(n.world, text, 0o600)); err != nil {
		return err
	}
	const line = " has the world of digest"
	before := t.refusals(line)
	err = n.start(t.ctx)
	if err == nil {
		n.alive.Store(false)
		wait(t.ctx, refusedTime)
		t.Check("nodes of another world refuse each other with one line", t.compareRefusals(n, line, before)...)
		err = n.stop()
	}
	n.DataDir, n.world = folder, ""
	return errors.Join(err, t.startNode(n))
}

// refusals returns how many lines with a text the log of each node has.
func (t *test) refusals(text string) (list []int) {
	for _, n := range t.cluster.nodes {
		list = append(list, strings.Count(n.Tail(1<<20), text))
	}
	return list
}

// compareRefusals returns an error for each node whose log has not one line more with a text for each connection with the node that was
// refused, which is a new process.
func (t *test) compareRefusals(refused *node, text string, before []int) (errs []error) {
	for i, n := range t.cluster.nodes {
		is, want := strings.Count(n.Tail(1<<20), "node "+refused.name+text)-before[i], 1
		if n == refused {
			is, want = strings.Count(n.Tail(1<<20), text), nodeCount-1
		}
		if is != want {
			errs = append(errs, fmt.Errorf("node %s has logged %d lines with %q, want one for each connection, %d", n.name, is, text, want))
		}
	}
	return errs
}
