package worldmap

import (
	"image"
	"math"
	"runtime"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim/terrain"
)

// painter contains everything that is needed to compute the pixels of one picture.
type painter struct {
	canvas
	m     *Map
	p     *palette
	l     *lattice // ground
	q     *liquids
	trail []float32 // by pixel: distance to the nearest trail in world units
	trees trees
	walls walls
	pic   *picture     // picture of the operator; nil if there is none
	sized *image.NRGBA // pic in the resolution that fits the drawing
	base  *tint        // colours of the ground if they are the same everywhere; otherwise nil
}

// draw draws a rectangle of w x h pixels. The north-west corner of the rectangle is at the world position x, z. The parameter
// upp is the number of world units per pixel.
func (m *Map) draw(theme Theme, x, z, upp float64, w, h int) *image.RGBA {
	const border = 2*mostShore + 4
	a := m.area
	d := &painter{m: m, p: &palettes[theme], canvas: canvas{
		w: w + 2*border, h: h + 2*border, x: x - border*upp, z: z + border*upp, upp: upp, unit: m.scale(),
	}}
	c := &d.canvas
	d.l = readGround(c, a, m.look.Relief)
	d.q = findLiquids(c, d.l, a)
	d.trail = c.drawTrails(m.trails, 4*trailWidth*c.unit)
	d.walls = findWalls(c, a)
	d.trees = m.plantTrees(c, d.trail, d.q, d.walls)
	if d.pic = m.picture(); d.pic != nil {
		d.sized = d.pic.sized(upp)
	}
	if a.Blocks == nil {
		d.base = d.p.ground(terrain.GrassBlock, m.look.Style)
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for py := range h {
		runtime.Gosched() // let goroutines that step the world run first
		for px := range w {
			v := d.pixel(px+border, py+border)
			at := out.Pix[py*out.Stride+px*4:]
			for i := range v {
				at[i] = uint8(min(max(v[i]+0.5, 0), 255))
			}
			at[3] = 255
		}
	}
	return out
}

// scale returns the factor for the size of decoration, such as trees. It is 1 in an area with 7 units per tile or without
// tiles. Decoration grows with the tiles, because the size of a tile shows how large people are: in every world, a tile is
// about as large as a person's reach.
func (m *Map) scale() float32 {
	const usual = 7
	if u := m.area.Tiles.UnitsPerTile; u > 0 {
		return u / usual
	}
	return 1
}

// pixel returns the colour of one pixel: ground, liquids, the operator's picture, and walls.
func (d *painter) pixel(px, py int) colour {
	at := py*d.w + px
	x, z := d.xAt(px), d.zAt(py)
	out := d.outside(x, z)
	if out >= 1 {
		return d.p.outside
	}
	s := d.l.find(x, z)
	v := d.land(at, x, z, s)
	if d.q.any {
		v = d.liquid(v, at, s)
	}
	if d.pic != nil {
		if c, alpha := d.pic.at(d.sized, x, z); alpha > 0 {
			v = v.over(c.times(d.p.picture), alpha)
		}
	}
	if w := &d.walls; w.cover != nil {
		v = v.over(d.p.shadow, 0.42*w.shadow[at]*(1-w.cover[at]))
		if w.edge(&d.canvas, px, py) {
			v = v.over(d.p.wallEdge, w.cover[at])
		} else {
			v = v.over(d.p.wall, w.cover[at])
		}
	}
	return v.over(d.p.outside, out)
}

// land returns the colour of the ground in a pixel, as if no liquid covered it.
func (d *painter) land(at int, x, z float32, s spot) colour {
	k := 1 / d.unit
	t := d.base
	if t == nil {
		id := d.l.block[d.l.nearest(s)]
		if id == terrain.Air {
			return d.p.void
		}
		t = d.p.ground(id, d.m.look.Style)
	}
	n := 0.55*noise(x*k/97, z*k/97, 1) + 0.35*noise(x*k/34, z*k/34, 2)
	if fine := 1 - float32(d.upp)*k/5; fine > 0 {
		n += 0.3 * fine * noise(x*k/11, z*k/11, 3)
	}
	v := t.low.over(t.high, clamp(0.5+0.7*n))
	if fine := 1 - float32(d.upp)*k/1.6; fine > 0 {
		v = v.over(t.speck, 0.55*fine*d.specks(x*k, z*k))
	}
	if d.m.contour > 0 {
		v = d.heights(v, s)
	}
	v = d.shade(v, s)
	v = d.trailOver(v, at, x, z)
	if d.trees.cover != nil {
		v = v.over(d.p.shadow, 0.3*d.trees.shadow[at])
		v = v.over(d.p.canopy.over(d.p.canopyLight, d.trees.light[at]), 0.92*d.trees.cover[at])
	} else if d.m.look.Style == appearance.ForestStyle {
		v = v.over(d.p.canopy, 0.4*smooth(-0.45, 0.3, noise(x*k/70, z*k/70, 35)+0.35*noise(x*k/12, z*k/12, 36)))
	}
	return v
}

// specks returns the strength of the ground's specks at a position, 0..1. At every resolution the specks must look like grain, so
// the fewer world units a pixel covers, the smaller the specks are.
func (d *painter) specks(x, z float32) float32 {
	size := float32(2.6)
	for size > 5.5*float32(d.upp)/d.unit && size > 0.1 {
		size /= 2
	}
	// Add the noise of two grids. They are rotated against each other, because the squares of a single grid would be visible.
	u, v := (0.83*x+0.56*z)/size, (0.83*z-0.56*x)/size
	grain := noise(u, v, 4) + 0.6*noise(1.3*(x+0.4*z)/size, 1.3*(z-0.4*x)/size, 6)
	return smooth(0.3, 1, grain+0.45*noise(x/23, z/23, 5))
}

// heights returns the ground's colour v after it has drawn on it what depends on the height of the ground: rock on high ground and on
// steep slopes, and contour lines.
func (d *painter) heights(v colour, s spot) colour {
	h := d.l.between(d.l.height, s)
	gx, gz := d.l.between(d.l.gx, s), d.l.between(d.l.gz, s)
	slope := float32(math.Sqrt(float64(gx*gx + gz*gz)))
	high := clamp((h - d.m.lo) / max(d.m.hi-d.m.lo, 1e-6))
	v = v.over(d.p.rock.high, 0.75*smooth(0.5, 0.95, high))
	v = v.over(d.p.rock.low, 0.6*smooth(0.5, 1.3, slope))
	line := h / d.m.contour
	off := line - float32(math.Floor(float64(line)+0.5))
	if perPixel := slope * float32(d.upp) / d.m.contour; perPixel > 1e-5 && perPixel < 0.5 {
		v = v.over(d.p.contour, 0.28*(1-2*perPixel)*clamp(1.1-max(off, -off)/perPixel))
	}
	return v
}

// shade returns the colour v, darker on slopes that face away from the light and lighter on those that face it. The light comes
// from the north-west.
func (d *painter) shade(v colour, s spot) colour {
	gx, gz := d.l.between(d.l.gx, s), d.l.between(d.l.gz, s)
	if gx == 0 && gz == 0 {
		return v
	}
	const steep, lx, ly, lz = 1.0, -0.52, 0.68, 0.52
	gx, gz = gx*steep, gz*steep
	light := (-gx*lx + ly - gz*lz) / float32(math.Sqrt(float64(gx*gx+gz*gz+1)))
	return v.times(min(max(1+d.p.shade*(light-ly), 0.45), 1.3))
}

// trailOver returns the colour of a pixel after the nearest trail is drawn over its colour v. Pixels away from trails do not
// change.
func (d *painter) trailOver(v colour, at int, x, z float32) colour {
	distance, k := d.trail[at], 1/d.unit
	if distance >= 4*trailWidth*d.unit {
		return v
	}
	width := trailWidth * d.unit * (1 + 0.3*noise(x*k/8, z*k/8, 21))
	soft := max(0.9*d.unit, float32(d.upp))
	v = v.over(d.p.trailEdge, 0.28*(1-smooth(width, width+1.3*soft, distance)))
	return v.over(d.p.trail, 0.85*(1-smooth(width-soft, width+0.25*soft, distance)))
}

// liquid draws water and lava, with their shores, over a pixel of the colour v, and returns the resulting colour.
func (d *painter) liquid(v colour, at int, s spot) colour {
	sharp := float32(d.l.u*float64(d.l.stride)/d.upp) / 2
	depth := d.l.between(d.l.depth, s)
	if near := d.q.shoreWater[at]; near > 0.01 {
		v = v.over(d.p.beach, 0.8*smooth(0.16, 0.46, near))
		in := edge(d.q.water[at], sharp)
		t := clamp((near - 0.42) / 0.58)
		w := d.p.shallow.over(d.p.deep, clamp(smooth(0, 0.9, t)*0.75+0.25*clamp(depth/(30*d.unit))))
		w = w.over(d.p.shallow, 0.5*line(t, 0.3, 0.04)+0.32*line(t, 0.55, 0.04)+0.18*line(t, 0.78, 0.035))
		w = w.over(d.p.shore, 0.7*(1-smooth(0.03, 0.2, t)))
		v = v.over(w, in)
	}
	if d.q.lava == nil {
		return v
	}
	if near := d.q.shoreLava[at]; near > 0.01 {
		v = v.over(d.p.crust, 0.85*smooth(0.1, 0.48, near))
		t := clamp((near - 0.5) * 2)
		v = v.over(d.p.lava.over(d.p.lavaDeep, smooth(0.1, 0.9, t)), edge(d.q.lava[at], sharp))
	}
	return v
}

// edge returns how opaque a liquid is at a place, 0..1. The parameter v is the fraction of the place that is liquid, 0..1. At
// the edge of a liquid, v changes over several pixels; the factor sharp makes the drawn edge about one pixel wide.
func edge(v, sharp float32) float32 { return clamp((v-0.5)*max(sharp, 1) + 0.5) }

// line returns how opaque a contour-like line is at a place with the value v. It is 1 where v equals the parameter at, and
// decreases to 0 where v differs from at by width.
func line(v, at, width float32) float32 { return clamp(1 - max(v-at, at-v)/width) }

// outside returns how far the position x, z is outside the map's bounds: 0 inside, where everything is drawn, and 1 where nothing
// is drawn any more.
func (d *painter) outside(x, z float32) float32 {
	b := &d.m.bounds
	dx, dz := max(b.MinX-x, x-b.MaxX, 0), max(b.MinZ-z, z-b.MaxZ, 0)
	if dx == 0 && dz == 0 {
		return 0
	}
	k := 1 / d.unit
	reach := float32(d.m.size) * surround / (1 + 2*surround)
	far := float32(math.Sqrt(float64(dx*dx+dz*dz))) / reach
	return smooth(0.1, 0.92, far+0.06*noise(x*k/60, z*k/60, 41))
}
