package content

import (
	"fmt"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

const (
	maxPauseS  = 3600   // maximum seconds that an NPC rests at a waypoint
	maxPeriodS = 86_400 // maximum seconds between two spawned actors
)

// readWaypoints reads [[area.waypoint]] and [[area.path]]. It returns the names of the waypoints, by the indices of
// a.Waypoints.
func (b *builder) readWaypoints(t *table, a *sim.AreaDef) []string {
	var names []string
	list := t.tables("waypoint")
	for _, wt := range list {
		wt.addLabel("waypoint", "name")
		w := sim.Waypoint{Used: true, NextA: -1, NextB: -1, Prev: -1}
		var name string
		wt.newName(&name, names)
		wt.vec("at", &w.Pos)
		w.PauseMS = wt.seconds("pause", 0, 0, maxPauseS)
		names = append(names, name)
		a.Waypoints = append(a.Waypoints, w)
	}
	for _, pt := range t.tables("path") {
		names = b.readPatrol(pt, a, names)
	}
	for i, wt := range list {
		w := &a.Waypoints[i]
		wt.waypointRef("next", &w.NextA, names)
		wt.waypointRef("or", &w.NextB, names)
		wt.waypointRef("prev", &w.Prev, names)
		wt.reportUnknownKeys()
	}
	return names
}

func (t *table) waypointRef(key string, into *int32, names []string) {
	if i, ok := readName(t, key, "waypoint", names); ok {
		*into = int32(i)
	}
}

// readPatrol reads a path: a sequence of waypoints "name 1", "name 2" and so on, each of which leads to the next. From the last
// waypoint the path leads to the first one or, with back = true, back along the same waypoints.
func (b *builder) readPatrol(t *table, a *sim.AreaDef, names []string) []string {
	t.addLabel("path", "name")
	var name string
	t.newName(&name, names)
	pauseMS := t.seconds("pause", 0, 0, maxPauseS)
	var back bool
	t.boolean("back", &back)
	var points []geom.Vec
	if t.require("points", "[[x, y, z], [x, y, z]]") {
		points = t.points("points")
	}
	t.reportUnknownKeys()
	if back {
		for i := len(points) - 2; i > 0; i-- {
			points = append(points, points[i])
		}
	}
	first := len(a.Waypoints)
	for i, p := range points {
		w := sim.Waypoint{Pos: p, Used: true, NextB: -1, PauseMS: pauseMS}
		w.NextA = int32(first + (i+1)%len(points))
		w.Prev = int32(first + (i+len(points)-1)%len(points))
		a.Waypoints = append(a.Waypoints, w)
		names = append(names, fmt.Sprintf("%s %d", name, i+1))
	}
	return names
}

// points reads a list of at least two positions. It returns nil if the list is invalid.
func (t *table) points(key string) []geom.Vec {
	list := t.array(key)
	var points []geom.Vec
	for i, v := range list {
		at := fmt.Sprintf("%s[%d]", key, i)
		c, is := v.([]any)
		if !is {
			t.fail(at, "%s contains %s: write [x, y, z]", key, kindOf(v))
			return nil
		}
		f := t.coordList(at, c, 3, -maxCoord, maxCoord)
		if f == nil {
			return nil
		}
		points = append(points, geom.Vec{X: f[0], Y: f[1], Z: f[2]})
	}
	if list != nil && len(points) < 2 {
		t.fail(key, "%s has %d places: a path needs two or more", key, len(points))
		return nil
	}
	return points
}

// seconds reads a time in seconds, which may have a fraction, and returns it in milliseconds. The parameter absent is the default
// in seconds.
func (t *table) seconds(key string, absent, lo, hi float32) int32 {
	s := absent
	t.float(key, &s, float64(lo), float64(hi))
	return int32(float64(s)*1000 + 0.5)
}

// readSpawns reads [[area.spawn]] of every area, and then reports the unknown keys of the areas' tables.
func (b *builder) readSpawns(list []*table) {
	for i, t := range list {
		for _, st := range t.tables("spawn") {
			b.readSpawn(st, i)
		}
		t.reportUnknownKeys()
	}
}

// readSpawn reads a spawn. Its home is a waypoint, or a position that becomes a waypoint.
func (b *builder) readSpawn(t *table, area int) {
	a := &b.w.Areas[area]
	s := sim.Spawn{Waypoint: -1, Size: 5, Max: 1}
	t.addLabel("spawn of", "template")
	if t.require("template", `"..."`) {
		b.readTemplateRef(t, "template", &s.Template)
	}
	switch {
	case t.has("waypoint") && t.has("at"):
		t.fail("at", "both waypoint and at are given: keep one")
	case t.has("waypoint"):
		t.waypointRef("waypoint", &s.Waypoint, b.waypointNames[area])
	case t.require("at", `[x, y, z], or waypoint = "..."`):
		w := sim.Waypoint{Used: true, NextA: -1, NextB: -1, Prev: -1}
		t.vec("at", &w.Pos)
		s.Waypoint = int32(len(a.Waypoints))
		a.Waypoints = append(a.Waypoints, w)
		b.waypointNames[area] = append(b.waypointNames[area], "")
	}
	t.float("size", &s.Size, 0, 10_000)
	t.float("wander", &s.Range, 0, 10_000)
	if s.Range > 0 && s.Range < 5 {
		t.fail("wander", "wander = %v is too small: use 5 or more, or 0 to follow waypoints", s.Range)
	}
	readInteger(t, "max", &s.Max, 1, maxSpawnMax)
	s.PeriodMS = t.seconds("every", 10, 1, maxPeriodS)
	if tmpl := b.w.Template(s.Template); s.Waypoint >= 0 && tmpl != nil && a.Walls.Inside(a.Waypoints[s.Waypoint].Pos, tmpl.Environment == sim.Fly) {
		t.warn("SPAWN-SOLID", "the position of the spawn is inside a solid: actors appear beside the solid if there is room, else inside it; move the spawn to a free position")
	}
	t.reportUnknownKeys()
	a.Spawns = append(a.Spawns, s)
}
