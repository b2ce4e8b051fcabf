package bedrock

import "github.com/truestep-io/truestep/sim"

// idTable assigns runtime ids to actors for the clients of one worker. An actor keeps its id as long as it is in a scene of the
// worker or is the player of one of these clients. An id is never reused, so that a late packet cannot affect another actor.
// Bedrock has two ids per actor, unique and runtime; this door uses one number for both, as most servers do.
type idTable struct {
	byEntity map[sim.EntityID]*idRef
	last     uint64 // id that was assigned last; ids start at 1
}

// idRef is the runtime id that a worker has assigned to an actor, and the number of references to it: one from the scene
// that contains the actor, and one from the connection if the actor is its player.
type idRef struct {
	id   uint64
	refs int
}

func newIDs() idTable { return idTable{byEntity: map[sim.EntityID]*idRef{}} }

// acquire returns the actor's positive id and adds a reference. The caller must call release once for each acquire.
func (tab *idTable) acquire(e sim.EntityID) uint64 {
	h := tab.byEntity[e]
	if h == nil {
		tab.last++
		h = &idRef{id: tab.last}
		tab.byEntity[e] = h
	}
	h.refs++
	return h.id
}

// newUnowned returns a runtime id for an entity that is no actor of the world, such as a projectile. The id has no references
// and need not be released.
func (tab *idTable) newUnowned() uint64 {
	tab.last++
	return tab.last
}

// release removes one reference to an actor's runtime id. When no reference is left, the id is no longer assigned to the
// actor.
func (tab *idTable) release(e sim.EntityID) {
	h := tab.byEntity[e]
	if h.refs--; h.refs == 0 {
		delete(tab.byEntity, e)
	}
}
