//go:build linux

package main

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// worldFile is the world of the servers.
//
//go:embed world.toml
var worldFile []byte

// Values in world.toml that the checks need to know.
const (
	areaCount      = 3     // areas of the world
	kitAmount      = 10000 // pieces of each item that a new character has
	respawnSeconds = 10    // time for which a player lies dead
	spawnSeconds   = 12    // time after which a dead NPC is replaced
	maxKillPoints  = 120   // maximum experience of one kill: xp of the templates, and 20 for luck
	portalRadius   = 8     // radius of entrances in units
	maxHealth      = 60    // health of players
	npcHealth      = 40    // health of NPCs
)

// itemNames are the names of the items with the ids 1 to 3.
var itemNames = map[uint16]string{1: "Token", 2: "Seal", 3: "Relic"}

// worldInfo is the part of the console's GET /world that this test needs.
type worldInfo struct{ Areas []areaInfo }

// areaInfo is an area with the scales of its tiles and blocks, which do not overlap those of other areas.
type areaInfo struct {
	ID      sim.AreaID
	Name    string
	PvP     bool
	Portals []struct {
		X, Z float32
		To   *sim.AreaID
	}
	Tiles struct {
		UnitsPerTile float32
		BaseX, BaseZ uint16
		Plane        uint8
	}
	Blocks struct {
		UnitsPerBlock float32
		Origin        geom.Vec
		Height        float32
	}
}

// entrance is a portal that leads to another area.
type entrance struct {
	at geom.Vec
	to sim.AreaID
}

func (a *areaInfo) entrances() (list []entrance) {
	for _, p := range a.Portals {
		if p.To != nil {
			list = append(list, entrance{geom.Vec{X: p.X, Z: p.Z}, *p.To})
		}
	}
	return list
}

func (a *areaInfo) tiles() terrain.TileGrid {
	return terrain.TileGrid{UnitsPerTile: a.Tiles.UnitsPerTile, BaseX: a.Tiles.BaseX, BaseZ: a.Tiles.BaseZ, Plane: a.Tiles.Plane}
}

func (a *areaInfo) blocks() terrain.BlockGrid {
	o := a.Blocks.Origin
	return terrain.BlockGrid{
		UnitsPerBlock: a.Blocks.UnitsPerBlock, Height: a.Blocks.Height, Origin: [3]int32{int32(o.X), int32(o.Y), int32(o.Z)},
	}
}

// areaExtent is the radius in units around the middle of an area that belongs to the area. It is more than the distance of any
// player from the middle of its area, and less than half of the distance between two areas in the coordinates of any client.
const areaExtent = 400

// areaNamed returns the area with a name, or nil if there is none.
func (w *worldInfo) areaNamed(name string) *areaInfo {
	for i := range w.Areas {
		if w.Areas[i].Name == name {
			return &w.Areas[i]
		}
	}
	return nil
}

// atTile returns the area that contains a tile, and the position of the tile's middle. The area is nil if no area contains the
// tile.
func (w *worldInfo) atTile(t terrain.Tile) (*areaInfo, geom.Vec) {
	for i := range w.Areas {
		if at := w.Areas[i].tiles().Centre(t); geom.DistXZ(at, geom.Vec{}) < areaExtent {
			return &w.Areas[i], at
		}
	}
	return nil, geom.Vec{}
}

// atBlock returns the area that contains a point in block coordinates, and the point's position in units. The area is nil if no
// area contains the point.
func (w *worldInfo) atBlock(p geom.Vec) (*areaInfo, geom.Vec) {
	for i := range w.Areas {
		if at := w.Areas[i].blocks().ToWorld(p); geom.DistXZ(at, geom.Vec{}) < areaExtent {
			return &w.Areas[i], at
		}
	}
	return nil, geom.Vec{}
}

// readWorld reads the areas from the console.
func (s *server) readWorld(ctx context.Context) (*worldInfo, error) {
	w := &worldInfo{}
	if err := s.get(ctx, "world", w); err != nil {
		return nil, err
	}
	if len(w.Areas) != areaCount {
		return nil, fmt.Errorf("the server has %d areas, not the %d of the test's world", len(w.Areas), areaCount)
	}
	return w, nil
}
