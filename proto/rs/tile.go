package rs

// Range of player indices (docs/wire/rs.md, positions and limits).
const (
	MaxIndex   = 2047         // highest player index; index 0 is never used
	indexSlots = MaxIndex + 1 // length of tables that are indexed by player
)

// Index is the number of a player in the tables of one viewer's client, 1..MaxIndex.
type Index = uint16

// Tile is a tile of the world in absolute coordinates: x grows east, z north.
type Tile struct {
	X, Z  uint16 // absolute position, 0..16383
	Plane uint8  // height level, 0..3
}

// MaxCoord is the highest x and z of a tile.
const MaxCoord = 1<<14 - 1

// Pack returns the tile in 30 bits: plane<<28 | x<<14 | z (docs/wire/rs.md, positions and limits). Bits beyond a field's range
// are dropped.
func (t Tile) Pack() uint32 {
	return uint32(t.Plane&3)<<28 | uint32(t.X&MaxCoord)<<14 | uint32(t.Z&MaxCoord)
}

// UnpackTile reverses Pack; the top two bits are ignored.
func UnpackTile(p uint32) Tile {
	return Tile{X: uint16(p >> 14 & MaxCoord), Z: uint16(p & MaxCoord), Plane: uint8(p >> 28 & 3)}
}

// Within reports whether tile o is on the plane of t and at most r tiles away on each axis. The view range of a client is such
// a square.
func (t Tile) Within(o Tile, r int) bool {
	dx, dz := int(t.X)-int(o.X), int(t.Z)-int(o.Z)
	return t.Plane == o.Plane && -r <= dx && dx <= r && -r <= dz && dz <= r
}

// MapSquare is the square, and the plane, in which a tile lies. Squares are 1<<shift tiles wide; shift is 6, or 13 on OSRS.
// Layout, 18 bits: plane<<16 | (x>>shift)<<8 | z>>shift. A MapSquare is all that a client knows of the position of an
// external player.
type MapSquare uint32

// SquareOf returns the map square of a tile. The parameter shift is 6 or 13 (Profile.SquareShift): a square is 1<<shift tiles wide.
func SquareOf(t Tile, shift uint) MapSquare { return squareOf(t.Pack(), shift) }

func squareOf(packed uint32, shift uint) MapSquare {
	return MapSquare(packed>>28&3<<16 | (packed>>14&MaxCoord)>>shift<<8 | (packed&MaxCoord)>>shift)
}

// Plane returns the plane, 0..3.
func (s MapSquare) Plane() uint8 { return uint8(s >> 16 & 3) }

// X returns the square's column, 0..255.
func (s MapSquare) X() uint8 { return uint8(s >> 8) }

// Z returns the square's row, 0..255.
func (s MapSquare) Z() uint8 { return uint8(s) }

// The steps of each direction code, as {dx, dz} in tiles (docs/wire/rs.md, local and external changes). The walk codes also
// encode moves to a neighbour square.
var (
	walkSteps = [8][2]int8{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}
	runSteps  = [16][2]int8{
		{-2, -2}, {-1, -2}, {0, -2}, {1, -2}, {2, -2}, {-2, -1}, {2, -1}, {-2, 0},
		{2, 0}, {-2, 1}, {2, 1}, {-2, 2}, {-1, 2}, {0, 2}, {1, 2}, {2, 2},
	}
)

const noCode = 0xFF

// stepCodes[(dz+2)*5 + dx+2] is the direction code of a step by dx and dz, each -2..2: a run code if dx or dz is 2 or -2, noCode
// for no step, and otherwise a walk code.
var stepCodes = func() (t [25]uint8) {
	t[12] = noCode
	for code, s := range walkSteps {
		t[stepAt(int(s[0]), int(s[1]))] = uint8(code)
	}
	for code, s := range runSteps {
		t[stepAt(int(s[0]), int(s[1]))] = uint8(code)
	}
	return t
}()

func stepAt(dx, dz int) int { return (dz+2)*5 + dx + 2 }

// WalkCode returns the 3-bit code of a step; ok is false unless the step goes to one of the 8 neighbours.
func WalkCode(dx, dz int) (code uint8, ok bool) {
	if dx < -1 || dx > 1 || dz < -1 || dz > 1 || dx == 0 && dz == 0 {
		return 0, false
	}
	return stepCodes[stepAt(dx, dz)], true
}

// RunCode returns the 4-bit code of a move by two steps; ok is false unless the larger of |dx| and |dz| is 2.
func RunCode(dx, dz int) (code uint8, ok bool) {
	if dx < -2 || dx > 2 || dz < -2 || dz > 2 || -2 < dx && dx < 2 && -2 < dz && dz < 2 {
		return 0, false
	}
	return stepCodes[stepAt(dx, dz)], true
}
