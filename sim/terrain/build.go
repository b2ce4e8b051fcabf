package terrain

import (
	"errors"
	"fmt"
	"math"
)

// MaxTiles is the maximum number of tiles in the rectangle of an area: 4096 x 4096 tiles, 32 MiB.
const MaxTiles = 1 << 24

// TileSpec describes how the solids of an area become obstacles on its tiles.
type TileSpec struct {
	Grid TileGrid // conversion between world units and tiles

	// Bounds is the rectangle of tiles of the area; every tile outside is blocked. If it is zero, there are no bounds:
	// the ground outside is open, and memory is used only for the rectangle around the solids.
	Bounds TileRect

	// Low and High are heights in world units. Only a solid between them obstructs walkers: a walker steps over a solid
	// that ends at Low or below, and passes under one that begins at High or above. If both are 0, every solid obstructs.
	Low, High float32

	// Floor is the ground to which Low and High are relative, at the centre of each tile. If it is nil, they are absolute
	// heights.
	Floor *Floor
}

// NewTiles builds the tiles on which paths are searched from the solids of an area. A solid blocks a tile if, on both axes, it
// covers the tile's centre or reaches at least a quarter of the tile into it. A solid that is thinner than half a tile on an axis
// and covers no centre there is moved to the nearest edge: it becomes a wall or, if it is that thin on both axes, a post on a
// corner. So a solid that crosses the line between the centres of two tiles always obstructs it, and a solid that barely touches
// a tile does not block it.
//
// The solids are not retained. Errors name the invalid solid, or say that the rectangle has more than MaxTiles tiles.
func NewTiles(spec TileSpec, solids []Solid) (*Tiles, error) {
	if err := spec.check(); err != nil {
		return nil, fmt.Errorf("tiles: %w", err)
	}
	spots := make([]footprint, 0, len(solids))
	for i := range solids {
		if err := solids[i].Check(); err != nil {
			return nil, fmt.Errorf("tiles: the solid box with index %d is invalid: %w", i, err)
		}
		if spec.mayObstruct(&solids[i]) {
			spots = append(spots, spec.footprint(&solids[i]))
		}
	}
	t := &Tiles{rect: spec.Bounds}
	if spec.Bounds == (TileRect{}) {
		t.rect = boundsOf(spots)
	} else {
		t.outside = blocked
	}
	t.width, t.height = uint(t.rect.MaxX-t.rect.MinX), uint(t.rect.MaxZ-t.rect.MinZ)
	if t.width*t.height > MaxTiles {
		return nil, fmt.Errorf("tiles: the area is %d x %d tiles, more than %d in all; use larger tiles or smaller bounds",
			t.width, t.height, MaxTiles)
	}
	t.flags = make([]flag, t.width*t.height)
	for i := range spots {
		t.addSolid(&spec, spots[i])
	}
	t.deriveAll()
	return t, nil
}

// deriveAll computes the legal steps from every tile. It has a fast path for tiles without obstacles around them, which
// are most tiles of a large area.
func (t *Tiles) deriveAll() {
	t.dirs = make([]DirSet, len(t.flags))
	w, last := int(t.width), int(t.height)-1
	for row := range last + 1 {
		dirs := t.dirs[row*w:][:w]
		inner := row > 0 && row < last
		var south, same, north []flag // flags of the rows around an inner row
		if inner {
			south, same, north = t.flags[(row-1)*w:][:w], t.flags[row*w:][:w], t.flags[(row+1)*w:][:w]
		}
		for i := range dirs {
			if inner && i > 0 && i < w-1 && south[i-1]|south[i]|south[i+1]|same[i-1]|same[i]|same[i+1]|north[i-1]|north[i]|north[i+1] == 0 {
				dirs[i] = AllDirs
			} else {
				dirs[i] = t.deriveDirs(int(t.rect.MinX)+i, int(t.rect.MinZ)+row)
			}
		}
	}
}

func (spec *TileSpec) check() error {
	if err := spec.Grid.Check(); err != nil {
		return err
	}
	if !(spec.Low <= spec.High) {
		return fmt.Errorf("the height Low is %v and High is %v: both must be numbers, and Low must not be above High", spec.Low, spec.High)
	}
	b := spec.Bounds
	if b != (TileRect{}) && (b.MinX >= b.MaxX || b.MinZ >= b.MaxZ || b.MaxX > TilesPerAxis || b.MaxZ > TilesPerAxis) {
		return errors.New("the tile bounds must contain at least one tile and must not reach beyond tile 16383")
	}
	return nil
}

// mayObstruct reports whether the height of a solid allows it to obstruct walkers. If the spec has a Floor, that depends on the
// tile, so mayObstruct returns true.
func (spec *TileSpec) mayObstruct(s *Solid) bool {
	if spec.Low == 0 && spec.High == 0 || spec.Floor != nil {
		return true
	}
	return s.Max.Y > spec.Low && s.Min.Y < spec.High
}

// obstructs reports whether a solid obstructs walkers on the tile x, z by its height. The parameter s is the footprint of the
// solid, which includes the heights.
func (spec *TileSpec) obstructs(s *footprint, x, z int) bool {
	if spec.Floor == nil || x < 0 || z < 0 || x > MaxTile || z > MaxTile {
		return true
	}
	at := spec.Grid.Centre(Tile{uint16(x), uint16(z)})
	ground, _ := spec.Floor.Height(at.X, at.Z)
	return s.top > ground+spec.Low && s.bottom < ground+spec.High
}

// footprint is the part of the tile grid that a solid covers, and the heights of the solid.
type footprint struct {
	x, z        span
	bottom, top float32 // heights in world units
}

// span is the extent of a solid on one axis of the tile grid: the tiles from..to-1. If from and to are equal, the solid is a wall
// on the line between the tiles from-1 and from.
type span struct{ from, to int }

func (spec *TileSpec) footprint(s *Solid) footprint {
	g := spec.Grid
	return footprint{
		bottom: s.Min.Y, top: s.Max.Y,
		x: spanOf(g.across(s.Min.X, g.BaseX), g.across(s.Max.X, g.BaseX)),
		z: spanOf(g.across(s.Min.Z, g.BaseZ), g.across(s.Max.Z, g.BaseZ)),
	}
}

// minOverlap is how far, in tiles, a solid must reach into a tile to block it without covering its centre.
const minOverlap = 0.25

// spanOf returns the span of the interval lo..hi, in tiles. The span of an interval outside the map is outside the map, too.
func spanOf(lo, hi float64) span {
	lo, hi = min(max(lo, -2), TilesPerAxis+2), min(max(hi, -2), TilesPerAxis+2)
	firstCentre, lastCentre := math.Ceil(lo-0.5), math.Floor(hi-0.5)
	line := int(math.Floor((lo+hi)/2 + 0.5))
	if hi-lo < 2*minOverlap && firstCentre > lastCentre {
		return span{line, line}
	}
	from, to := math.Floor(lo), math.Ceil(hi)
	if from+1-lo < minOverlap && from != firstCentre {
		from++
	}
	if hi-(to-1) < minOverlap && to-1 != lastCentre {
		to--
	}
	if from >= to { // happens only by rounding: an interval of half a tile or more reaches at least a quarter into some tile
		return span{line, line}
	}
	return span{int(from), int(to)}
}

// boundsOf returns the rectangle around the footprints, with a margin of two tiles on each side. The inner tile of the margin
// may have a wall on its edge, the outer tile is free, so a step across the border of the rectangle never meets a wall. The
// rectangle contains only tiles that exist.
func boundsOf(spots []footprint) TileRect {
	if len(spots) == 0 {
		return TileRect{}
	}
	x, z := spots[0].x, spots[0].z
	for _, s := range spots {
		x, z = span{min(x.from, s.x.from), max(x.to, s.x.to)}, span{min(z.from, s.z.from), max(z.to, s.z.to)}
	}
	const margin = 2 // tiles around each solid: the tile beside a wall and a free tile
	cut := func(v int) uint16 { return uint16(min(max(v, 0), TilesPerAxis)) }
	return TileRect{MinX: cut(x.from - margin), MinZ: cut(z.from - margin), MaxX: cut(x.to + margin), MaxZ: cut(z.to + margin)}
}

// addSolid marks the tiles and edges of tiles that a solid obstructs.
func (t *Tiles) addSolid(spec *TileSpec, s footprint) {
	columns, rows := s.x.within(t.rect.MinX, t.rect.MaxX), s.z.within(t.rect.MinZ, t.rect.MaxZ)
	switch lineX, lineZ := s.x.from == s.x.to, s.z.from == s.z.to; {
	case lineX && lineZ:
		if spec.obstructs(&s, s.x.from, s.z.from) {
			t.set(s.x.from, s.z.from, postSW)
		}
	case lineX:
		for z := rows.from; z < rows.to; z++ {
			if spec.obstructs(&s, s.x.from-1, z) || spec.obstructs(&s, s.x.from, z) {
				t.set(s.x.from-1, z, wallE)
				t.set(s.x.from, z, wallW)
			}
		}
	case lineZ:
		for x := columns.from; x < columns.to; x++ {
			if spec.obstructs(&s, x, s.z.from-1) || spec.obstructs(&s, x, s.z.from) {
				t.set(x, s.z.from-1, wallN)
				t.set(x, s.z.from, wallS)
			}
		}
	default:
		for z := rows.from; z < rows.to; z++ {
			for x := columns.from; x < columns.to; x++ {
				if spec.obstructs(&s, x, z) {
					t.set(x, z, blocked)
				}
			}
		}
	}
}

// within returns the part of the span s that is in lower..upper-1.
func (s span) within(lower, upper uint16) span {
	return span{max(s.from, int(lower)), min(s.to, int(upper))}
}

func (t *Tiles) set(x, z int, f flag) {
	if t.rect.has(x, z) {
		t.flags[t.index(x, z)] |= f
	}
}
