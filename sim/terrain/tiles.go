package terrain

// Tiles is what the path authority knows of the solids: from which tile one may step where. The grid of tiles covers a
// rectangle; around it everything is blocked if the area has bounds, and open otherwise. nil is open ground without
// bounds. 2 bytes for each tile of the rectangle.
type Tiles struct {
	rect    TileRect
	width   uint
	height  uint
	outside flag     // of every tile around the rectangle: blocked or 0
	flags   []flag   // south to north, each row west to east
	dirs    []DirSet // legal steps from each tile, as flags
}

// flag is what stands on a tile or at its edges. A wall is noted on both sides of its edge.
type flag uint8

const (
	blocked flag = 1 << iota
	wallN
	wallE
	wallS
	wallW
	postSW // at the south-west corner: it stops diagonal steps across that corner
)

// Blocked tells whether nobody can stand on that tile, for instance because there is none.
func (t *Tiles) Blocked(x, z uint16) bool { return t.at(int(x), int(z))&blocked != 0 }

// CanStep tells whether one can step from tile x, z by dx and dz, each -1..1 and not both 0. The tile that one steps on
// must not be blocked, and no wall may stand between; a diagonal step needs both tiles beside it free and all four
// edges that meet at the corner without a wall. The tile that one leaves may be blocked: whoever is inside a solid gets
// out.
func (t *Tiles) CanStep(x, z uint16, dx, dz int) bool {
	d, ok := DirOf(dx, dz)
	return ok && t.OpenDirs(x, z).Has(d)
}

// Ways is in which directions CanStep allows to leave that tile.
func (t *Tiles) OpenDirs(x, z uint16) DirSet {
	if t != nil {
		column, row := uint(x)-uint(t.rect.MinX), uint(z)-uint(t.rect.MinZ)
		if column < t.width && row < t.height {
			return t.dirs[row*t.width+column]
		}
	}
	return t.openDirsOutside(x, z)
}

// waysOutside is Ways around the rectangle. Without bounds the rectangle has a free margin (see rectOf), so that no
// wall stops a step over its border.
func (t *Tiles) openDirsOutside(x, z uint16) DirSet {
	open := t == nil || t.outside == 0
	if open && x-1 < MaxTile-1 && z-1 < MaxTile-1 {
		return AllDirs
	}
	return t.deriveDirs(int(x), int(z))
}

// derive finds the legal steps from a tile by the rule of CanStep.
func (t *Tiles) deriveDirs(x, z int) DirSet {
	var w DirSet
	for d := range Dir(Dirs) {
		if dx, dz := d.Delta(); t.step(x, z, dx, dz) {
			w |= 1 << d
		}
	}
	return w
}

func (t *Tiles) step(x, z, dx, dz int) bool {
	if dx == 0 || dz == 0 {
		return t.open(x, z, dx, dz)
	}
	if t.at(x+(dx+1)/2, z+(dz+1)/2)&postSW != 0 {
		return false
	}
	return t.open(x, z, dx, 0) && t.open(x+dx, z, 0, dz) && t.open(x, z, 0, dz) && t.open(x, z+dz, dx, 0)
}

// open tells whether the tile beside x, z is free and no wall stands between; one of dx and dz is 0.
func (t *Tiles) open(x, z, dx, dz int) bool {
	to := t.at(x+dx, z+dz)
	return to&blocked == 0 && t.at(x, z)&side(dx, dz) == 0 && to&side(-dx, -dz) == 0
}

// side is the wall that stands at the edge of a tile in that direction.
func side(dx, dz int) flag {
	switch {
	case dx < 0:
		return wallW
	case dx > 0:
		return wallE
	case dz < 0:
		return wallS
	}
	return wallN
}

func (t *Tiles) at(x, z int) flag {
	if x < 0 || z < 0 || x > MaxTile || z > MaxTile {
		return blocked
	}
	if t == nil {
		return 0
	}
	if !t.rect.has(x, z) {
		return t.outside
	}
	return t.flags[t.index(x, z)]
}

func (t *Tiles) index(x, z int) int {
	return (z-int(t.rect.MinZ))*int(t.width) + x - int(t.rect.MinX)
}

// Clear tells whether nothing stands between two tiles: both are free, and every step along the straight line of tiles
// between them is legal. It is the same in both directions. Everything that stops a walker counts, however low.
func (t *Tiles) Clear(a, b Tile) bool {
	if t.Blocked(a.X, a.Z) || t.Blocked(b.X, b.Z) {
		return false
	}
	if b.X < a.X || b.X == a.X && b.Z < a.Z {
		a, b = b, a
	}
	n := a.Distance(b)
	dx, dz := int(b.X)-int(a.X), int(b.Z)-int(a.Z)
	for i, at := 1, a; i <= n; i++ {
		next := Tile{uint16(int(a.X) + nearest(dx*i, n)), uint16(int(a.Z) + nearest(dz*i, n))}
		if !t.CanStep(at.X, at.Z, int(next.X)-int(at.X), int(next.Z)-int(at.Z)) {
			return false
		}
		at = next
	}
	return true
}

// nearest is a/n rounded to the nearest whole number, halves up; n > 0.
func nearest(a, n int) int {
	a = 2*a + n
	q := a / (2 * n)
	if a%(2*n) < 0 {
		q--
	}
	return q
}
