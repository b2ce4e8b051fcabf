package move

import (
	"cmp"

	"github.com/truestep-io/truestep/sim/terrain"
)

// setDirectPath tries the path that needs no search: along the longer axis first, then diagonally, until the goal is reached.
// If nothing obstructs that path, it sets the path, stores its number of steps in *steps and returns true. No path is shorter,
// because a step reduces the distance by at most one tile. On open ground the search would find the same path.
func (s *PathState) setDirectPath(t *terrain.Tiles, g Goal, steps *int) bool {
	dx, dz := int(g.Tile.X)-int(s.Tile.X), int(g.Tile.Z)-int(s.Tile.Z)
	sx, sz := cmp.Compare(dx, 0), cmp.Compare(dz, 0)
	dx, dz = dx*sx, dz*sz
	n := max(dx, dz) - int(g.Reach)
	if n <= 0 {
		return false
	}
	straight := min(max(dx, dz)-min(dx, dz), n)
	ax, az := sx, 0 // first leg along the longer axis
	if dz > dx {
		ax, az = 0, sz
	}
	turn, ok := walkLine(t, s.Tile, ax, az, straight)
	if !ok {
		return false
	}
	end, ok := walkLine(t, turn, sx, sz, n-straight)
	if !ok || !g.ReachedFrom(t, end) {
		return false
	}
	s.Stop()
	for _, leg := range [...]Tile{turn, end} {
		if leg != s.Tile && (s.Path.LegCount == 0 || leg != turn) { // the leg is not empty
			s.Path.LegEnds[s.Path.LegCount] = leg
			s.Path.LegCount++
		}
	}
	*steps = n
	return true
}

// walkLine walks n steps in the direction dx, dz. It returns the tile at the end, and whether all of these steps are legal.
func walkLine(t *terrain.Tiles, at Tile, dx, dz, n int) (Tile, bool) {
	if n == 0 {
		return at, true
	}
	d, _ := terrain.DirOf(dx, dz)
	for range n {
		if !t.OpenDirs(at.X, at.Z).Has(d) {
			return at, false
		}
		at = at.Move(dx, dz)
	}
	return at, true
}
