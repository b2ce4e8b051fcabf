package appearance

// MapStyle is how the maps for operators show the ground of an area. It has no effect on the game. With the zero value, a map
// is drawn from the area's own terrain, without decoration.
type MapStyle struct {
	Style      GroundStyle // what the map shows where the ground is grass
	Picture    *MapPicture // picture on top of the ground; nil for none
	Relief     *Relief     // heights that only clients know; nil if the server knows the heights, or if there are none
	WaterNames []string    // name of each water of the area; "" for none
	ZoneNames  []string    // name of each zone of the area; "" for none
}

// GroundStyle is the ground cover, such as sand or snow, that a map shows in place of the grass in the game.
type GroundStyle uint8

// Values of GroundStyle.
const (
	GrassStyle  GroundStyle = iota // grass
	MeadowStyle                    // grass with groups of trees
	MoorStyle                      // heath and heather
	ForestStyle                    // grass under trees
	SandStyle                      // sand
	SnowStyle                      // snow
	RockStyle                      // bare rock
)

// GroundStyleWords are the names of the styles in a world file, indexed by GroundStyle.
var GroundStyleWords = []string{"grass", "meadow", "moor", "forest", "sand", "snow", "rock"}

// MapPicture is a picture of an area, or of a part of an area, that an operator supplies.
type MapPicture struct {
	File string // bytes of a PNG or JPEG file, still encoded; loading has checked that it can be decoded
	// X, Z, Width and Height are the rectangle that the picture covers, in world units: the corner with the lowest x and z, and
	// the size along x and z.
	X, Z, Width, Height float32
}

// Relief holds the heights of a part of the ground, in world units, at the points of a regular grid.
type Relief struct {
	X, Z          float32   // position of the first height, which has the lowest x and z
	StepX, StepZ  float32   // distance between two heights, above 0
	Width, Depth  int       // number of heights along x and z, 2 or more each
	Heights       []float32 // rows from the lowest z on, each from the lowest x on
	Lowest, Range float32   // lowest height, and difference between the highest and the lowest
}

// MapOf returns the map of an area, or the zero value if the area has none.
func (t *Tables) MapOf(area int) MapStyle {
	if area < 0 || area >= len(t.Maps) {
		return MapStyle{}
	}
	return t.Maps[area]
}
