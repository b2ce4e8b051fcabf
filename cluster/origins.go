package cluster

import "github.com/truestep-io/truestep/sim"

// origin is the progress of one node in the log of an area: which of the node's chunks of intents are applied, and
// which of its incarnations (runs) are declared dead. It is part of the replicated state of the area.
type origin struct {
	incarnation uint64 // incarnation that sent the last applied chunk; 0 if there was none
	seq         uint64 // number of that chunk
	gone        uint64 // this incarnation and older ones are marked as gone; 0 for none
}

// origins holds the origin of each node, indexed by the number of the node. Index 0 is not used.
type origins []origin

// takes reports whether m is the next chunk of intents of its node: the one after the last applied chunk, or the first
// one after the node was declared dead and returned as a new incarnation.
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

// replaces reports whether chunk m is of a newer incarnation (run) of its node than the current one. The current one
// must then be declared dead first.
func (o origins) replaces(m mark) bool {
	return m.node > 0 && m.node < uint64(len(o)) && m.incarnation > o[m.node].incarnation && o[m.node].incarnation > o[m.node].gone
}

// apply updates the origins with a batch: the chunks of intents that it contains, and the nodes that it declares dead.
// Unknown numbers of nodes are ignored.
func (o origins) apply(t *batch) {
	for _, m := range t.gone {
		if m.node < uint64(len(o)) {
			o[m.node].gone = max(o[m.node].gone, m.incarnation)
		}
	}
	for _, m := range t.chunks {
		if m.node < uint64(len(o)) {
			if m.incarnation > o[m.node].incarnation { // incarnations in between cannot send chunks any more
				o[m.node].gone = max(o[m.node].gone, m.incarnation-1)
			}
			o[m.node].incarnation, o[m.node].seq = m.incarnation, m.seq
		}
	}
}

// isOrphan reports whether the node that created a player cannot have a session of the player any more, because the run
// (incarnation) in which it created the player is over. The serial number of a player is greater than the number of
// that incarnation, and each incarnation is greater than all serial numbers before it.
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
