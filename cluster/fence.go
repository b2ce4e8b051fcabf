package cluster

import "github.com/truestep-io/truestep/sim"

// Incarnation returns the number of this node's current incarnation. A greater incarnation begins when the node starts, and when
// it returns after the other nodes declared it dead.
func (h *Host) Incarnation() uint64 { return h.incarnation.Load() }

// Serving returns the number of this node's current incarnation (its run). It returns 0 in two cases, in which the node lets no account
// log in: (1) the sessions of the previous incarnation are being ended; (2) the log of some area does not contain the incarnation yet. If
// the node died then, that area could not declare it dead (IsGone), and the accounts would stay with it.
func (h *Host) Serving() uint64 {
	now := h.incarnation.Load()
	for _, g := range h.groups {
		if g.present.Load() < now {
			return 0
		}
	}
	if h.fencing.Load() {
		return 0
	}
	return now
}

// IsGone reports whether all areas have declared an incarnation (a run) of the named node dead, so that its players are
// disconnected everywhere. It does not block.
func (h *Host) IsGone(node string, incarnation uint64) bool {
	id := h.nodeNumber(node)
	if id == 0 {
		return true // no node has this name: the list of nodes has changed
	}
	for _, g := range h.groups {
		if g.gone[id].Load() < incarnation {
			return false
		}
	}
	return true
}

// fence ends the sessions of this node if the log of an area has declared the current incarnation (the run) of this node dead. Then
// the node continues as a new incarnation. The parameter gone is the newest incarnation of this node that the log declares dead.
func (h *Host) fence(gone uint64) {
	if gone == 0 || gone < h.incarnation.Load() || h.leaving.Load() || !h.fencing.CompareAndSwap(false, true) {
		return
	}
	if gone < h.incarnation.Load() { // meanwhile another area's group has fenced this node and the next incarnation began
		h.fencing.Store(false)
		return
	}
	h.log.Warn("the other nodes declared this node dead, so it ends its sessions, if it has any, and goes on as a new run")
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

// emptyInboxes drops the intents that the sessions of the previous incarnation left in the inboxes, because chunks of
// the next incarnation must not contain them.
func (h *Host) emptyInboxes() {
	for a := range h.groups {
		for len(h.World.Drain(sim.AreaID(a), nil, true)) > 0 { // each call of Drain returns at most one tick's intents of a player
			continue
		}
	}
}
