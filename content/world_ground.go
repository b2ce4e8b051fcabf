package content

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// defaultTiles is the default tile grid of an area. The origin of the area is in the middle of the RuneScape map, so that
// there is space in all directions. The size of a tile is the melee reach.
var defaultTiles = terrain.TileGrid{UnitsPerTile: 7, BaseX: 3200, BaseZ: 3200}

// readTiles reads the tile grid of an area: tiles = { size = 7, base = [3200, 3200], plane = 0 }.
func (b *builder) readTiles(t *table, g *terrain.TileGrid) {
	*g = defaultTiles
	s := t.subtable("tiles")
	if s == nil {
		return
	}
	s.float("size", &g.UnitsPerTile, 0.01, 1000)
	if base := b.readIntegers(s, "base", 2, 0, terrain.MaxTile); base != nil {
		g.BaseX, g.BaseZ = uint16(base[0]), uint16(base[1])
	}
	readInteger(s, "plane", &g.Plane, 0, terrain.MaxPlane)
	s.reportUnknownKeys()
}

// readSolids reads the tables [[area.solid]]: boxes that obstruct players, each made of one kind of block.
func (b *builder) readSolids(t *table) (made []terrain.BlockSolid) {
	for _, st := range t.tables("solid") {
		st.addLabel("solid", "name")
		st.get("name") // the name is used only in messages
		var from, to geom.Vec
		st.vec("from", &from)
		st.vec("to", &to)
		block := defaultSolidBlock
		st.blockKind("block", &block)
		made = append(made, terrain.BlockSolid{Block: block, Solid: terrain.Solid{
			Min: geom.Vec{X: min(from.X, to.X), Y: min(from.Y, to.Y), Z: min(from.Z, to.Z)},
			Max: geom.Vec{X: max(from.X, to.X), Y: max(from.Y, to.Y), Z: max(from.Z, to.Z)},
		}})
		st.reportUnknownKeys()
	}
	return made
}

// deriveCollision builds the tiles and walls of an area from the solids and fills of its blocks. A solid that a predicted
// player can step over or pass under does not obstruct. The parameter hasSettings is true if the world file has settings
// for the area's ground.
func (b *builder) deriveCollision(t *table, a *sim.AreaDef, spec *terrain.BlocksSpec, hasSettings bool) {
	floor := terrain.FloorFromSpec(spec)
	if hasSettings {
		a.Floor = floor
	}
	solids, err := spec.StandingSolids()
	if err == nil && len(solids) > 0 {
		u := spec.Grid.UnitsPerBlock
		a.Solids = solids
		a.Ground, err = terrain.NewTiles(terrain.TileSpec{Grid: a.Tiles, Floor: floor, Low: terrain.StepBlocks * u, High: terrain.HeadroomBlocks * u}, solids)
		if err == nil {
			a.Walls, err = terrain.NewWalls(terrain.WallSpec{Floor: *floor, Solids: solids})
		}
	}
	if err != nil {
		t.fail("solid", "%v", err)
	}
}

// warnPlacesInSolids warns about portals and waypoints inside solids, because an actor that is placed there can only walk out.
func warnPlacesInSolids(t *table, a *sim.AreaDef) {
	for i := range a.Portals {
		if p := &a.Portals[i]; a.Walls.Inside(p.Pos, false) {
			t.warn("PORTAL-SOLID", "portal %s is inside a solid: players arrive inside the solid and have to walk out", p.Name)
		}
	}
	for i := range a.Waypoints {
		if p := &a.Waypoints[i]; p.Used && a.Walls.Inside(p.Pos, true) {
			t.warn("WAYPOINT-SOLID", "the waypoint at [%v, %v, %v] is inside a solid: patrols turn around at the nearest point that they can reach", p.Pos.X, p.Pos.Y, p.Pos.Z)
		}
	}
}
