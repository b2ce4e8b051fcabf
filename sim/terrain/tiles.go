package terrain

// Tiles is the collision map of the path authority: the legal steps from each tile. It stores a rectangle of tiles.
// Outside the rectangle every tile is blocked if the area has bounds, and open otherwise. A nil *Tiles is open ground
// without bounds. Each tile of the rectangle uses 2 bytes.
type Tiles struct {
	rect    TileRect
	width   uint
	height  uint
	outside flag     // flag of every tile outside the rectangle: blocked or 0
	flags   []flag   // flags by tile, rows from south to north, each from west to east
	dirs    []DirSet // legal steps from each tile
}

// flag is a set of obstacles on a tile or at its edges. A wall between two tiles is set on both.
type flag uint8

const (
	blocked flag = 1 << iota
	wallN
	wallE
	wallS
	wallW
	postSW // an obstacle on the south-west corner of the tile, which blocks diagonal steps across that corner
)

// Blocked reports whether no actor can stand on a tile, or the tile does not exist.
func (t *Tiles) Blocked(x, z uint16) bool { return t.at(int(x), int(z))&blocked != 0 }

// CanStep reports whether an actor may step from tile x, z by dx and dz, each -1..1 and not both 0. The target must not be
// blocked, and no wall may be in between. For a diagonal step, in addition, the two tiles that share an edge with both tiles must
// be free, and no wall may be on the four edges that meet at the corner. The start may be blocked, so that an actor inside a
// solid can leave it.
func (t *Tiles) CanStep(x, z uint16, dx, dz int) bool {
	d, ok := DirOf(dx, dz)
	return ok && t.OpenDirs(x, z).Has(d)
}

// OpenDirs returns the set of directions in which CanStep is true.
func (t *Tiles) OpenDirs(x, z uint16) DirSet {
	if t != nil {
		column, row := uint(x)-uint(t.rect.MinX), uint(z)-uint(t.rect.MinZ)
		if column < t.width && row < t.height {
			return t.dirs[row*t.width+column]
		}
	}
	return t.openDirsOutside(x, z)
}

// openDirsOutside returns the set of directions in which CanStep is true, for a tile outside the rectangle. If the area has no
// bounds, no wall is on the border of the rectangle, because boundsOf has added a free margin.
func (t *Tiles) openDirsOutside(x, z uint16) DirSet {
	open := t == nil || t.outside == 0
	if open && x-1 < MaxTile-1 && z-1 < MaxTile-1 {
		return AllDirs
	}
	return t.deriveDirs(int(x), int(z))
}

// deriveDirs computes the legal steps from a tile by the rule of CanStep.
func (t *Tiles) deriveDirs(x, z int) DirSet {
	var w DirSet
	for d := range Dir(DirCount) {
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

// open reports whether the neighbour of x, z in direction dx, dz is free and no wall is in between. One of dx and dz must
// be 0.
func (t *Tiles) open(x, z, dx, dz int) bool {
	to := t.at(x+dx, z+dz)
	return to&blocked == 0 && t.at(x, z)&side(dx, dz) == 0 && to&side(-dx, -dz) == 0
}

// side returns the flag of a wall on the edge of a tile in a direction.
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

// IsClearBetween reports whether a walker can go straight from one tile to the other: both tiles are free, and every step along the
// straight line of tiles between them is legal. The order of the two tiles does not matter. Everything that stops a walker counts as
// an obstacle, however low it is.
func (t *Tiles) IsClearBetween(a, b Tile) bool {
	if t.Blocked(a.X, a.Z) || t.Blocked(b.X, b.Z) {
		return false
	}
	if b.X < a.X || b.X == a.X && b.Z < a.Z {
		a, b = b, a
	}
	n := a.Distance(b)
	dx, dz := int(b.X)-int(a.X), int(b.Z)-int(a.Z)
	for i, at := 1, a; i <= n; i++ {
		next := Tile{uint16(int(a.X) + roundDiv(dx*i, n)), uint16(int(a.Z) + roundDiv(dz*i, n))}
		if !t.CanStep(at.X, at.Z, int(next.X)-int(at.X), int(next.Z)-int(at.Z)) {
			return false
		}
		at = next
	}
	return true
}

// roundDiv returns a/n rounded to the nearest integer, halves up. The parameter n must be positive.
func roundDiv(a, n int) int {
	a = 2*a + n
	q := a / (2 * n)
	if a%(2*n) < 0 {
		q--
	}
	return q
}
