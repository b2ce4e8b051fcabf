package move

import "github.com/truestep-io/truestep/sim/terrain"

// Goal is where a path leads: onto a tile, beside a tile, or within range of a tile. Plain data.
type Goal struct {
	Tile       Tile
	Reach      uint8 // maximum tiles between actor and goal: 0 is on the tile, 1 beside it, more is within that range with no obstacle between
	Orthogonal bool  // with Reach 1: the actor must be beside the tile in its row or column, not diagonally
}

// OnTile is the goal to stand on t.
func OnTile(t Tile) Goal { return Goal{Tile: t} }

// BesideTile is the goal to stand next to t with a legal step onto it: no wall in between, and none at the corner if
// it is diagonal. Standing on t itself does not reach the goal.
func BesideTile(t Tile) Goal { return Goal{Tile: t, Reach: 1} }

// WithinTiles is the goal to stand 1..reach tiles from t with nothing in between, as defined by terrain.Tiles.Clear.
func WithinTiles(t Tile, reach uint8) Goal { return Goal{Tile: t, Reach: max(reach, 1)} }

// ReachedFrom reports whether an actor on tile from has reached the goal.
func (g Goal) ReachedFrom(t *terrain.Tiles, from Tile) bool {
	d := from.Distance(g.Tile)
	if g.Reach == 0 {
		return d == 0
	}
	if d == 0 || d > int(g.Reach) || g.Orthogonal && from.X != g.Tile.X && from.Z != g.Tile.Z {
		return false
	}
	return t.Clear(from, g.Tile)
}
