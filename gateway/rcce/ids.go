package rcce

import (
	"sync"

	"github.com/truestep-io/truestep/sim"
)

// Smallest and largest runtime id, the number by which clients identify an actor. In packets, 0 means "no mount" and 65535
// "none". Source: docs/wire/rcce.md, primitives.
const (
	minRuntimeID = 1
	maxRuntimeID = 65534

	// minFreedIDs delays the reuse of ids: a freed id is reused only if there are more than this many freed ids, or if every id
	// has been used. Clients therefore do not apply a late packet about a removed actor to a new one. The value is an estimate
	// of the number of joins in a busy minute.
	minFreedIDs = 4096
)

// runtimeIDs assigns runtime ids to actors, for all workers of the gateway, because an actor keeps its id when it changes areas.
// A worker holds a reference to an actor's id while its clients know the actor. All methods are safe for concurrent use.
type runtimeIDs struct {
	mu       sync.Mutex
	byEntity map[sim.EntityID]*idRef
	next     int      // lowest id that has never been allocated
	freed    []uint16 // freed ids in the order in which they were freed
}

// idRef is the runtime id of an actor, with the number of references that workers hold. At 0 references, the actor loses the id.
type idRef struct {
	id   uint16
	refs int
}

func newRuntimeIDs() *runtimeIDs {
	return &runtimeIDs{byEntity: map[sim.EntityID]*idRef{}, next: minRuntimeID}
}

// acquire adds a reference to an actor's runtime id and returns the id. If the actor has no id, acquire assigns one. It returns 0
// if all ids are in use.
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

// allocate returns an id that is not in use: one that was never used, or the one that was freed first. It returns false if all
// ids are in use.
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

// release removes one reference to an actor's runtime id. If it was the last one, the id may be assigned to another actor.
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
