package rcce

import (
	"sync"

	"github.com/truestep-io/truestep/sim"
)

// Runtime ids are what RealmCrafter clients call actors. 0 means "no mount" and 65535 "none" on the wire.
// Source: docs/wire/rcce.md, primitives.
const (
	minRuntimeID = 1
	maxRuntimeID = 65534

	// quarantine is how many freed ids wait before the oldest is used again: a client that still has packets under
	// way about a dead actor must not take them for a newborn. guess: the joins of a busy minute.
	quarantine = 4096
)

// runtimeIDs maps actors to runtime ids, one table for the whole door, since an id must stay the same for whoever
// carries it through areas. Each worker that shows an actor holds it once. Safe for concurrent use.
type runtimeIDs struct {
	mu    sync.Mutex
	byID  map[sim.EntityID]*heldID
	next  int      // ids below it have been given out at least once
	freed []uint16 // oldest first
}

type heldID struct {
	id    uint16
	holds int
}

func newRuntimeIDs() *runtimeIDs {
	return &runtimeIDs{byID: map[sim.EntityID]*heldID{}, next: minRuntimeID}
}

// hold returns the runtime id of an actor, a new one if nobody holds it yet. 0 when all ids are in use.
func (r *runtimeIDs) hold(e sim.EntityID) uint16 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if h := r.byID[e]; h != nil {
		h.holds++
		return h.id
	}
	id, ok := r.take()
	if !ok {
		return 0
	}
	r.byID[e] = &heldID{id: id, holds: 1}
	return id
}

// take picks an id that was never used while there are some, then the one that is free the longest.
func (r *runtimeIDs) take() (uint16, bool) {
	if r.next <= maxRuntimeID && len(r.freed) <= quarantine {
		r.next++
		return uint16(r.next - 1), true
	}
	if len(r.freed) > 0 {
		id := r.freed[0]
		r.freed = r.freed[1:]
		return id, true
	}
	if r.next <= maxRuntimeID {
		r.next++
		return uint16(r.next - 1), true
	}
	return 0, false
}

// drop gives one hold back; the last one frees the id.
func (r *runtimeIDs) drop(e sim.EntityID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.byID[e]
	if h == nil {
		return
	}
	if h.holds--; h.holds == 0 {
		delete(r.byID, e)
		r.freed = append(r.freed, h.id)
	}
}
