package content

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Walking speeds of players by authority, which show whether the scales of tiles and blocks fit together. A predicted player
// walks 4.317 blocks per second. Source: docs/wire/bedrock.md, movement physics, the terminal speed of walking.
const (
	blocksPerSecond = 4.317
	tilesPerSecond  = 1000.0 / move.CycleMS
	maxSpeedRatio   = 8 // maximum ratio of walking speeds, not measured; if it were larger, players of one door could not catch players of another
)

// checkScales refuses areas whose scales of tiles and blocks contradict the world or each other. It checks only scales that the
// file sets. For example, an area without a tiles setting may be larger than the tile map.
func (b *builder) checkScales(list []*table) {
	for i, t := range list[:min(len(list), len(b.w.Areas))] {
		a := &b.w.Areas[i]
		tiles, blocks := t.has("tiles"), t.has("blocks")
		if tiles && a.Tiles.Check() == nil {
			b.checkTiles(t, a)
		}
		if blocks && a.BlockGrid.Check() == nil {
			b.checkBlocks(t, a)
		}
		if tiles && blocks && a.Tiles.UnitsPerTile > 0 && a.BlockGrid.UnitsPerBlock > 0 {
			walk, step := blocksPerSecond*float64(a.BlockGrid.UnitsPerBlock), tilesPerSecond*float64(a.Tiles.UnitsPerTile)
			if walk > maxSpeedRatio*step || step > maxSpeedRatio*walk {
				t.fail("blocks", "blocks of %v units and tiles of %v contradict each other: players walk %.3g units per second on blocks and %.3g on tiles; make the two similar",
					a.BlockGrid.UnitsPerBlock, a.Tiles.UnitsPerTile, walk, step)
			}
		}
	}
}

// checkTiles checks that every position of the area is on a tile, and that actors on adjacent tiles are within melee
// reach.
func (b *builder) checkTiles(t *table, a *sim.AreaDef) {
	for place, at := range spawnPositions(a) {
		if _, ok := a.Tiles.ToTile(at); !ok {
			t.fail("tiles", "%s is off the map of tiles, which has 0..%d: with size %v it would be tile %.0f, %.0f; use another base or a larger size",
				place, terrain.MaxTile, a.Tiles.UnitsPerTile, tileAt(at.X, a.Tiles.UnitsPerTile, a.Tiles.BaseX), tileAt(at.Z, a.Tiles.UnitsPerTile, a.Tiles.BaseZ))
			return
		}
	}
	thin := float32(math.Inf(1))
	for i := range b.w.Templates {
		if tpl := &b.w.Templates[i]; tpl.Playable {
			thin = min(thin, tpl.Radius)
		}
	}
	if reach := b.w.Rules.Combat.MeleeReach + 2*thin; reach < a.Tiles.UnitsPerTile {
		t.fail("tiles", "tiles of %v units contradict melee_reach: players on adjacent tiles are beyond melee reach, which is %v including their radii; use smaller tiles or a larger melee_reach",
			a.Tiles.UnitsPerTile, reach)
	}
}

func tileAt(v, size float32, base uint16) float64 {
	return math.Floor(float64(v)/float64(size)) + float64(base)
}

// checkBlocks checks that every position of the area is within the minimum and maximum block height.
func (b *builder) checkBlocks(t *table, a *sim.AreaDef) {
	for place, at := range spawnPositions(a) {
		if p := a.BlockGrid.ToBlocks(at); p.Y < terrain.MinBlockY || p.Y > terrain.MaxBlockY+1 {
			t.fail("blocks", "%s is at block height %.0f, beyond %d to %d: change origin or units", place, p.Y, terrain.MinBlockY, terrain.MaxBlockY)
			return
		}
	}
}

// spawnPositions returns an iterator over the positions in an area at which players can be placed. With each position it
// yields a name of the position for messages.
func spawnPositions(a *sim.AreaDef) func(yield func(string, geom.Vec) bool) {
	return func(yield func(string, geom.Vec) bool) {
		for i := range a.Portals {
			if p := &a.Portals[i]; !yield("portal "+p.Name, p.Pos) {
				return
			}
		}
	}
}
