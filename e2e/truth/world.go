//go:build linux

// Package truth reads the actual state of a world from the console of a server: its areas, and where the live maps show actors.
package truth

import (
	"context"
	"fmt"

	"github.com/truestep-io/truestep/e2e/process"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// World is the part of the console's GET /world that end-to-end tests need.
type World struct{ Areas []Area }

// Area is an area of the world, and how its positions convert to RuneScape tiles and Bedrock blocks. The tiles and blocks of two
// areas do not overlap.
type Area struct {
	ID      sim.AreaID // id of the area
	Name    string     // name of the area
	PvP     bool       // players may attack each other
	Portals []struct { // portals of the area
		X, Z float32     // middle, in units
		To   *sim.AreaID // area to which the portal leads; nil for a portal within the area
	}
	Tiles struct { // RuneScape tiles of the area
		UnitsPerTile float32
		BaseX, BaseZ uint16 // tile at the middle of the area
		Plane        uint8
	}
	Blocks struct { // Bedrock blocks of the area
		UnitsPerBlock float32
		Origin        geom.Vec // block at the middle of the area
		Height        float32  // height in units of the bottom of block Origin.Y
	}
}

// areaExtent is the radius, in units, of a circle around the middle of an area. Every tile or block inside the circle counts as
// part of that area. In the worlds of the tests, no player leaves the circle of its area, and the circles of different areas do
// not overlap in the coordinates of any client.
const areaExtent = 400

// ReadWorld reads the world of a server. It returns an error unless the world has the given number of areas.
func ReadWorld(ctx context.Context, s *process.Server, areas int) (*World, error) {
	w := &World{}
	if err := s.Get(ctx, "world", w); err != nil {
		return nil, err
	}
	if len(w.Areas) != areas {
		return nil, fmt.Errorf("the world of %s has %d areas, want %d", s.Name, len(w.Areas), areas)
	}
	return w, nil
}

// AreaNamed returns the area with a name, or nil if there is none.
func (w *World) AreaNamed(name string) *Area {
	for i := range w.Areas {
		if w.Areas[i].Name == name {
			return &w.Areas[i]
		}
	}
	return nil
}

// AtTile returns the area that contains a tile, and the position of the tile's middle in units. The area is nil if no area
// contains the tile.
func (w *World) AtTile(t terrain.Tile) (*Area, geom.Vec) {
	for i := range w.Areas {
		if at := w.Areas[i].TileGrid().Centre(t); geom.DistXZ(at, geom.Vec{}) < areaExtent {
			return &w.Areas[i], at
		}
	}
	return nil, geom.Vec{}
}

// AtBlock returns the area that contains a point in block coordinates, and the point's position in units. The area is nil if no
// area contains the point.
func (w *World) AtBlock(p geom.Vec) (*Area, geom.Vec) {
	for i := range w.Areas {
		if at := w.Areas[i].BlockGrid().ToWorld(p); geom.DistXZ(at, geom.Vec{}) < areaExtent {
			return &w.Areas[i], at
		}
	}
	return nil, geom.Vec{}
}

// TileGrid returns the conversion between the area's units and RuneScape tiles.
func (a *Area) TileGrid() terrain.TileGrid {
	return terrain.TileGrid{UnitsPerTile: a.Tiles.UnitsPerTile, BaseX: a.Tiles.BaseX, BaseZ: a.Tiles.BaseZ, Plane: a.Tiles.Plane}
}

// BlockGrid returns the conversion between the area's units and Bedrock blocks.
func (a *Area) BlockGrid() terrain.BlockGrid {
	o := a.Blocks.Origin
	return terrain.BlockGrid{
		UnitsPerBlock: a.Blocks.UnitsPerBlock, Height: a.Blocks.Height, Origin: [3]int32{int32(o.X), int32(o.Y), int32(o.Z)},
	}
}

// Entrance is a portal through which players go to another area.
type Entrance struct {
	At geom.Vec   // middle, in units
	To sim.AreaID // target area
}

// EntranceRadius is the radius in units of the entrances in the worlds of the tests.
const EntranceRadius = 8

// Entrances returns the portals of an area that lead to other areas.
func (a *Area) Entrances() (list []Entrance) {
	for _, p := range a.Portals {
		if p.To != nil {
			list = append(list, Entrance{geom.Vec{X: p.X, Z: p.Z}, *p.To})
		}
	}
	return list
}

// EntranceTo returns the position of the entrance that leads to another area.
func (a *Area) EntranceTo(to *Area) (at geom.Vec, ok bool) {
	for _, e := range a.Entrances() {
		if e.To == to.ID {
			return e.At, true
		}
	}
	return geom.Vec{}, false
}

// ComparePlace returns an error if a player's actor is too far from the position pos in area a, at which the player's client was last
// shown it: farther than tolerance, in units. The parameter is has the actor's present state. An actor that has gone to another area
// through an entrance near pos is accepted. The parameter who is the player's name, for the error.
func (a *Area) ComparePlace(who string, pos geom.Vec, is *Body, tolerance float32) error {
	if is.Area == a.ID {
		if d := geom.DistXZ(pos, is.Pos); d > tolerance {
			return fmt.Errorf("%s is at x %.0f, z %.0f in %s, but the last position that its client was shown is %.0f units away, at x %.0f, z %.0f", who, is.Pos.X, is.Pos.Z, a.Name, d, pos.X, pos.Z)
		}
		return nil
	}
	for _, e := range a.Entrances() {
		if e.To == is.Area && geom.DistXZ(e.At, pos) < EntranceRadius+tolerance {
			return nil
		}
	}
	return fmt.Errorf("%s is in area %d at x %.0f, z %.0f, but the last position that its client was shown is in %s at x %.0f, z %.0f", who, is.Area, is.Pos.X, is.Pos.Z, a.Name, pos.X, pos.Z)
}
