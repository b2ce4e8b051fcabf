package sim

import (
	"fmt"

	"github.com/truestep-io/truestep/sim/geom"
)

// Redefine returns a copy of the area that continues under another definition of its world, after a reload of the world file
// between two ticks. It does not change a. The result is equal to an area that is restored from its snapshot, so a tape can
// continue from there. The new world w must equal the world of a in its ticks per second, the names and terrain of its areas, its
// attributes and its schema. Redefine returns an error if the state of a refers to something that w does not have, such as a
// template.
//
// What changes in the state:
//
//   - NPCs get each value of their template that has changed, unless the value was changed in play: attributes, resistances, ratings
//     and equipment. Players keep theirs.
//   - Spawns are matched by template and home. The NPCs of a spawn that is gone leave the area in the next tick; those beyond a new
//     maximum stay until they die. A new spawn creates its first NPC in the next tick.
//   - Waypoints are matched by position. If no waypoint was added or removed, those without a match are matched by number. An
//     NPC whose waypoint has moved walks to the new position. An NPC whose waypoint is gone walks to the home of its spawn.
//   - Portals are matched by name.
//   - The positions of earlier ticks, which are stored for lag compensation, are deleted if the number of stored ticks changes.
func (a *Area) Redefine(w *World) (*Area, error) {
	if int(a.id) >= len(w.Areas) || w.Areas[a.id].Name != a.def.Name {
		return nil, fmt.Errorf("the new world must have area %q at index %d of its areas, as the present world has", a.def.Name, a.id)
	}
	next := &Area{}
	a.CloneInto(next)
	if err := next.adopt(w); err != nil {
		return nil, err
	}
	restored, err := Restore(w, next.Snapshot(nil))
	if err != nil {
		return nil, fmt.Errorf("cannot restore area %q in the new world, which may lack something that the area uses: %w", a.def.Name, err)
	}
	return restored, nil
}

// adopt makes w the world of the area. It does not update values that are computed from the world, because the caller restores
// the area from a snapshot afterwards.
func (a *Area) adopt(w *World) error {
	before, old := a.world, a.def
	a.world, a.def = w, &w.Areas[a.id]
	if ticks := w.rewindTicks(); ticks != a.rewindTicks {
		a.rewindTicks = ticks
		for i := range a.places {
			a.places[i].list = a.places[i].list[:0]
		}
	}
	spawns := matchSpawns(old, a.def)
	a.adoptSpawns(spawns)
	for _, x := range a.actors {
		tmpl := w.Template(x.tmpl.ID)
		if tmpl == nil {
			return fmt.Errorf("area %q contains %s, an actor of template %d, which the new definition of the world lacks", old.Name, x.name, x.tmpl.ID)
		}
		if !x.player {
			x.adoptTemplate(before, w, tmpl)
		}
		x.tmpl = tmpl
		a.adoptPlaces(x, old, spawns)
	}
	return nil
}

// matchSpawns returns for each spawn of the old definition the index of its match in the new definition. The match is a spawn of
// the same template at the same place or, if there is none, the first spawn of the same template that has no other match. The
// index is -1 if there is neither.
func matchSpawns(old, now *AreaDef) []int32 {
	match := make([]int32, len(old.Spawns))
	taken := make([]bool, len(now.Spawns))
	for i := range match {
		match[i] = -1
	}
	for _, samePlace := range [...]bool{true, false} {
		for i := range old.Spawns {
			s := &old.Spawns[i]
			for j := range now.Spawns {
				t := &now.Spawns[j]
				if match[i] < 0 && !taken[j] && s.Template == t.Template && (!samePlace || old.home(s) == now.home(t)) {
					match[i], taken[j] = int32(j), true
				}
			}
		}
	}
	return match
}

// home returns the waypoint around which spawn s creates its actors. Only the position of the waypoint is set, so that two
// definitions of the area can be compared.
func (d *AreaDef) home(s *Spawn) Waypoint {
	if s.Waypoint < 0 || int(s.Waypoint) >= len(d.Waypoints) {
		return Waypoint{}
	}
	return Waypoint{Pos: d.Waypoints[s.Waypoint].Pos}
}

// adoptSpawns moves the state of each spawn to the index that the spawn has in the new definition. The parameter match is the
// result of matchSpawns. A spawn that is new creates an actor in the next tick.
func (a *Area) adoptSpawns(match []int32) {
	now := make([]spawnState, len(a.def.Spawns))
	for j := range now {
		now[j].due = a.now + 1
	}
	for i, j := range match {
		if j >= 0 {
			now[j] = a.spawns[i]
		}
	}
	a.spawns = now
}

// adoptTemplate gives an NPC those values of its template that a reload of the world file has changed. It leaves a value that was
// changed in play.
func (x *actor) adoptTemplate(before, w *World, tmpl *Template) {
	old := x.tmpl
	for i := range x.attr {
		have, was, is := &x.attr[i], old.Attr[i], tmpl.Attr[i]
		if have.Max != was.Max {
			continue
		}
		if have.Value == was.Value {
			have.Value = is.Value
		}
		have.Max = is.Max
		have.Value = min(have.Value, have.Max)
	}
	for i := range x.resist {
		if x.resist[i] == old.Resist[i] {
			x.resist[i] = tmpl.Resist[i]
		}
	}
	if x.homeFaction == old.Faction {
		x.homeFaction = tmpl.Faction
	}
	was, is := &before.Factions[old.Faction].Ratings, &w.Factions[tmpl.Faction].Ratings
	for i := range x.ratings {
		if x.ratings[i] == was[i] {
			x.ratings[i] = is[i]
		}
	}
	for slot := range x.inv {
		if was, is := kitAt(old, slot), kitAt(tmpl, slot); was != is && x.inv[slot] == was {
			x.inv[slot] = is
		}
	}
}

// kitAt returns the item that new NPCs of a template have in an inventory slot.
func kitAt(t *Template, slot int) ItemStack {
	if slot < len(t.Kit) {
		return t.Kit[slot]
	}
	return ItemStack{}
}

// adoptPlaces updates the indices that an actor stores: those of its spawn, its waypoint and its last portal. An index in the old
// definition of the area is replaced by the index of the same spawn, waypoint or portal in the new definition.
func (a *Area) adoptPlaces(x *actor, old *AreaDef, spawns []int32) {
	if x.lastPortal >= 0 && int(x.lastPortal) < len(old.Portals) {
		x.lastPortal = a.def.portalNamed(old.Portals[x.lastPortal].Name, x.lastPortal)
	}
	if x.spawn >= 0 {
		if x.spawn = spawns[x.spawn]; x.spawn < 0 { // its spawn is gone: as an abandoned mount, it leaves the area unless a player rides it
			x.spawn, x.waypoint, x.pauseTick = -1, -1, a.now
		}
	}
	if x.waypoint < 0 {
		return
	}
	same := a.def.waypointAt(old.Waypoints[x.waypoint].Pos, x.waypoint)
	switch {
	case same >= 0:
		x.waypoint = same
		return
	case len(old.Waypoints) == len(a.def.Waypoints): // the waypoint was moved: its index is unchanged
	case x.spawn >= 0:
		x.waypoint = a.def.Spawns[x.spawn].Waypoint
	default:
		x.waypoint = -1
		return
	}
	if x.mode.roams() {
		to := a.def.Waypoints[x.waypoint].Pos
		x.mode = modePatrol
		x.headFor(to.X, to.Z)
	}
}

// waypointAt returns the index of the waypoint at a position, -1 if there is none. If there are several, it returns prefer if
// this is the index of one of them, otherwise the first. Unused waypoints are ignored.
func (d *AreaDef) waypointAt(pos geom.Vec, prefer int32) int32 {
	if int(prefer) < len(d.Waypoints) && d.Waypoints[prefer].Used && d.Waypoints[prefer].Pos == pos {
		return prefer
	}
	for i := range d.Waypoints {
		if d.Waypoints[i].Used && d.Waypoints[i].Pos == pos {
			return int32(i)
		}
	}
	return -1
}

// portalNamed returns the index of the portal with a name, -1 if there is none. If there are several, it returns prefer if this
// is the index of one of them, otherwise the first.
func (d *AreaDef) portalNamed(name string, prefer int32) int32 {
	if int(prefer) < len(d.Portals) && EqualFold(d.Portals[prefer].Name, name) {
		return prefer
	}
	return int32(d.PortalNamed(name))
}
