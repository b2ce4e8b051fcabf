package move

import "github.com/truestep-io/truestep/sim/terrain"

// Goal is where a path leads: onto a tile, beside one, or near enough to one to shoot. Plain data.
type Goal struct {
	Tile       Tile
	Reach      uint8 // tiles from which it is reached: 0 on it, 1 beside it, more: that near and nothing in between
	Orthogonal bool  // with Reach 1: beside it on a row or column, not diagonally
}

// OnTile is the goal to stand on t.
func OnTile(t Tile) Goal { return Goal{Tile: t} }

// BesideTile is the goal to stand next to t so that one could step on it: no wall in between, nor around the corner if
// diagonally. Whoever stands on t itself is not beside it.
func BesideTile(t Tile) Goal { return Goal{Tile: t, Reach: 1} }

// WithinTiles is the goal to stand 1..reach tiles from t with nothing in between, in the sense of terrain Clear.
func WithinTiles(t Tile, reach uint8) Goal { return Goal{Tile: t, Reach: max(reach, 1)} }

// Reached tells whether whoever stands on from has reached the goal.
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
