package cluster

import "github.com/truestep-io/truestep/sim"

// origin is the progress of one node in the log of an area: which of the node's chunks of intents are applied, and
// which of its incarnations (runs) are declared dead. It is part of the replicated state of the area.
type origin struct {
	incarnation uint64 // incarnation that sent the last applied chunk; 0 if there was none
	seq         uint64 // number of the last applied chunk
	gone        uint64 // this incarnation and older ones are marked as gone; 0 for none
}

// origins holds the progress of every node in the log of an area, by node number. Index 0 is not used.
type origins []origin

// takes reports whether m is the chunk of intents that its node must send next: (1) the one after the last applied chunk, or
// (2) the first one of a new incarnation, if the previous incarnation was declared dead.
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

// replaces reports whether an older incarnation (run) of a node must be declared dead before chunk m of the node can be applied:
// m is of a newer incarnation than the last applied chunk, and the older one is not declared dead yet.
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
			if m.incarnation > o[m.node].incarnation { // older incarnations cannot send chunks any more
				o[m.node].gone = max(o[m.node].gone, m.incarnation-1)
			}
			o[m.node].incarnation, o[m.node].seq = m.incarnation, m.seq
		}
	}
}

// isOrphan reports whether the incarnation (run of a node) that created a player is over. The node then has no session of that
// player any more. A node numbers its incarnations and the players that it creates with one counter. So the serial number of a
// player lies between the numbers of its own incarnation and of the next: if it is below the number of the node's current
// incarnation, an earlier incarnation created the player.
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
