package cluster

import (
	"errors"

	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/sim"
)

// ErrDatabaseOlder is the error of New if Options.Incarnation is not greater than all numbers that this node has used by its logs. The
// database, which gives the numbers, is then older than the areas, so records in it are older as well: a backup was brought back. If the
// node started, its new players would get the ids of others, and count as players of an earlier run.
var ErrDatabaseOlder = errors.New("the database is older than the areas in the logs of this node")

// newestSerial returns the greatest number that this node has used for an incarnation or a player, as far as the state from which the copy
// of the area continues and the entries after it show. It returns 0 if they show none.
func (g *group) newestSerial(entries []replica.Entry) uint64 {
	self := g.host.opt.Self
	newest := max(g.origins[self].incarnation, g.origins[self].gone)
	note := func(who sim.EntityID) {
		if uint64(who.Node()) == self {
			newest = max(newest, who.Serial())
		}
	}
	g.state.Players(func(who sim.EntityID, _ sim.CharacterID) { note(who) })
	g.state.Outbox(func(_ sim.AreaID, who sim.EntityID, _ *sim.Join) { note(who) })
	for _, e := range entries {
		t, err := parseBatch(e.Data, g.intents[:0])
		if err != nil {
			continue // the first entry of a leader, which is empty, or an error that will be reported when the entry is stepped
		}
		for _, m := range append(t.gone, t.chunks...) {
			if m.node == self {
				newest = max(newest, m.incarnation)
			}
		}
		for i := range t.intents {
			if t.intents[i].Kind == sim.IntentJoin {
				note(t.intents[i].Who)
			}
		}
		g.intents = t.intents
		clear(g.intents)
	}
	return newest
}
