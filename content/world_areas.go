package content

import (
	"fmt"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// weatherWords are the keys of an area's weather, in the order of the table.
var weatherWords = []string{"rain", "snow", "fog", "storm", "wind"}

// areas reads [[area]] as far as it stands alone, then the portals' links, which may lead to any area.
func (b *builder) areas(list []*table) {
	var links []link
	for _, t := range list {
		t.named("area", "name")
		a := sim.AreaDef{Gravity: 300, Outdoors: true}
		t.newName(&a.Name, b.areaNames())
		t.flag("pvp", &a.PvP)
		t.flag("outdoors", &a.Outdoors)
		whole(t, "gravity", &a.Gravity, 0, 1000)
		b.weather(t, &a)
		id := sim.AreaID(len(b.w.Areas))
		for i, pt := range t.list("portal") {
			a.Portals = append(a.Portals, b.portal(pt, a.Portals))
			links = append(links, link{pt, id, i})
		}
		for _, wt := range t.list("water") {
			a.Waters = append(a.Waters, b.water(wt))
		}
		b.tiles(t, &a.Tiles)
		b.blocks(t, &a, b.solids(t))
		names := b.waypoints(t, &a)
		b.w.Areas = append(b.w.Areas, a)
		b.waypointNames = append(b.waypointNames, names)
	}
	for _, l := range links {
		to := l.t.sub("to")
		if area, portal, ok := b.place(to); ok {
			p := &b.w.Areas[l.area].Portals[l.portal]
			p.ToArea, p.ToPortal = area, portal
			if area == l.area && portal == l.portal {
				to.fail("", "it leads to itself: name another portal")
			}
		}
		l.t.done()
	}
}

// link is a portal whose destination is still to be found.
type link struct {
	t      *table
	area   sim.AreaID
	portal int
}

func (b *builder) areaNames() []string {
	return namesOf(b.w.Areas, func(a *sim.AreaDef) string { return a.Name })
}

func (b *builder) weather(t *table, a *sim.AreaDef) {
	w := t.sub("weather")
	if w == nil {
		return
	}
	sum := 0
	for i, word := range weatherWords {
		whole(w, word, &a.WeatherChance[i], 0, 100)
		sum += int(a.WeatherChance[i])
	}
	if sum > 100 {
		w.fail("", "weather sums up to %d percent: use at most 100, the rest is sun", sum)
	}
	w.done()
}

func (b *builder) portal(t *table, others []sim.Portal) sim.Portal {
	t.named("portal", "name")
	p := sim.Portal{Radius: 5, ToArea: sim.NoArea}
	t.newName(&p.Name, namesOf(others, func(p *sim.Portal) string { return p.Name }))
	t.point("at", &p.Pos)
	t.f32("radius", &p.Radius, 0.1, 1000)
	t.f32("yaw", &p.Yaw, -360, 360)
	return p
}

func (b *builder) water(t *table) sim.Water {
	t.named("water", "name")
	t.get("name") // only for messages and people
	var w sim.Water
	var corner geom.Vec
	t.point("corner", &corner)
	w.X, w.Y, w.Z = corner.X, corner.Y, corner.Z
	if t.need("size", "[width, depth]") {
		size := t.coords("size", 2, 0.1, 2*maxCoord)
		if size != nil {
			w.Width, w.Depth = size[0], size[1]
		}
	}
	whole(t, "damage", &w.Damage, 0, maxValue)
	b.damageType(t, "damage_type", &w.DamageType)
	t.done()
	return w
}

// point reads a place that must be there: [x, y, z] in units, y up.
func (t *table) point(key string, into *geom.Vec) {
	if !t.need(key, "[x, y, z]") {
		return
	}
	if c := t.coords(key, 3, -maxCoord, maxCoord); c != nil {
		*into = geom.Vec{X: c[0], Y: c[1], Z: c[2]}
	}
}

// coords reads a list of exactly n numbers from lo to hi; nil if it is absent or wrong.
func (t *table) coords(key string, n int, lo, hi float64) []float32 {
	list := t.values(key)
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
			t.fail(fmt.Sprintf("%s[%d]", key, i), "%s has %v in it: use numbers from %v to %v", key, v, lo, hi)
			return nil
		}
		out[i] = float32(f)
	}
	return out
}
