package bedrock

import "github.com/truestep-io/truestep/sim"

// ids are the numbers by which the clients of one worker know actors. An actor has one for as long as somebody holds it,
// and none is ever given out twice, so that a late packet hits nobody else. Bedrock has two numbers for an actor, of which
// most servers make one; so do we.
type idTable struct {
	byEntity map[sim.EntityID]*idRef
	last     uint64
}

type idRef struct {
	id   uint64
	refs int
}

func newIDs() idTable { return idTable{byEntity: map[sim.EntityID]*idRef{}} }

// hold returns the actor's number, > 0. Each hold needs a drop.
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

// fresh returns a number for something that is no actor of the world. Nobody holds it.
func (tab *idTable) newUnowned() uint64 {
	tab.last++
	return tab.last
}

func (tab *idTable) release(e sim.EntityID) {
	h := tab.byEntity[e]
	if h.refs--; h.refs == 0 {
		delete(tab.byEntity, e)
	}
}
