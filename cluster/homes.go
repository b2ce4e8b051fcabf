package cluster

import "github.com/truestep-io/truestep/sim"

// homes holds the players whose clients are connected through another incarnation (run of a node) than the one that created the
// player. A player gets an entry when its node is declared dead and its account logs in through another node and takes over the
// lingering player. homes is part of the replicated state of an area. When a player moves to another area, its entry moves along.
// An entry of a player that is not in the area has no meaning.
type homes map[sim.EntityID]mark

// home is an entry of homes: a player, and the node through which it is connected.
type home struct {
	who  sim.EntityID // the player
	mark mark         // node and incarnation of the connection; seq is 0
}

// livesIn reports whether a player is connected through the incarnation (the run of a node) that m names, or through an
// older one of that node. A player without an entry in homes is connected through the node that created it.
func (g *group) livesIn(m mark, who sim.EntityID) bool {
	if at, ok := g.homes[who]; ok {
		return at.node == m.node && at.incarnation <= m.incarnation
	}
	return uint64(who.Node()) == m.node
}

// hasLostNode reports whether the incarnation through which a player is connected is declared dead.
func (g *group) hasLostNode(who sim.EntityID) bool {
	if at, ok := g.homes[who]; ok {
		return at.node < uint64(len(g.origins)) && at.incarnation <= g.origins[at.node].gone
	}
	return g.origins.isOrphan(who)
}

// addResumed records in the batch which players have reconnected through another node: the players of the resume intents in
// chunk c. From now on they count as connected through the node that sent the chunk.
func (t *batch) addResumed(c *chunk) {
	for i := range c.intents {
		if in := &c.intents[i]; in.Kind == sim.IntentResume {
			t.homes = append(t.homes, home{in.Who, mark{node: c.node, incarnation: c.incarnation}})
		}
	}
}

// prune removes the entries of players that are neither in area a nor on their way from it to another area.
func (h homes) prune(a *sim.Area) {
	if len(h) == 0 {
		return
	}
	here := map[sim.EntityID]bool{}
	a.Players(func(who sim.EntityID, _ sim.CharacterID) { here[who] = true })
	a.Outbox(func(_ sim.AreaID, who sim.EntityID, _ *sim.Join) { here[who] = true })
	for who := range h {
		if !here[who] {
			delete(h, who)
		}
	}
}
