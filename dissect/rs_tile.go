package dissect

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/proto/rs"
)

// Tile is a tile of a RuneScape world in a command line flag, written as x,y or x,y,plane.
type Tile struct {
	rs.Tile
	Given bool // the command line states a tile; false in the zero value
}

// UnmarshalText implements encoding.TextUnmarshaler. It parses x,y or x,y,plane.
func (t *Tile) UnmarshalText(b []byte) error {
	words := strings.Split(string(b), ",")
	var v [3]uint64
	for k, most := range [3]uint64{rs.MaxCoord, rs.MaxCoord, 3} {
		if k >= len(words) {
			break
		}
		var err error
		if v[k], err = strconv.ParseUint(words[k], 10, 16); err != nil || v[k] > most {
			words = nil
		}
	}
	if len(words) < 2 || len(words) > 3 {
		return fmt.Errorf("%q is not a tile such as 3200,3200 or 3200,3200,1: x and y 0..%d, plane 0..3", b, rs.MaxCoord)
	}
	*t = Tile{rs.Tile{X: uint16(v[0]), Z: uint16(v[1]), Plane: uint8(v[2])}, true}
	return nil
}
