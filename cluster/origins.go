package cluster

import "github.com/truestep-io/truestep/sim"

// origin is what the log of an area knows of a node. It is part of the state of every copy.
type origin struct {
	incarnation uint64 // of the last applied chunk; 0 if there was none
	seq         uint64 // number of that chunk
	gone        uint64 // that incarnation and older ones are gone; 0 for none
}

// origins has the origin of each node, at its number.
type origins []origin

// takes reports whether a chunk is the next one of its node.
func (o origins) takes(m mark) bool {
	if m.node == 0 || m.node >= uint64(len(o)) || m.incarnation <= o[m.node].gone {
		return false
	}
	have := o[m.node]
	if m.incarnation > have.incarnation {
		return have.incarnation <= have.gone && m.seq == 1
	}
	return m.incarnation == have.incarnation && m.seq == have.seq+1
}

// replaces reports whether a mark is of a newer incarnation than the one that counts, which must be marked as gone first.
func (o origins) replaces(m mark) bool {
	return m.node > 0 && m.node < uint64(len(o)) && m.incarnation > o[m.node].incarnation && o[m.node].incarnation > o[m.node].gone
}

// apply updates the origins by a batch. Numbers of nodes that the cluster does not have are ignored.
func (o origins) apply(t *batch) {
	for _, m := range t.gone {
		if m.node < uint64(len(o)) {
			o[m.node].gone = max(o[m.node].gone, m.incarnation)
		}
	}
	for _, m := range t.chunks {
		if m.node < uint64(len(o)) {
			if m.incarnation > o[m.node].incarnation { // none of the incarnations between can come any more
				o[m.node].gone = max(o[m.node].gone, m.incarnation-1)
			}
			o[m.node].incarnation, o[m.node].seq = m.incarnation, m.seq
		}
	}
}

// isOrphan reports whether the node of a player has no sessions any more that could belong to the player. The players of an incarnation have
// serial numbers that follow it, and the next incarnation is greater than all of them.
func (o origins) isOrphan(who sim.EntityID) bool {
	node := uint64(who.Node())
	if node == 0 || node >= uint64(len(o)) {
		return false
	}
	have := o[node]
	if have.incarnation <= have.gone {
		return have.gone > 0
	}
	return who.Serial() < have.incarnation
}
