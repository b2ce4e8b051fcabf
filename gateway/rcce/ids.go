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
	minFreedIDs = 4096
)

// runtimeIDs maps actors to runtime ids, one table for the whole door, since an id must stay the same for whoever
// carries it through areas. Each worker that shows an actor holds it once. Safe for concurrent use.
type runtimeIDs struct {
	mu       sync.Mutex
	byEntity map[sim.EntityID]*idRef
	next     int      // ids below it have been given out at least once
	freed    []uint16 // oldest first
}

type idRef struct {
	id   uint16
	refs int
}

func newRuntimeIDs() *runtimeIDs {
	return &runtimeIDs{byEntity: map[sim.EntityID]*idRef{}, next: minRuntimeID}
}

// hold returns the runtime id of an actor, a new one if nobody holds it yet. 0 when all ids are in use.
func (r *runtimeIDs) acquire(e sim.EntityID) uint16 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if h := r.byEntity[e]; h != nil {
		h.refs++
		return h.id
	}
	id, ok := r.allocate()
	if !ok {
		return 0
	}
	r.byEntity[e] = &idRef{id: id, refs: 1}
	return id
}

// take picks an id that was never used while there are some, then the one that is free the longest.
func (r *runtimeIDs) allocate() (uint16, bool) {
	if r.next <= maxRuntimeID && len(r.freed) <= minFreedIDs {
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
func (r *runtimeIDs) release(e sim.EntityID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.byEntity[e]
	if h == nil {
		return
	}
	if h.refs--; h.refs == 0 {
		delete(r.byEntity, e)
		r.freed = append(r.freed, h.id)
	}
}
