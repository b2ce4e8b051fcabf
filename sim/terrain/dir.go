package terrain

// Dir is one of the eight directions of a step, in the order in which a search tries them: straight before diagonal.
// It is no wire code.
type Dir uint8

// Directions.
const (
	West Dir = iota
	East
	South
	North
	SouthWest
	SouthEast
	NorthWest
	NorthEast
	Dirs = 8
)

// Ways is a set of directions, bit 1<<Dir for each.
type DirSet uint8

// Sets of directions.
const (
	AllDirs      DirSet = 0xff
	WesternDirs         = 1<<West | 1<<SouthWest | 1<<NorthWest
	EasternDirs         = 1<<East | 1<<SouthEast | 1<<NorthEast
	SouthernDirs        = 1<<South | 1<<SouthWest | 1<<SouthEast
	NorthernDirs        = 1<<North | 1<<NorthWest | 1<<NorthEast
)

// Has tells whether d is one of w.
func (w DirSet) Has(d Dir) bool { return w>>d&1 != 0 }

var deltas = [Dirs][2]int8{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}

// Delta is the step in direction d, each part -1..1.
func (d Dir) Delta() (dx, dz int) { return int(deltas[d][0]), int(deltas[d][1]) }

// DirOf is the direction of a step. It is false for what is no step: 0, 0 and anything beyond one tile.
func DirOf(dx, dz int) (Dir, bool) {
	for d := range deltas {
		if int(deltas[d][0]) == dx && int(deltas[d][1]) == dz {
			return Dir(d), true
		}
	}
	return 0, false
}
