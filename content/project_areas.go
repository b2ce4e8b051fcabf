package content

import (
	"fmt"
	"strings"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

const (
	defaultPortalRadius = 5
	maxRange            = 10_000 // maximum of a spawn's range and size in world units, as in the project's editor
	spawnFloorMS        = 1000   // minimum period of spawns in ms; with period 0 a spawn would fill its area within a second
)

// importAreas imports the areas in the order of their files, except for the spawns, which need the templates.
func (b *projectBuilder) importAreas() {
	for _, r := range b.raw.areas {
		a := sim.AreaDef{Name: r.Name, PvP: r.Pvp, Gravity: r.Gravity, Outdoors: r.Outdoors, WeatherChance: b.importWeather(r), Tiles: defaultTiles}
		if r.Gravity > 1000 {
			b.files.warn("GRAVITY", areaFile(r), "area", "gravity %d is outside 0..1000: clients receive this value", r.Gravity)
		}
		a.Waypoints = b.importWaypoints(r)
		for i := range r.Waters {
			a.Waters = append(a.Waters, b.importWater(r, i))
		}
		slots := map[int]int{}
		for i := range r.Portals {
			if p := &r.Portals[i]; p.Name != "" {
				slots[i] = len(a.Portals)
				a.Portals = append(a.Portals, b.importPortal(r, i, a.Portals))
			}
		}
		a.BlockGrid = defaultBlockGrid(&a)
		b.listAreaScripts(r)
		b.w.Areas = append(b.w.Areas, a)
		b.appearance.Maps = append(b.appearance.Maps, b.importMap(r))
		b.slots = append(b.slots, slots)
	}
	for i, r := range b.raw.areas {
		b.linkPortals(r, sim.AreaID(i))
	}
}

func areaFile(r *rcArea) string { return areaFolder + "/" + r.Name + ".dat" }

// importWeather returns the weather chances of an area. If the area is linked to another area, it returns those of that
// other area, even if the other area is linked in turn.
func (b *projectBuilder) importWeather(r *rcArea) [5]uint8 {
	if r.WeatherLink == "" {
		return r.WeatherChance
	}
	for _, o := range b.raw.areas {
		if sim.EqualFold(o.Name, r.WeatherLink) {
			return o.WeatherChance
		}
	}
	b.files.warn("WEATHER-LINK", areaFile(r), "area", "weatherLink '%s' does not exist: the area has its own weather", r.WeatherLink)
	return r.WeatherChance
}

// importWaypoints imports the waypoint slots up to the last one that is in use or that a spawn refers to. Unused slots in
// between are included, so that the indices match the file.
func (b *projectBuilder) importWaypoints(r *rcArea) []sim.Waypoint {
	n := 0
	for i, w := range r.Waypoints {
		if w.Prev != rcUnused {
			n = i + 1
		}
	}
	for _, s := range r.Spawns {
		if s.Max > 0 && int(s.Waypoint) < rcWaypoints {
			n = max(n, int(s.Waypoint)+1)
		}
	}
	list := make([]sim.Waypoint, n)
	for i := range r.Waypoints {
		w, where := &r.Waypoints[i], fmt.Sprintf("waypoint %d", i)
		if w.Prev == rcUnused {
			if w.X != 0 || w.Y != 0 || w.Z != 0 {
				b.files.warn("WAYPOINT-STALE", areaFile(r), where, "the waypoint is unused (prev is 2005), but has a position: no actor walks to it")
			}
		} else {
			b.warnDanglingLink(r, where, "nextA", w.NextA)
			b.warnDanglingLink(r, where, "nextB", w.NextB)
			b.warnDanglingLink(r, where, "prev", w.Prev)
		}
		if i < n {
			list[i] = sim.Waypoint{
				Pos: geom.Vec{X: w.X, Y: w.Y, Z: w.Z}, Used: w.Prev != rcUnused,
				NextA: waypointLink(r, w.NextA), NextB: waypointLink(r, w.NextB), Prev: waypointLink(r, w.Prev),
				PauseMS: b.clampWarn(areaFile(r), where, "pause", w.Pause, 0, maxPauseS) * 1000,
			}
		}
	}
	return list
}

// warnDanglingLink warns about a link to an unused waypoint slot. In the RealmCrafter server NPCs walk there; in this
// server they do not.
func (b *projectBuilder) warnDanglingLink(r *rcArea, where, name string, link uint16) {
	if link < rcWaypoints && r.Waypoints[link].Prev == rcUnused {
		b.files.warn("WAYPOINT-DANGLING", areaFile(r), where, "%s leads to waypoint %d, which is unused: the link is ignored", name, link)
	}
}

// waypointLink converts a link that is stored in the file to the index of a waypoint. It returns -1 if there is no link, or if
// the link refers to an unused slot.
func waypointLink(r *rcArea, link uint16) int32 {
	if link >= rcWaypoints || r.Waypoints[link].Prev == rcUnused {
		return -1
	}
	return int32(link)
}

func (b *projectBuilder) importWater(r *rcArea, i int) sim.Water {
	w, where := &r.Waters[i], fmt.Sprintf("water %d", i)
	if w.Width <= 0 || w.Depth <= 0 {
		b.files.warn("WATER-SIZE", areaFile(r), where, "the water has the size %v x %v: it contains no position", w.Width, w.Depth)
	}
	return sim.Water{
		X: w.X, Y: w.Y, Z: w.Z, Width: w.Width, Depth: w.Depth,
		Damage: int32(w.Damage), DamageType: b.damageType(areaFile(r), where, w.DamageType),
	}
}

func portalLocation(r *rcArea, slot int) string {
	return fmt.Sprintf("portal %d %s", slot, r.Portals[slot].Name)
}

// importPortal imports the named portal in a slot. linkPortals sets its destination later. The parameter others has the
// portals of the area that were imported before.
func (b *projectBuilder) importPortal(r *rcArea, slot int, others []sim.Portal) sim.Portal {
	p, where := &r.Portals[slot], portalLocation(r, slot)
	for i := range others {
		if sim.EqualFold(others[i].Name, p.Name) {
			b.files.warn("PORTAL-DUPLICATE", areaFile(r), where, "two portals of the area have this name: links lead to the first one")
			break
		}
	}
	out := sim.Portal{
		Name: p.Name, Pos: geom.Vec{X: p.X, Y: p.Y, Z: p.Z}, Radius: geom.Abs(p.Size), Yaw: p.Yaw, ToArea: sim.NoArea,
	}
	if out.Radius == 0 {
		out.Radius = defaultPortalRadius
		b.files.warn("PORTAL-SIZE", areaFile(r), where, "the size of the portal is 0: players can arrive at it, but not enter it")
	}
	return out
}

// linkPortals sets the destinations of an area's portals. If the destination portal has no name or does not exist, the portal
// leads to the portal in slot 0 of the destination area, even if that slot is unused (see slotZero).
func (b *projectBuilder) linkPortals(r *rcArea, area sim.AreaID) {
	for slot := range r.Portals {
		p := &r.Portals[slot]
		if p.Name == "" || p.LinkArea == "" || p.Size == 0 {
			continue
		}
		where := portalLocation(r, slot)
		to := b.w.AreaNamed(p.LinkArea)
		if to == sim.NoArea {
			b.files.warn("PORTAL-DEST-AREA", areaFile(r), where, "the destination area '%s' does not exist: the portal has no destination", p.LinkArea)
			continue
		}
		dest := portalNamed(&b.w.Areas[to], p.LinkPortal)
		if dest < 0 {
			dest = b.slotZero(to)
			b.warnDestination(r, where, p, to, dest)
		}
		entrance := &b.w.Areas[area].Portals[b.slots[area][slot]]
		entrance.ToArea, entrance.ToPortal = to, dest
	}
}

func (b *projectBuilder) warnDestination(r *rcArea, where string, p *rcPortal, to sim.AreaID, dest int) {
	area, name := b.w.Areas[to].Name, b.w.Areas[to].Portals[dest].Name
	if name == "" {
		name = "an unused slot of the file, used as a position only"
	}
	if p.LinkPortal == "" {
		b.files.warn("PORTAL-DEST-EMPTY", areaFile(r), where, "the destination portal has no name: the portal leads to portal 0 of %s (%s)", area, name)
		return
	}
	b.files.warn("PORTAL-DEST-NAME", areaFile(r), where, "the destination portal '%s' does not exist in %s: the portal leads to portal 0 there (%s)", p.LinkPortal, area, name)
}

// slotZero returns the index of the portal in slot 0 of an area's file. If the slot is unused, it appends a portal
// without name to the area's portals.
func (b *projectBuilder) slotZero(area sim.AreaID) int {
	if i, ok := b.slots[area][0]; ok {
		return i
	}
	def, p := &b.w.Areas[area], &b.raw.areas[area].Portals[0]
	def.Portals = append(def.Portals, sim.Portal{
		Pos: geom.Vec{X: p.X, Y: p.Y, Z: p.Z}, Radius: defaultPortalRadius, Yaw: p.Yaw, ToArea: sim.NoArea,
	})
	b.slots[area][0] = len(def.Portals) - 1
	return b.slots[area][0]
}

// importSpawns imports the spawns of all areas. It skips spawn slots that create no actors.
func (b *projectBuilder) importSpawns() {
	for i, r := range b.raw.areas {
		for slot := range r.Spawns {
			if s, ok := b.importSpawn(r, slot); ok {
				b.w.Areas[i].Spawns = append(b.w.Areas[i].Spawns, s)
			}
		}
	}
}

func (b *projectBuilder) importSpawn(r *rcArea, slot int) (sim.Spawn, bool) {
	s, where, file := &r.Spawns[slot], fmt.Sprintf("spawn %d", slot), areaFile(r)
	missing := b.w.Template(s.Actor) == nil
	switch {
	case s.Max == 0:
		if missing && s.Actor != 0 { // unused slots refer to actor 0
			b.files.warn("SPAWN-ACTOR-INACTIVE", file, where, "the spawn is inactive (max is 0), and its actor %d does not exist", s.Actor)
		}
		return sim.Spawn{}, false
	case missing:
		b.files.warn("SPAWN-ACTOR", file, where, "the spawn's actor %d does not exist: the spawn is disabled", s.Actor)
		return sim.Spawn{}, false
	case s.Waypoint >= rcWaypoints:
		b.files.warn("SPAWN-WAYPOINT", file, where, "the spawn's waypoint %d is outside 0..1999: the spawn is disabled", s.Waypoint)
		return sim.Spawn{}, false
	}
	if r.Waypoints[s.Waypoint].Prev == rcUnused {
		b.files.warn("SPAWN-WAYPOINT-UNUSED", file, where, "the spawn's waypoint %d is unused: actors appear at the position that it had", s.Waypoint)
	}
	if s.Frequency == 0 {
		b.files.warn("SPAWN-FREQ-ZERO", file, where, "the spawn has no delay: one second is used")
	}
	return sim.Spawn{
		Template: s.Actor, Waypoint: int32(s.Waypoint),
		Size:     b.clampRange(file, where, "size", s.Size),
		Range:    b.clampRange(file, where, "range", s.Range),
		Max:      b.clampWarn(file, where, "max", int32(s.Max), 1, maxSpawnMax),
		PeriodMS: max(int32(s.Frequency)*1000, spawnFloorMS),
	}, true
}

func (b *projectBuilder) clampRange(file, where, name string, v float32) float32 {
	got := min(max(v, 0), maxRange)
	if got != v {
		b.files.warn("VALUE-RANGE", file, where, "%s %v is outside 0..%d: %v is used", name, v, maxRange, got)
	}
	return got
}

// listAreaScripts extends the list of the project's scripts by those to which an area refers.
func (b *projectBuilder) listAreaScripts(r *rcArea) {
	file := areaFile(r)
	b.scripts.add(r.EntryScript, file, "area", "nothing happens on entry")
	b.scripts.add(r.ExitScript, file, "area", "nothing happens on leaving")
	for i, t := range r.Triggers {
		b.scripts.add(t.Script, file, fmt.Sprintf("trigger %d", i), "nothing happens there")
	}
	for i, s := range r.Spawns {
		if s.Max == 0 {
			continue
		}
		where := fmt.Sprintf("spawn %d", i)
		b.scripts.add(s.SpawnScript, file, where, "actors appear as their template defines")
		b.scripts.add(s.ActorScript, file, where, "a right click on the actor does nothing, or mounts it")
		b.scripts.add(s.DeathScript, file, where, "a death gives experience only")
	}
}

// warnUnreachable warns about areas that players cannot enter or cannot leave.
func (b *projectBuilder) warnUnreachable() {
	entered := make([]bool, len(b.w.Areas))
	for i := range b.w.Templates {
		if a := b.w.Templates[i].StartArea; a != sim.NoArea {
			entered[a] = true
		}
	}
	for i := range b.w.Areas {
		for _, p := range b.w.Areas[i].Portals {
			if p.ToArea != sim.NoArea && p.ToArea != sim.AreaID(i) {
				entered[p.ToArea] = true
			}
		}
	}
	for i, r := range b.raw.areas {
		exit := false
		for _, p := range b.w.Areas[i].Portals {
			exit = exit || p.ToArea != sim.NoArea
		}
		if !exit {
			b.files.warn("AREA-NO-EXIT", areaFile(r), "area", "no portal of the area leads to another area")
		}
		if !entered[i] {
			b.files.warn("AREA-NO-ENTRY", areaFile(r), "area", "no portal of another area leads here")
		}
	}
}

// warnOwnerships warns about ownership files of areas that do not exist. No known server uses the content of ownership
// files.
func (b *projectBuilder) warnOwnerships() {
	for _, name := range b.files.list(areaFolder+"/Ownerships", " Ownerships.dat") {
		area := name[:len(name)-len(" Ownerships.dat")]
		if cut := strings.LastIndex(area, " ("); cut > 0 {
			area = area[:cut]
		}
		if b.w.AreaNamed(area) == sim.NoArea {
			b.files.warn("OWNERSHIP-NO-AREA", areaFolder+"/Ownerships/"+name, "file", "the area of this ownership file does not exist: the file is not imported")
		}
	}
}
