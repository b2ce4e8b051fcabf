package worldmap

import (
	"math"

	"github.com/truestep-io/truestep/sim"
)

// liquids contains for each pixel how much of the pixel is liquid: 1 inside the liquid, 0 outside, and a value between them at
// the shore.
type liquids struct {
	water, lava []float32
	shoreWater  []float32 // water blurred over the width of a shore
	shoreLava   []float32 // lava blurred over the width of a shore
	any         bool      // there is a liquid
}

// Width of shores, which are drawn as a blur between liquid and ground.
const (
	shoreWidth = 24 // in world units
	leastShore = 3  // minimum radius in pixels of the blur that draws a shore
	mostShore  = 24 // maximum radius in pixels of the blur that draws a shore
)

// findLiquids computes the liquids under a canvas: blocks of water and lava, and the rectangular waters of the area
// (sim.AreaDef.Waters). It moves shores by less than a block, because liquids with the straight edges of blocks would look like
// basins.
func findLiquids(c *canvas, l *lattice, a *sim.AreaDef) *liquids {
	q := &liquids{water: make([]float32, c.w*c.h)}
	amplitude := float32(min(0.6*l.u, 2.4*float64(c.unit)))
	waters := visibleWaters(c, a, amplitude)
	if !l.wet && len(waters) == 0 {
		return q
	}
	q.any = true
	hasLava := false
	for _, v := range l.lava {
		hasLava = hasLava || v > 0
	}
	if hasLava {
		q.lava = make([]float32, c.w*c.h)
	}
	long, short := 1/(19*c.unit), 1/(6.5*c.unit)
	for y := range c.h {
		z := c.zAt(y)
		for x := range c.w {
			at := y*c.w + x
			wx := c.xAt(x)
			dx := amplitude * (noise(wx*long, z*long, 11) + 0.5*noise(wx*short, z*short, 12))
			dz := amplitude * (noise(wx*long, z*long, 13) + 0.5*noise(wx*short, z*short, 14))
			px, pz := wx+dx, z+dz
			if l.wet {
				s := l.find(px, pz)
				q.water[at] = l.between(l.water, s)
				if hasLava {
					q.lava[at] = l.between(l.lava, s)
				}
			}
			for i := range waters {
				q.water[at] = max(q.water[at], waters[i].inside(px, pz, c.upp))
			}
		}
	}
	c.roundCorners(q.water, mostCorner*float64(c.unit))
	r := int(math.Round(shoreWidth * float64(c.unit) / c.upp / 2))
	r = min(max(r, leastShore), mostShore)
	q.shoreWater = c.blur(solid(q.water), r)
	if hasLava {
		q.shoreLava = c.blur(solid(q.lava), r)
	}
	return q
}

const mostCorner = 11 // radius in world units of the rounded corners of lakes

// roundCorners rounds the corners of bodies of water. The parameter radius is in world units. A body of water does not change if it
// is narrower than about the radius on one of the axes.
func (c *canvas) roundCorners(values []float32, radius float64) {
	r := min(int(radius/c.upp+0.5), mostShore)
	if r < 2 {
		return
	}
	across, along := make([]float32, len(values)), make([]float32, len(values))
	for y := range c.h {
		blurLine(across, values, y*c.w, 1, c.w, r)
	}
	for x := range c.w {
		blurLine(along, values, x, c.w, c.h, r)
	}
	around := c.blur(values, r*2/3)
	for i, v := range values {
		a, b := 1-across[i], 1-along[i]
		if v > 0 && max(a, b) < 0.74 && min(a, b) > 0.08 {
			corner := smooth(0.08, 0.25, min(a, b))
			values[i] = v * mix(1, clamp(0.5+(around[i]-0.47)*float32(r)), corner)
		}
	}
}

// solid returns for each pixel 1 if at least half of it is liquid, else 0.
func solid(values []float32) []float32 {
	out := make([]float32, len(values))
	for i, v := range values {
		if v >= 0.5 {
			out[i] = 1
		}
	}
	return out
}

// basin is one of the rectangular waters of an area, drawn with rounded corners.
type basin struct{ x, z, halfX, halfZ, corner float32 }

const maxBasins = 64 // maximum number of waters of an area that are drawn in one tile

// visibleWaters returns the rectangular waters of an area that are drawn on a canvas: those that overlap the canvas or are at
// most 2*reach world units away, because their shores may reach it.
func visibleWaters(c *canvas, a *sim.AreaDef, reach float32) []basin {
	var list []basin
	for i := range a.Waters {
		w := &a.Waters[i]
		if !(w.Width > 0 && w.Depth > 0) || len(list) == maxBasins {
			continue
		}
		x0, x1 := c.columns(float64(w.X-2*reach), float64(w.X+w.Width+2*reach))
		z0, z1 := c.rows(float64(w.Z-2*reach), float64(w.Z+w.Depth+2*reach))
		if x0 < x1 && z0 < z1 {
			corner := min(w.Width, w.Depth) * 0.12
			list = append(list, basin{w.X + w.Width/2, w.Z + w.Depth/2, w.Width / 2, w.Depth / 2, corner})
		}
	}
	return list
}

// inside returns how much of a pixel at x, z the basin covers: 1 inside, 0 outside, with a transition of two pixels at the
// edge. The parameter upp is the number of world units per pixel.
func (b *basin) inside(x, z float32, upp float64) float32 {
	dx, dz := max(x-b.x, b.x-x)-b.halfX+b.corner, max(z-b.z, b.z-z)-b.halfZ+b.corner
	ox, oz := max(dx, 0), max(dz, 0)
	out := min(max(dx, dz), 0) - b.corner
	if ox > 0 || oz > 0 {
		out += float32(math.Sqrt(float64(ox*ox + oz*oz)))
	}
	return clamp(0.5 - out/float32(2*upp))
}
