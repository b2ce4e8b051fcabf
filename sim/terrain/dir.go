package terrain

// Dir is one of the eight directions of a step, in the order in which path searches try them: straight before
// diagonal. It is not a wire code.
type Dir uint8

// Directions of a step to a neighbouring tile. Dir d is bit 1<<d of a DirSet.
const (
	West      Dir = iota // -X
	East                 // +X
	South                // -Z
	North                // +Z
	SouthWest            // -X and -Z
	SouthEast            // +X and -Z
	NorthWest            // -X and +Z
	NorthEast            // +X and +Z
	DirCount  = 8        // number of directions
)

// DirSet is a set of directions, bit 1<<Dir for each.
type DirSet uint8

// Sets of directions.
const (
	AllDirs      DirSet = 0xff                                   // every direction
	WesternDirs         = 1<<West | 1<<SouthWest | 1<<NorthWest  // west and the diagonals beside it
	EasternDirs         = 1<<East | 1<<SouthEast | 1<<NorthEast  // east and the diagonals beside it
	SouthernDirs        = 1<<South | 1<<SouthWest | 1<<SouthEast // south and the diagonals beside it
	NorthernDirs        = 1<<North | 1<<NorthWest | 1<<NorthEast // north and the diagonals beside it
)

// Has reports whether d is in w.
func (w DirSet) Has(d Dir) bool { return w>>d&1 != 0 }

var dirDeltas = [DirCount][2]int8{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}

// Delta is the step in direction d, each component -1..1.
func (d Dir) Delta() (dx, dz int) { return int(dirDeltas[d][0]), int(dirDeltas[d][1]) }

// DirOf returns the direction of a step, or false if dx, dz is not a step: 0, 0 or anything beyond one tile.
func DirOf(dx, dz int) (Dir, bool) {
	for d := range dirDeltas {
		if int(dirDeltas[d][0]) == dx && int(dirDeltas[d][1]) == dz {
			return Dir(d), true
		}
	}
	return 0, false
}
