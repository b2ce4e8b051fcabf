package terrain

import (
	"errors"
	"fmt"
	"math"

	"github.com/truestep-io/truestep/sim/geom"
)

// Limits of tile coordinates. Source: docs/wire/rs.md, positions: 14 bits per axis and 2 for the plane.
const (
	TilesPerAxis = 1 << 14          // tiles along each axis of the map, numbered 0..16383
	MaxTile      = TilesPerAxis - 1 // highest coordinate of a tile
	MaxPlane     = 3                // highest plane
)

// Tile is the position of a tile on the map: X grows east, Z grows north, both 0..16383.
type Tile struct{ X, Z uint16 }

// Valid reports whether the tile exists.
func (t Tile) Valid() bool { return t.X <= MaxTile && t.Z <= MaxTile }

// Move returns the tile dx tiles east and dz tiles north of t; dx and dz are -1..1. The caller makes sure that the map
// has that tile: at the edge of the map the result is a Tile that is not Valid.
func (t Tile) Move(dx, dz int) Tile { return Tile{uint16(int(t.X) + dx), uint16(int(t.Z) + dz)} }

// Distance returns the number of steps from t to u on open ground: the larger of the distances on the two axes.
func (t Tile) Distance(u Tile) int {
	dx, dz := int(t.X)-int(u.X), int(t.Z)-int(u.Z)
	return max(dx, -dx, dz, -dz)
}

// TileRect is the rectangle of tiles with MinX <= x < MaxX and MinZ <= z < MaxZ. The zero value is empty.
type TileRect struct{ MinX, MinZ, MaxX, MaxZ uint16 }

func (r TileRect) has(x, z int) bool {
	return x >= int(r.MinX) && x < int(r.MaxX) && z >= int(r.MinZ) && z < int(r.MaxZ)
}

// Limits of the size of a tile. Within them, the rounding error of a float32 position is far smaller than a tile.
const (
	minUnitsPerTile = 1.0 / 1024
	maxUnitsPerTile = 65536
)

// TileGrid converts between world positions and tiles of an area. The world's origin is the south-west corner of tile
// BaseX, BaseZ; X grows east and Z north. All tiles of an area are on one plane.
type TileGrid struct {
	UnitsPerTile float32 // world units along a tile's edge, 1/1024..65536
	BaseX, BaseZ uint16  // tile at the world's origin, 0..16383 on each axis
	Plane        uint8   // plane of all tiles of the area, 0..3
}

// Check returns an error if the grid is invalid. The other methods require a valid grid.
func (g TileGrid) Check() error {
	switch {
	case !(g.UnitsPerTile >= minUnitsPerTile && g.UnitsPerTile <= maxUnitsPerTile):
		return fmt.Errorf("tile grid: the number %v of world units per tile is not within %v..%v", g.UnitsPerTile, minUnitsPerTile, maxUnitsPerTile)
	case g.BaseX > MaxTile || g.BaseZ > MaxTile:
		return errors.New("tile grid: a coordinate of the tile at the origin of the world is above 16383")
	case g.Plane > MaxPlane:
		return errors.New("tile grid: the plane must be 0..3")
	}
	return nil
}

// ToTile returns the tile that contains p. A tile includes its southern and western edges. It returns false if p is
// outside the map.
func (g TileGrid) ToTile(p geom.Vec) (Tile, bool) {
	x, z := math.Floor(g.across(p.X, g.BaseX)), math.Floor(g.across(p.Z, g.BaseZ))
	if !(x >= 0 && x <= MaxTile && z >= 0 && z <= MaxTile) {
		return Tile{}, false
	}
	return Tile{uint16(x), uint16(z)}, true
}

// across converts a world coordinate to a tile coordinate with a fraction. The parameter base is the coordinate of the tile at
// the world's origin.
func (g TileGrid) across(v float32, base uint16) float64 {
	return float64(v)/float64(g.UnitsPerTile) + float64(base)
}

// Centre returns the world position of the centre of tile t, with Y 0. ToTile of that position returns t.
func (g TileGrid) Centre(t Tile) geom.Vec {
	return geom.Vec{X: g.centre(t.X, g.BaseX), Z: g.centre(t.Z, g.BaseZ)}
}

func (g TileGrid) centre(tile, base uint16) float32 {
	return float32((float32(int(tile)-int(base)) + 0.5) * g.UnitsPerTile)
}
