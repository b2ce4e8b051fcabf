package content

import (
	"fmt"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// weatherWords are the keys of an area's weather table, in the order of sim.AreaDef.WeatherChance.
var weatherWords = []string{"rain", "snow", "fog", "storm", "wind"}

// readAreas reads [[area]]: first everything without references to other areas, then the destinations of the portals.
func (b *builder) readAreas(list []*table) {
	var links []link
	for _, t := range list {
		t.addLabel("area", "name")
		a := sim.AreaDef{Gravity: 300, Outdoors: true}
		t.newName(&a.Name, b.areaNames())
		t.boolean("pvp", &a.PvP)
		t.boolean("outdoors", &a.Outdoors)
		readInteger(t, "gravity", &a.Gravity, 0, 1000)
		b.readWeather(t, &a)
		id := sim.AreaID(len(b.w.Areas))
		look := b.readMap(t.subtable("map"))
		for i, pt := range t.tables("portal") {
			a.Portals = append(a.Portals, b.readPortal(pt, a.Portals))
			links = append(links, link{pt, id, i})
		}
		for _, wt := range t.tables("water") {
			look.WaterNames = append(look.WaterNames, nameOf(wt))
			a.Waters = append(a.Waters, b.readWater(wt))
		}
		for _, zt := range t.tables("zone") {
			look.ZoneNames = append(look.ZoneNames, nameOf(zt))
			a.Zones = append(a.Zones, b.readZone(zt))
		}
		b.readTiles(t, &a.Tiles)
		b.readBlocks(t, &a, b.readSolids(t))
		names := b.readWaypoints(t, &a)
		b.w.Areas = append(b.w.Areas, a)
		b.appearance.Maps = append(b.appearance.Maps, look)
		b.waypointNames = append(b.waypointNames, names)
	}
	for _, l := range links {
		to := l.t.subtable("to")
		if area, portal, ok := b.readPortalRef(to); ok {
			p := &b.w.Areas[l.area].Portals[l.portal]
			p.ToArea, p.ToPortal = area, portal
			if area == l.area && portal == l.portal {
				to.fail("", "the portal leads to itself: name another portal in to")
			}
		}
		l.t.reportUnknownKeys()
	}
}

// tooManyAreas returns why a world with n areas is refused, or "" if it is not.
func tooManyAreas(n int) string {
	if n <= sim.MaxAreas {
		return ""
	}
	return fmt.Sprintf("the world has %d areas, at most %d are possible, because the handle of an item on the ground contains the index of its area: leave out %d of them", n, sim.MaxAreas, n-sim.MaxAreas)
}

// link is a portal whose destination has not been looked up yet: its area, its index among the portals of the area, and
// its TOML table.
type link struct {
	t      *table
	area   sim.AreaID
	portal int
}

func (b *builder) areaNames() []string {
	return namesOf(b.w.Areas, func(a *sim.AreaDef) string { return a.Name })
}

func (b *builder) readWeather(t *table, a *sim.AreaDef) {
	w := t.subtable("weather")
	if w == nil {
		return
	}
	sum := 0
	for i, word := range weatherWords {
		readInteger(w, word, &a.WeatherChance[i], 0, 100)
		sum += int(a.WeatherChance[i])
	}
	if sum > 100 {
		w.fail("", "the weather chances add up to %d percent: use at most 100 in all; the rest is sun", sum)
	}
	w.reportUnknownKeys()
}

func (b *builder) readPortal(t *table, others []sim.Portal) sim.Portal {
	t.addLabel("portal", "name")
	p := sim.Portal{Radius: 5, ToArea: sim.NoArea}
	t.newName(&p.Name, namesOf(others, func(p *sim.Portal) string { return p.Name }))
	t.vec("at", &p.Pos)
	t.float("radius", &p.Radius, 0.1, 1000)
	t.float("yaw", &p.Yaw, -360, 360)
	return p
}

func (b *builder) readWater(t *table) sim.Water {
	t.addLabel("water", "name")
	var w sim.Water
	var corner geom.Vec
	t.vec("corner", &corner)
	w.X, w.Y, w.Z = corner.X, corner.Y, corner.Z
	if t.require("size", "[width, depth]") {
		size := t.coords("size", 2, 0.1, 2*maxCoord)
		if size != nil {
			w.Width, w.Depth = size[0], size[1]
		}
	}
	readInteger(t, "damage", &w.Damage, 0, maxValue)
	b.readDamageType(t, "damage_type", &w.DamageType)
	t.reportUnknownKeys()
	return w
}

// vec reads a required position: [x, y, z] in world units, y up.
func (t *table) vec(key string, into *geom.Vec) {
	if !t.require(key, "[x, y, z]") {
		return
	}
	if c := t.coords(key, 3, -maxCoord, maxCoord); c != nil {
		*into = geom.Vec{X: c[0], Y: c[1], Z: c[2]}
	}
}

// coords reads a list of exactly n numbers from lo to hi. It returns nil if the list is absent or invalid.
func (t *table) coords(key string, n int, lo, hi float64) []float32 {
	list := t.array(key)
	if list == nil {
		return nil
	}
	return t.coordList(key, list, n, lo, hi)
}

func (t *table) coordList(key string, list []any, n int, lo, hi float64) []float32 {
	if len(list) != n {
		t.fail(key, "%s has %d numbers: write %d", key, len(list), n)
		return nil
	}
	out := make([]float32, n)
	for i, v := range list {
		f, ok := asNumber(v)
		if !ok || f < lo || f > hi {
			t.fail(fmt.Sprintf("%s[%d]", key, i), "%s contains %v: use numbers from %v to %v", key, v, lo, hi)
			return nil
		}
		out[i] = float32(f)
	}
	return out
}
