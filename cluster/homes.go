package cluster

import "github.com/truestep-io/truestep/sim"

// homes has the incarnation through which a player has its connection, if that is another one than the one that made the player: after its
// node was gone, its account has taken over the body through another incarnation. It is part of the state of every copy of the area, and goes along
// with the player to other areas. An entry of a player that is not in the area has no meaning.
type homes map[sim.EntityID]mark

// home is an entry of homes.
type home struct {
	who  sim.EntityID
	mark mark // seq is 0
}

// livesIn reports whether a player has its connection through an incarnation that is marked as gone by m.
func (g *group) livesIn(m mark, who sim.EntityID) bool {
	if at, ok := g.homes[who]; ok {
		return at.node == m.node && at.incarnation <= m.incarnation
	}
	return uint64(who.Node()) == m.node
}

// addResumed notes in a batch the players that a chunk gives to the incarnation of its node.
func (t *batch) addResumed(c *chunk) {
	for i := range c.intents {
		if in := &c.intents[i]; in.Kind == sim.IntentResume {
			t.homes = append(t.homes, home{in.Who, mark{node: c.node, incarnation: c.incarnation}})
		}
	}
}

// prune removes the entries of players that are not in the area and not on their way from it.
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
