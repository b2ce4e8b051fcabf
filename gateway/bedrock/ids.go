package bedrock

import "github.com/truestep-io/truestep/sim"

// ids are the numbers by which the clients of one worker know actors. An actor has one for as long as somebody holds it,
// and none is ever given out twice, so that a late packet hits nobody else. Bedrock has two numbers for an actor, of which
// most servers make one; so do we.
type ids struct {
	byEntity map[sim.EntityID]*held
	last     uint64
}

type held struct {
	id      uint64
	holders int
}

func newIDs() ids { return ids{byEntity: map[sim.EntityID]*held{}} }

// hold returns the actor's number, > 0. Each hold needs a drop.
func (n *ids) hold(e sim.EntityID) uint64 {
	h := n.byEntity[e]
	if h == nil {
		n.last++
		h = &held{id: n.last}
		n.byEntity[e] = h
	}
	h.holders++
	return h.id
}

// fresh returns a number for something that is no actor of the world. Nobody holds it.
func (n *ids) fresh() uint64 {
	n.last++
	return n.last
}

func (n *ids) drop(e sim.EntityID) {
	h := n.byEntity[e]
	if h.holders--; h.holders == 0 {
		delete(n.byEntity, e)
	}
}
