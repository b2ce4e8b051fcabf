package sim

import "github.com/truestep-io/truestep/sim/reason"

// Limits of the path searches of players in one tick. Searches beyond the limits run in a later tick.
const (
	searchesPerTick = 64      // maximum searches of one tick
	tilesPerTick    = 100_000 // maximum tiles that all searches of one tick visit: enough for six searches of the worst case, about 3 ms (measured)
)

// runPathSearches runs the due path searches of players until the limits of a tick are reached. It serves the players in order of
// id, and begins with the player at which the last tick reached a limit, so that every player has its turn.
func (a *Area) runPathSearches() {
	a.nextSearcher = a.searchInTurn(a.duePaths, a.nextSearcher, searchesPerTick, tilesPerTick, a.searchPath)
	clear(a.duePaths)
	a.duePaths = a.duePaths[:0]
}

// searchPath searches the path to the goal that a player under the path authority has requested, and makes the player follow it.
func (a *Area) searchPath(x *actor) {
	p := x.authority.(*pathAuthority)
	p.searchDue, p.searchedTick = false, a.now
	v := a.world.Rules.Path.StartPath(&p.PathState, a.pathfinder, a.def.Ground, p.goal, p.ctrl)
	if v.Held == reason.None && p.pursued != 0 && !v.ReachesGoal && v.Steps == 0 && !p.betweenTiles() {
		v.Held = reason.NoPath // without the refusal the player would stand still and search in every cycle
	}
	if v.Held == reason.None {
		return
	}
	a.emit(Event{Kind: EventRefused, Who: x.id, Other: p.pursued, Reason: v.Held, Pos: x.pos, From: a.def.Tiles.Centre(p.goal.Tile)})
	if p.pursued != 0 {
		p.endPursuit(x)
	}
}
