package worldmap

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Width and maximum number of trails.
const (
	trailWidth = 2.6     // half the width of a trail in world units
	maxTrails  = 1 << 14 // maximum number of trails of an area that are drawn
)

// trail is a straight way between two waypoints on which actors walk.
type trail struct{ from, to geom.Vec }

// findTrails returns the ways between waypoints on which walking actors of the area patrol. Actors that fly or swim, and
// actors that roam around a waypoint, leave no trail.
func findTrails(w *sim.World, a *sim.AreaDef) []trail {
	reached := make([]bool, len(a.Waypoints))
	var open []int32
	visit := func(i int32) {
		if i >= 0 && int(i) < len(reached) && !reached[i] {
			reached[i] = true
			open = append(open, i)
		}
	}
	const roaming = 5 // range from which actors roam instead of patrolling; see sim.Spawn
	for i := range a.Spawns {
		s := &a.Spawns[i]
		t := w.Template(s.Template)
		if s.Range >= roaming || t == nil || t.Environment == sim.Fly || t.Environment == sim.Swim {
			continue
		}
		visit(s.Waypoint)
	}
	for len(open) > 0 {
		p := &a.Waypoints[open[len(open)-1]]
		open = open[:len(open)-1]
		visit(p.NextA)
		visit(p.NextB)
		visit(p.Prev)
	}
	var list []trail
	for i := range a.Waypoints {
		p := &a.Waypoints[i]
		for _, to := range [...]int32{p.NextA, p.NextB} {
			if reached[i] && to >= 0 && int(to) < len(a.Waypoints) && to != int32(i) && len(list) < maxTrails {
				list = append(list, trail{p.Pos, a.Waypoints[to].Pos})
			}
		}
	}
	return list
}

// drawTrails returns for each pixel the distance to the nearest trail in world units, at most limit.
func (c *canvas) drawTrails(trails []trail, limit float32) []float32 {
	out := make([]float32, c.w*c.h)
	for i := range out {
		out[i] = limit
	}
	bend := 2.6 * c.unit // maximum deviation of a trail from a straight line, which would look artificial
	wx, wz := make([]float32, len(out)), make([]float32, len(out))
	if len(trails) > 0 {
		for y := range c.h {
			for x := range c.w {
				px, pz := c.xAt(x), c.zAt(y)
				wx[y*c.w+x] = px + bend*noise(px/(27*c.unit), pz/(27*c.unit), 22)
				wz[y*c.w+x] = pz + bend*noise(px/(27*c.unit), pz/(27*c.unit), 23)
			}
		}
	}
	reach := limit + bend
	budget := 8 * len(out)
	for _, t := range trails {
		x0, x1 := c.columns(float64(min(t.from.X, t.to.X)-reach), float64(max(t.from.X, t.to.X)+reach))
		y0, y1 := c.rows(float64(min(t.from.Z, t.to.Z)-reach), float64(max(t.from.Z, t.to.Z)+reach))
		if budget -= max(0, x1-x0) * max(0, y1-y0); budget < 0 {
			break
		}
		dx, dz := t.to.X-t.from.X, t.to.Z-t.from.Z
		length := dx*dx + dz*dz
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				px, pz := wx[y*c.w+x]-t.from.X, wz[y*c.w+x]-t.from.Z
				share := float32(0)
				if length > 0 {
					share = clamp((px*dx + pz*dz) / length)
				}
				ex, ez := px-share*dx, pz-share*dz
				if d := float32(math.Sqrt(float64(ex*ex + ez*ez))); d < out[y*c.w+x] {
					out[y*c.w+x] = d
				}
			}
		}
	}
	return out
}
