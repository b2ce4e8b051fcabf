package sim

import "github.com/truestep-io/truestep/sim/move"

// searchInTurn calls the function search for the actors in list, which is sorted by id. It begins at the first actor whose id
// is at least firstID, and wraps around at the end of the list. It stops after maxSearches calls, or when the searches have
// visited maxTiles tiles. It returns the id of the actor with which the next tick must continue, or 0 if search was called for
// all actors.
func (a *Area) searchInTurn(list []*actor, firstID EntityID, maxSearches, maxTiles int, search func(*actor)) EntityID {
	n := len(list)
	if n == 0 {
		return 0
	}
	if a.pathfinder == nil {
		a.pathfinder = new(move.Searcher)
	}
	first, done := 0, 0
	for first < n && list[first].id < firstID {
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
