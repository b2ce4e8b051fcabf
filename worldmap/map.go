package worldmap

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"image"
	"math"
	"sync"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Sizes of maps and tiles.
const (
	TileSize = 512 // edge of a tile in pixels
	MaxLevel = 8   // maximum level, which has 256 x 256 tiles

	surround       = 0.75   // width of the ground that is drawn around Bounds, as a fraction of their longer side
	pixelsPerBlock = 6      // resolution in pixels per block beyond which further levels would show nothing new
	drawingVersion = "wm-1" // version of the drawing code; must be changed when equal worlds give other pixels than before
)

// Map draws the ground of one area, as seen from above, in tiles.
type Map struct {
	area   *sim.AreaDef
	look   appearance.MapStyle
	bounds Rect
	x, z   float64 // south-west corner of the square in world units
	size   float64 // edge of the square in world units
	levels int     // number of levels
	tag    string  // result of Tag

	trails  []trail
	lo, hi  float32 // lowest and highest ground, in world units
	contour float32 // vertical distance between contour lines in world units; 0 means no contour lines

	picture func() *picture // returns the operator's picture, which it decodes at the first call
}

// New returns the map of an area. The parameter look describes how the area is drawn.
func New(w *sim.World, area sim.AreaID, look appearance.MapStyle) *Map {
	a := &w.Areas[area]
	m := &Map{area: a, look: look, bounds: Bounds(a, look), trails: findTrails(w, a)}
	b := &m.bounds
	longer := max(float64(b.MaxX)-float64(b.MinX), float64(b.MaxZ)-float64(b.MinZ))
	m.size = longer * (1 + 2*surround)
	m.x = (float64(b.MinX)+float64(b.MaxX))/2 - m.size/2
	m.z = (float64(b.MinZ)+float64(b.MaxZ))/2 - m.size/2
	finest := float64(m.unitsPerBlock()) / pixelsPerBlock
	for m.levels < MaxLevel && m.unitsPerPixel(m.levels) > finest {
		m.levels++
	}
	m.levels++
	m.findHeights()
	m.picture = sync.OnceValue(func() *picture { return decodePicture(look.Picture) })
	m.tag = m.hash(w)
	return m
}

// Bounds returns the rectangle around everything in the area, with a margin.
func (m *Map) Bounds() Rect { return m.bounds }

// Square returns the square that the tiles of the map cover: its south-west corner and the length of its edge, in world units.
func (m *Map) Square() (x, z, size float32) { return float32(m.x), float32(m.z), float32(m.size) }

// Levels returns the number of levels (resolutions) of the map, 1..MaxLevel+1. Level 0 is a single tile, and each further
// level has four times as many tiles.
func (m *Map) Levels() int { return m.levels }

// Tag returns a text that identifies the content of all tiles: maps with equal tags have equal tiles.
func (m *Map) Tag() string { return m.tag }

// HasTile reports whether a tile exists. A tile has two numbers at its level: x is counted from the west, z from the south.
func (m *Map) HasTile(level, x, z int) bool {
	return level >= 0 && level < m.levels && x >= 0 && z >= 0 && x < 1<<level && z < 1<<level
}

// Tile draws one tile. It must be called only if HasTile returns true for the same numbers: for other numbers it draws useless
// pictures, or panics if level is negative.
func (m *Map) Tile(theme Theme, level, x, z int) *image.RGBA {
	upp := m.unitsPerPixel(level)
	edge := upp * TileSize
	return m.draw(theme, m.x+float64(x)*edge, m.z+float64(z+1)*edge, upp, TileSize, TileSize)
}

func (m *Map) unitsPerPixel(level int) float64 {
	return m.size / float64(int(TileSize)<<level)
}

func (m *Map) unitsPerBlock() float32 {
	u := m.area.BlockGrid.UnitsPerBlock
	if !(u > 0) {
		return 1
	}
	return u
}

// findHeights determines the lowest and the highest ground of the area, and the vertical distance between contour lines.
func (m *Map) findHeights() {
	switch f, r := m.area.Floor, m.look.Relief; {
	case f != nil && f.Ground == terrain.HeightGround:
		lo, hi := f.Level, f.Level
		for _, top := range f.Heightmap.Tops {
			lo, hi = min(lo, int32(top)), max(hi, int32(top))
		}
		u := f.Grid.UnitsPerBlock
		m.lo, m.hi = float32(lo)*u, float32(hi)*u
	case f == nil && r != nil:
		m.lo, m.hi = r.Lowest, r.Lowest+r.Range
	}
	if span := m.hi - m.lo; span > 0 {
		m.contour = roundStep(span / 9)
	}
}

// roundStep returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least v.
func roundStep(v float32) float32 {
	ten := math.Pow(10, math.Floor(math.Log10(float64(v))))
	for _, f := range [...]float64{1, 2, 5} {
		if f*ten >= float64(v) {
			return float32(f * ten)
		}
	}
	return float32(10 * ten)
}

// hash returns a hash of everything that determines what is drawn. It contains sim.World.ContentHash, the hash of the world's
// files.
func (m *Map) hash(w *sim.World) string {
	h := sha256.New()
	h.Write([]byte(drawingVersion))
	write(h, w.ContentHash, uint64(len(m.area.Name)))
	h.Write([]byte(m.area.Name))
	write(h, m.look.Style, m.bounds, m.x, m.z, m.size)
	if p := m.look.Picture; p != nil {
		write(h, p.X, p.Z, p.Width, p.Height)
		h.Write([]byte(p.File))
	}
	if r := m.look.Relief; r != nil {
		write(h, r.X, r.Z, r.StepX, r.StepZ, int64(r.Width), r.Heights)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// write adds values to a hash, in their binary form.
func write(h hash.Hash, values ...any) {
	for _, v := range values {
		_ = binary.Write(h, binary.LittleEndian, v) // a write to a hash never fails
	}
}
