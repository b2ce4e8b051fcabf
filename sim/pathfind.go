package sim

import (
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// Limits of the path searches of players in one tick. Searches beyond them wait for the next tick.
const (
	searchesPerTick = 64
	tilesPerTick    = 100_000 // tiles that searches look at, about 3 ms; six of the worst searches   measured
)

// searchPaths finds the paths that are due, in order of id from where the last tick ran out of time.
func (a *Area) searchPaths() {
	a.nextSearcher = a.searchInTurn(a.searchers, a.nextSearcher, searchesPerTick, tilesPerTick, a.searchPath)
	clear(a.searchers)
	a.searchers = a.searchers[:0]
}

// searchInTurn runs search for the actors of a list, which is sorted by id, round-robin from the actor with id from, until
// maxSearches have run or maxTiles tiles were looked at. It returns the id to continue from: 0 if all had their turn.
func (a *Area) searchInTurn(list []*actor, from EntityID, maxSearches, maxTiles int, search func(*actor)) EntityID {
	n := len(list)
	if n == 0 {
		return 0
	}
	if a.pathfinder == nil {
		a.pathfinder = new(move.Searcher)
	}
	first, done := 0, 0
	for first < n && list[first].id < from {
		first++
	}
	a.pathfinder.TilesVisited = 0
	for ; done < min(n, maxSearches) && a.pathfinder.TilesVisited < maxTiles; done++ {
		search(list[(first+done)%n])
	}
	if done == n {
		return 0
	}
	return list[(first+done)%n].id
}

// searchPath finds the path to the goal of one player under the path authority.
func (a *Area) searchPath(x *actor) {
	p := x.authority.(*pathAuthority)
	p.searchDue, p.searchedTick = false, a.now
	v := a.world.Rules.Path.StartPath(&p.PathState, a.pathfinder, a.def.Ground, p.goal, p.ctrl)
	if v.Held == reason.None && p.pursued != 0 && !v.ReachesGoal && v.Steps == 0 && !p.betweenTiles() {
		v.Held = reason.NoPath // it would stand there and search for ever
	}
	if v.Held == reason.None {
		return
	}
	a.emit(Event{Kind: EventRefused, Who: x.id, Other: p.pursued, Reason: v.Held, Pos: x.pos, From: a.def.Tiles.Centre(p.goal.Tile)})
	if p.pursued != 0 {
		p.endPursuit(x)
	}
}
