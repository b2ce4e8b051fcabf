//go:build linux

package main

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"

	"github.com/truestep-io/truestep/e2e/truth"
)

const shownLimit = 5 * time.Second // maximum time until all nodes show a changed leader

// moveArea moves an area with players to another leader by the command of an operator. Then it releases the area, so that the loads
// of the nodes decide again which node leads it. Each call moves the next area of the world.
func (t *test) moveArea(name string) error {
	area := &t.crowd.world.Areas[t.moves%t.areas]
	t.moves++
	before, err := t.leadOf(area)
	if err != nil {
		return err
	}
	to, asked := t.cluster.nodes[(before.number+1)%nodeCount], t.cluster.nodes[(before.number+2)%nodeCount]
	return t.inject(name, &fault{
		kind: moveKind, maxGap: handOver, after: releaseKind, afterGap: handOver, hands: []*truth.Area{area},
		strike: func(t *test) error {
			there := 0
			for _, p := range t.players {
				if p.shown().area == area {
					there++
				}
			}
			if there == 0 {
				return fmt.Errorf("no player is in the area %s", area.Name)
			}
			fmt.Printf("%s: %s, with %d players, is moved from node %s to node %s\n", name, area.Name, there, before.name, to.name)
			return errors.Join(asked.clusterCommand("move", area.Name, to.name), t.awaitShown(area, fmt.Sprintf("that the operator has placed %s at node %s", area.Name, to.name), func(lead *node, placedBy string) bool {
				return lead == to && placedBy == "operator"
			}))
		},
		mend: func(t *test) error {
			return errors.Join(to.clusterCommand("release", area.Name), t.awaitShown(area, area.Name+" as released", func(lead *node, placedBy string) bool {
				return lead != nil && placedBy != "operator"
			}))
		},
	})
}

// clusterCommand runs `truestep cluster` with the arguments as an operator on the machine of the node.
func (n *node) clusterCommand(args ...string) error {
	out, err := exec.Command(n.Bin, slices.Concat([]string{"cluster"}, args, []string{"--data-dir", n.DataDir})...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("truestep cluster %v at node %s: %w\n%s", args, n.name, err, out)
	}
	return nil
}

// leadOf returns the node that leads an area, as the first node shows it.
func (t *test) leadOf(area *truth.Area) (*node, error) {
	var v clusterView
	if err := t.cluster.nodes[0].Get(t.ctx, "cluster", &v); err != nil {
		return nil, err
	}
	if n := t.leads(&v)[area.Name]; n != nil {
		return n, nil
	}
	return nil, fmt.Errorf("node a shows no node that leads %s", area.Name)
}

// leads returns the nodes that lead the areas of a view, by name of the area.
func (t *test) leads(v *clusterView) map[string]*node {
	by := map[string]*node{}
	for _, a := range v.Areas {
		for _, n := range t.cluster.nodes {
			if a.Lead != nil && *a.Lead == n.name {
				by[a.Name] = n
			}
		}
	}
	return by
}

// awaitShown waits until every node shows the state that the function is accepts: lead is the node that leads the area, nil if none
// does, and placedBy says what has made it the leader.
func (t *test) awaitShown(area *truth.Area, wanted string, is func(lead *node, placedBy string) bool) (err error) {
	for end := time.Now().Add(shownLimit); ; wait(t.ctx, polls) {
		err = nil
		for _, n := range t.cluster.nodes {
			var v clusterView
			if err := n.Get(t.ctx, "cluster", &v); err != nil {
				return err
			}
			for _, a := range v.Areas {
				if a.Name == area.Name && !is(t.leads(&v)[a.Name], a.PlacedBy) {
					err = fmt.Errorf("node %s does not show %s within %v", n.name, wanted, shownLimit)
				}
			}
		}
		if err == nil || time.Now().After(end) || t.ctx.Err() != nil {
			return err
		}
	}
}
