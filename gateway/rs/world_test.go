package rs

import (
	"slices"
	"time"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// valeWithoutNPCs returns the embedded world without NPCs.
func valeWithoutNPCs() *sim.World {
	w := content.DefaultWorld().World
	for i := range w.Areas {
		w.Areas[i].Spawns = nil
	}
	return w
}

// slowVale returns valeWithoutNPCs with few ticks per second, for tests in which much virtual time passes and nothing moves.
func slowVale() *sim.World {
	w := valeWithoutNPCs()
	w.TicksPerSecond = 5
	return w
}

// pvpWorld returns valeWithoutNPCs with PvP everywhere, a portal to area Ring five tiles east of the start position, and a
// portal back near the arrival position there.
func pvpWorld() *sim.World {
	w := valeWithoutNPCs()
	for i := range w.Areas {
		w.Areas[i].PvP = true
	}
	vale, ring := &w.Areas[w.AreaNamed("Truestep Vale")], &w.Areas[w.AreaNamed("The Ring")]
	ring.Tiles.BaseX, ring.Ground = 3500, nil
	at := vale.Tiles.Centre(tileEast(vale, 5))
	sand := slices.IndexFunc(ring.Portals, func(p sim.Portal) bool { return p.Name == "Sand" })
	green := slices.IndexFunc(vale.Portals, func(p sim.Portal) bool { return p.Name == "Green" })
	vale.Portals = append(vale.Portals, sim.Portal{Name: "Gate", Pos: at, Radius: 3, ToArea: w.AreaNamed("The Ring"), ToPortal: sand})
	ring.Portals = append(ring.Portals, sim.Portal{Name: "Gate", Pos: ring.Tiles.Centre(tileEast(ring, 5)), Radius: 3, ToArea: w.AreaNamed("Truestep Vale"), ToPortal: green})
	return w
}

// tileEast returns the tile n tiles east of an area's centre.
func tileEast(a *sim.AreaDef, n uint16) terrain.Tile {
	t, _ := a.Tiles.ToTile(geom.Vec{})
	t.X += n
	return t
}

// lingerTime is how long players without a connection stay in the world under the default rules.
const lingerTime = 10 * time.Second
