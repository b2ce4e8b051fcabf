package terrain

// Dir is one of the eight directions of a step between tiles, in the order in which path searches try them: straight
// before diagonal.
type Dir uint8

// Values of Dir. In a DirSet, direction d is bit 1<<d.
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

// DirSet is a set of directions. Direction d is bit 1<<d.
type DirSet uint8

// Sets of several directions.
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

// Delta returns the change of the tile coordinates by a step in direction d, each -1..1.
func (d Dir) Delta() (dx, dz int) { return int(dirDeltas[d][0]), int(dirDeltas[d][1]) }

// DirOf returns the direction of a step by dx and dz. It returns false if dx and dz are no step to a neighbour: if both are 0, or
// one of them is not -1, 0 or 1.
func DirOf(dx, dz int) (Dir, bool) {
	for d := range dirDeltas {
		if int(dirDeltas[d][0]) == dx && int(dirDeltas[d][1]) == dz {
			return Dir(d), true
		}
	}
	return 0, false
}
