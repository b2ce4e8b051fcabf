package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Errors of Move. Most are wrapped in a text that says what to do.
var (
	ErrNoNode   = errors.New("there is no such node in the cluster")
	ErrNodeDown = errors.New("the node cannot lead an area now")
	ErrNotMoved = errors.New("the area has not moved yet")
)

// moveTimeout is how long Move waits for the new leader. Normally that takes less: the old leader learns of the move at once, hands
// over at its next check (balanceEvery), and a node with a complete copy takes over within one or two ticks.
const moveTimeout = 3 * time.Second

// Move makes the named node lead an area, and returns when it does. Any node may be asked: the nodes tell each other which node an
// area prefers as its leader, and the present leader hands the area over to that node. The preference holds until the area is moved
// again or released, the node drains or stops in order, or all nodes stop, because the nodes keep it only in memory. Errors: ErrNoNode,
// ErrNoLead, ErrNodeDown, ErrNotMoved.
func (h *Host) Move(ctx context.Context, a sim.AreaID, node string) error {
	to := h.nodeNumber(node)
	if to == 0 {
		return fmt.Errorf("%w: %q; the nodes of the cluster are %s", ErrNoNode, node, h.nodeNames())
	}
	if a < 0 || int(a) >= len(h.groups) {
		return fmt.Errorf("there is no area %d; the world has %d areas", a, len(h.groups))
	}
	g := h.groups[a]
	if g.leader.Load() == 0 {
		return ErrNoLead
	}
	if err := h.prefer(a, to); err != nil {
		return err
	}
	h.Tell()
	ctx, cancel := context.WithTimeout(ctx, moveTimeout)
	defer cancel()
	for g.leader.Load() != to {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: node %s takes over the area %s once the node has a complete copy of the area and a connection to the present leader", ErrNotMoved, node, g.name)
		case <-time.After(tickEvery):
		}
	}
	return nil
}

// Release undoes an operator's assignment of an area to a node (Move). From then on the loads or the default order decide again which
// node leads the area. An area that does not exist is an error.
func (h *Host) Release(a sim.AreaID) error {
	if a < 0 || int(a) >= len(h.groups) {
		return fmt.Errorf("there is no area %d; the world has %d areas", a, len(h.groups))
	}
	h.mu.Lock()
	h.moved[a] = placement{0, max(h.NowMS(), h.moved[a].atMS+1)} // a release newer than any move that this node knows of
	h.mu.Unlock()
	h.Tell()
	return nil
}

// prefer makes a node the preferred leader of an area. Errors: ErrNodeDown if the node cannot lead now.
func (h *Host) prefer(a sim.AreaID, node uint64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := time.Now(); !h.canLead(node, now) {
		self, name, p, apart := node == h.opt.Self, h.nodeName(node), &h.peers[node], h.lacksLink(node, now)
		switch {
		case !self && !p.up:
			return fmt.Errorf("%w: node %s cannot be reached since %s", ErrNodeDown, name, p.since.UTC().Format(time.RFC3339))
		case self && h.leaving.Load() || p.left:
			return fmt.Errorf("%w: node %s is stopping", ErrNodeDown, name)
		case h.neverLeads(node):
			return fmt.Errorf("%w: node %s leads no areas because of its setting cluster-lead = false", ErrNodeDown, name)
		case self && h.draining.Load() || p.draining:
			return fmt.Errorf("%w: node %s is drained, so it hands over its areas and takes none: run truestep cluster undrain first", ErrNodeDown, name)
		case apart != 0:
			return fmt.Errorf("%w: node %s has no connection to node %s; it can lead areas when that link works again", ErrNodeDown, name, h.nodeName(apart))
		}
		return fmt.Errorf("%w: node %s has been connected for less than %v; try again in a moment", ErrNodeDown, name, settleTime)
	}
	if h.lacksRecords(node, a) {
		return fmt.Errorf("%w: node %s missed some ticks of the area %s, and the records of those ticks are not in the database yet; it can lead the area once they have been stored", ErrNodeDown, h.nodeName(node), h.groups[a].name)
	}
	if h.isBehind(node, a) {
		return fmt.Errorf("%w: node %s has not stepped all ticks of the area %s yet; it can lead the area once it has", ErrNodeDown, h.nodeName(node), h.groups[a].name)
	}
	h.moved[a] = placement{node, max(h.NowMS(), h.moved[a].atMS+1)}
	return nil
}

// forgetMoves makes this node no longer the preferred leader of the areas that operators have moved to it.
func (h *Host) forgetMoves() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for a := range h.moved {
		if m := &h.moved[a]; m.node == h.opt.Self {
			*m = placement{0, max(h.NowMS(), m.atMS+1)}
		}
	}
}

// nodeNames returns the names of all nodes as text, separated by commas.
func (h *Host) nodeNames() string {
	var names []string
	for _, n := range h.opt.Nodes {
		names = append(names, n.Name)
	}
	return strings.Join(names, ", ")
}
