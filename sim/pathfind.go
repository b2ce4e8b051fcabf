package sim

import "github.com/truestep-io/truestep/sim/move"

// searchInTurn runs search for the actors of a list, which is sorted by id, round-robin from the actor with id from,
// until maxSearches have run or maxTiles tiles were visited. It returns the id from which the next tick continues: 0 if
// all searches have run.
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
