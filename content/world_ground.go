package content

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// defaultTiles is where tile-stepping doors find an area that does not say it: the origin in the middle of the map of
// such games, so that both directions have room, and a tile that is as long as a blow reaches.
var defaultTiles = terrain.TileGrid{UnitsPerTile: 7, BaseX: 3200, BaseZ: 3200}

// tiles reads tiles = { size = 7, base = [3200, 3200], plane = 0 }.
func (b *builder) tiles(t *table, g *terrain.TileGrid) {
	*g = defaultTiles
	s := t.sub("tiles")
	if s == nil {
		return
	}
	s.f32("size", &g.UnitsPerTile, 0.01, 1000)
	if base := b.numbers(s, "base", 2, 0, terrain.MaxTile); base != nil {
		g.BaseX, g.BaseZ = uint16(base[0]), uint16(base[1])
	}
	whole(s, "plane", &g.Plane, 0, terrain.MaxPlane)
	s.done()
}

// solids reads [[area.solid]] and derives what stands in the way of paths.
func (b *builder) solids(t *table, a *sim.AreaDef) (made []terrain.BlockSolid) {
	var solids []terrain.Solid
	for _, st := range t.list("solid") {
		st.named("solid", "name")
		st.get("name") // only for messages and people
		var from, to geom.Vec
		st.point("from", &from)
		st.point("to", &to)
		block := unsaid
		st.block("block", &block)
		solids = append(solids, terrain.Solid{
			Min: geom.Vec{X: min(from.X, to.X), Y: min(from.Y, to.Y), Z: min(from.Z, to.Z)},
			Max: geom.Vec{X: max(from.X, to.X), Y: max(from.Y, to.Y), Z: max(from.Z, to.Z)},
		})
		made = append(made, terrain.BlockSolid{Solid: solids[len(solids)-1], Block: block})
		st.done()
	}
	a.Solids = solids
	if len(solids) == 0 || len(t.src.problems) > 0 {
		return made
	}
	ground, err := terrain.NewTiles(terrain.TileSpec{Grid: a.Tiles}, solids)
	if err != nil {
		t.fail("solid", "%v", err)
		return made
	}
	a.Ground = ground
	return made
}
