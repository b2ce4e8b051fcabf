package demo

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// worldMap contains what bots know about the world: portals, walls, water, and which NPCs players may fight. It is read-only
// and safe for concurrent use.
type worldMap struct {
	world     *sim.World
	playable  []uint16        // template ids that a new character may have, in the world's order
	startArea sim.AreaID      // area in which a character with the first playable template starts
	startPos  geom.Vec        // position at which a character with the first playable template starts
	hostile   map[string]bool // by name of an NPC: whether players may fight it
}

func newWorldMap(w *sim.World) *worldMap {
	m := &worldMap{world: w, hostile: map[string]bool{}}
	for i := range w.Templates {
		if t := &w.Templates[i]; t.Playable {
			m.playable = append(m.playable, t.ID)
		}
	}
	var ratings *[combat.Factions]uint8
	for i := range w.Templates {
		t := &w.Templates[i]
		if !t.Playable {
			continue
		}
		if t.StartArea >= 0 && int(t.StartArea) < len(w.Areas) {
			m.startArea = t.StartArea
			if ps := w.Areas[m.startArea].Portals; t.StartPortal >= 0 && t.StartPortal < len(ps) {
				m.startPos = ps[t.StartPortal].Pos
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
		m.hostile[t.Race] = t.Temper != combat.NonCombatant && !friend
	}
	return m
}

// template returns the template id for the character of bot i, or 0 if the world has no playable template.
func (m *worldMap) template(i int) uint16 {
	if len(m.playable) == 0 {
		return 0
	}
	return m.playable[i%len(m.playable)]
}

// mayFight reports whether a bot in an area may attack an actor with the given name. In areas in which players may fight each
// other (PvP), bots fight only players, because otherwise they would attack the training dummies there. In other areas they fight
// only hostile NPCs.
func (m *worldMap) mayFight(area sim.AreaID, name string) bool {
	hostile, npc := m.hostile[name]
	pvp := m.world.Areas[area].PvP
	return npc && hostile && !pvp || !npc && pvp
}

// canWalk reports whether the straight line between two positions crosses neither a wall nor water. A line that begins in
// water may cross water.
func (m *worldMap) canWalk(area sim.AreaID, from, to geom.Vec) bool {
	def := &m.world.Areas[area]
	tile, ok := def.Tiles.ToTile(from)
	if !ok {
		return false
	}
	swimming := inWater(def, from)
	n := int(min(geom.DistXZ(from, to)/min(1, def.Tiles.UnitsPerTile/2), maxLineSteps)) + 1
	for i := 1; i <= n; i++ {
		share := float32(i) / float32(n)
		at := geom.Vec{X: from.X + (to.X-from.X)*share, Z: from.Z + (to.Z-from.Z)*share}
		next, ok := def.Tiles.ToTile(at)
		if !ok || !swimming && inWater(def, at) || next != tile && !canStep(def, tile, next) {
			return false
		}
		tile = next
	}
	return true
}

const maxLineSteps = 4096 // maximum number of points that canWalk tests on a line

// canStep reports whether an actor may walk from a tile to an adjacent tile.
func canStep(def *sim.AreaDef, from, to terrain.Tile) bool {
	dx, dz := int(to.X)-int(from.X), int(to.Z)-int(from.Z)
	return dx*dx <= 1 && dz*dz <= 1 && def.Ground.CanStep(from.X, from.Z, dx, dz)
}

func inWater(def *sim.AreaDef, p geom.Vec) bool {
	for i := range def.Waters {
		if w := &def.Waters[i]; p.X >= w.X && p.X <= w.X+w.Width && p.Z >= w.Z && p.Z <= w.Z+w.Depth {
			return true
		}
	}
	return false
}

// nearestPvP returns the PvP area that can be reached through the fewest portals. The second result is false if there is
// none.
func (m *worldMap) nearestPvP(from sim.AreaID) (sim.AreaID, bool) {
	return m.search(from, func(id sim.AreaID) bool { return m.world.Areas[id].PvP }, nil)
}

// portalToward returns the first portal of the shortest route to another area. The second result is false if there is no
// route.
func (m *worldMap) portalToward(from, to sim.AreaID) (sim.Portal, bool) {
	var first sim.Portal
	_, ok := m.search(from, func(id sim.AreaID) bool { return id == to && id != from }, &first)
	return first, ok
}

// search returns the nearest area for which accept returns true: the one that can be reached through the fewest portals
// (breadth-first search). The parameter from is the area in which the route begins. If first is not nil, search stores in it the
// first portal of the route.
func (m *worldMap) search(from sim.AreaID, accept func(sim.AreaID) bool, first *sim.Portal) (sim.AreaID, bool) {
	type step struct {
		area  sim.AreaID
		first sim.Portal
	}
	seen := make([]bool, len(m.world.Areas))
	seen[from] = true
	for queue := []step{{area: from}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if accept(at.area) {
			if first != nil {
				*first = at.first
			}
			return at.area, true
		}
		for _, p := range m.world.Areas[at.area].Portals {
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

// neighbours returns the areas to which an area has portals, in the order of the world file.
func (m *worldMap) neighbours(of sim.AreaID) (list []sim.AreaID) {
	for _, p := range m.world.Areas[of].Portals {
		if p.ToArea >= 0 && p.ToArea != of {
			list = append(list, p.ToArea)
		}
	}
	return list
}
