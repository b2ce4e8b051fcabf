package move

import "github.com/truestep-io/truestep/sim/terrain"

// Goal is the condition under which a path is complete: the actor is on a tile, beside a tile, or within range of a tile.
// It is plain data.
type Goal struct {
	Tile       Tile  // tile on which, beside which or near which the path must end
	Reach      uint8 // maximum distance in tiles: 0 means on the tile, 1 beside it, more means within that range with no obstacle in between
	Orthogonal bool  // with Reach 1: the actor must be beside the tile in its row or column, not diagonally
}

// OnTile returns the goal to stand on tile t.
func OnTile(t Tile) Goal { return Goal{Tile: t} }

// BesideTile returns the goal to stand next to tile t, where a step onto t is legal: no wall is in between and, for a diagonal
// step, none is at the corner. An actor that stands on t itself has not reached this goal.
func BesideTile(t Tile) Goal { return Goal{Tile: t, Reach: 1} }

// WithinTiles returns the goal to stand 1..reach tiles from tile t with no obstacle in between (see terrain.Tiles.IsClearBetween).
func WithinTiles(t Tile, reach uint8) Goal { return Goal{Tile: t, Reach: max(reach, 1)} }

// ReachedFrom reports whether an actor that stands on the tile from has reached the goal.
func (g Goal) ReachedFrom(t *terrain.Tiles, from Tile) bool {
	d := from.Distance(g.Tile)
	if g.Reach == 0 {
		return d == 0
	}
	if d == 0 || d > int(g.Reach) || g.Orthogonal && from.X != g.Tile.X && from.Z != g.Tile.Z {
		return false
	}
	return t.IsClearBetween(from, g.Tile)
}
