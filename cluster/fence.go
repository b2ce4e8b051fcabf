package cluster

import "github.com/truestep-io/truestep/sim"

// Incarnation returns the number of this node's current incarnation.
func (h *Host) Incarnation() uint64 { return h.incarnation.Load() }

// Serving returns the number of this node's current incarnation, 0 while the sessions of the last one are being ended.
func (h *Host) Serving() uint64 {
	if h.fencing.Load() {
		return 0
	}
	return h.incarnation.Load()
}

// IsGone reports whether an incarnation of a node, by its name, is marked as gone in all areas, so that its sessions have ended. It does not block.
func (h *Host) IsGone(node string, incarnation uint64) bool {
	id := h.nodeNumber(node)
	if id == 0 {
		return true // the list of nodes has changed
	}
	for _, g := range h.groups {
		if g.gone[id].Load() < incarnation {
			return false
		}
	}
	return true
}

// fence ends the sessions of this node if it is marked as gone, and continues with the next incarnation.
func (h *Host) fence(gone uint64) {
	if gone == 0 || gone < h.incarnation.Load() || h.leaving.Load() || !h.fencing.CompareAndSwap(false, true) {
		return
	}
	if gone < h.incarnation.Load() { // another area has read its mark meanwhile
		h.fencing.Store(false)
		return
	}
	h.log.Error("the other nodes did not hear from this one and have taken over its players, whose sessions here end")
	h.metrics.Fenced.Add(1)
	go func() {
		next := uint64(0)
		if h.opt.Fenced != nil {
			next = h.opt.Fenced()
		}
		h.emptyInboxes()
		h.incarnation.Store(max(next, gone+1))
		h.fencing.Store(false)
	}()
}

// emptyInboxes drops what the sessions of the last incarnation have left in the inboxes: it must not go out in the chunks of the next one.
func (h *Host) emptyInboxes() {
	for a := range h.groups {
		for len(h.World.Drain(sim.AreaID(a), nil, true)) > 0 { // a round takes only as many of a player as a tick executes
			continue
		}
	}
}
