package main

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// demoAtlas is what bots know of the world from the start, as players do who have been there: the roads, the walls, the
// waters, and what may be fought. It is read-only.
type demoAtlas struct {
	world *sim.World
	home  sim.AreaID      // where players begin
	start geom.Vec        // and at which place
	foes  map[string]bool // NPCs by name: whether a player may fight them
}

func newDemoAtlas(w *sim.World) *demoAtlas {
	a := &demoAtlas{world: w, foes: map[string]bool{}}
	var ratings *[combat.Factions]uint8
	for i := range w.Templates {
		t := &w.Templates[i]
		if !t.Playable {
			continue
		}
		if t.StartArea >= 0 && int(t.StartArea) < len(w.Areas) {
			a.home = t.StartArea
			if ps := w.Areas[a.home].Portals; t.StartPortal >= 0 && t.StartPortal < len(ps) {
				a.start = ps[t.StartPortal].Pos
			}
		}
		if int(t.Faction) < len(w.Factions) {
			ratings = &w.Factions[t.Faction].Ratings
		}
		break
	}
	for i := range w.Templates {
		t := &w.Templates[i]
		if t.Playable {
			continue
		}
		friend := ratings != nil && int(t.Faction) < len(ratings) && ratings[t.Faction] > w.Rules.Combat.FriendlyAbove
		a.foes[t.Race] = t.Temper != combat.NonCombatant && !friend
	}
	return a
}

// mayFight tells whether a bot in that area may strike whom clients show by that name. Where players fight each other
// it leaves NPCs alone, or it would hew at dummies all day.
func (a *demoAtlas) mayFight(area sim.AreaID, name string) bool {
	foe, npc := a.foes[name]
	pvp := a.world.Areas[area].PvP
	return npc && foe && !pvp || !npc && pvp
}

// clear tells whether one can walk straight from one place to another, without a wall or water between. Who is in the
// water may walk through it.
func (a *demoAtlas) clear(area sim.AreaID, from, to geom.Vec) bool {
	def := &a.world.Areas[area]
	tile, ok := def.Tiles.ToTile(from)
	if !ok {
		return false
	}
	swims := wet(def, from)
	n := int(min(geom.DistXZ(from, to)/min(1, def.Tiles.UnitsPerTile/2), mostLooks)) + 1
	for i := 1; i <= n; i++ {
		share := float32(i) / float32(n)
		at := geom.Vec{X: from.X + (to.X-from.X)*share, Z: from.Z + (to.Z-from.Z)*share}
		next, ok := def.Tiles.ToTile(at)
		if !ok || !swims && wet(def, at) || next != tile && !steps(def, tile, next) {
			return false
		}
		tile = next
	}
	return true
}

const mostLooks = 4096 // on a way, for walls and water

// steps tells whether one may step from a tile to one beside it.
func steps(def *sim.AreaDef, from, to terrain.Tile) bool {
	dx, dz := int(to.X)-int(from.X), int(to.Z)-int(from.Z)
	return dx*dx <= 1 && dz*dz <= 1 && def.Ground.CanStep(from.X, from.Z, dx, dz)
}

func wet(def *sim.AreaDef, p geom.Vec) bool {
	for i := range def.Waters {
		if w := &def.Waters[i]; p.X >= w.X && p.X <= w.X+w.Width && p.Z >= w.Z && p.Z <= w.Z+w.Depth {
			return true
		}
	}
	return false
}

// arena is the area nearest by portals in which players fight each other.
func (a *demoAtlas) arena(from sim.AreaID) (sim.AreaID, bool) {
	return a.search(from, func(id sim.AreaID) bool { return a.world.Areas[id].PvP }, nil)
}

// exit is the entrance through which the shortest way to another area begins.
func (a *demoAtlas) exit(from, to sim.AreaID) (sim.Portal, bool) {
	var first sim.Portal
	_, ok := a.search(from, func(id sim.AreaID) bool { return id == to && id != from }, &first)
	return first, ok
}

// search looks for the nearest area that want accepts, and for the first entrance on the way to it.
func (a *demoAtlas) search(from sim.AreaID, want func(sim.AreaID) bool, first *sim.Portal) (sim.AreaID, bool) {
	type step struct {
		area  sim.AreaID
		first sim.Portal
	}
	seen := make([]bool, len(a.world.Areas))
	seen[from] = true
	for queue := []step{{area: from}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if want(at.area) {
			if first != nil {
				*first = at.first
			}
			return at.area, true
		}
		for _, p := range a.world.Areas[at.area].Portals {
			if p.ToArea < 0 || seen[p.ToArea] {
				continue
			}
			seen[p.ToArea] = true
			next := step{p.ToArea, at.first}
			if at.area == from {
				next.first = p
			}
			queue = append(queue, next)
		}
	}
	return sim.NoArea, false
}

// neighbours are the areas to which an area has an entrance, in the order of the world file.
func (a *demoAtlas) neighbours(of sim.AreaID) (list []sim.AreaID) {
	for _, p := range a.world.Areas[of].Portals {
		if p.ToArea >= 0 && p.ToArea != of {
			list = append(list, p.ToArea)
		}
	}
	return list
}
