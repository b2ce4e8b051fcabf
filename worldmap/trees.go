package worldmap

import (
	"math"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Distance between trees, and the resolution below which trees are not drawn.
const (
	treeCell = 8.5 // edge length of a cell in world units; each cell has at most one tree
	coarsest = 2.6 // above this many world units per pixel, only the colour of trees is drawn, no single ones
)

// trees contains the canopies of trees by pixel, each value 0..1: how much of the pixel they cover, how bright they are, and
// how much shadow they cast.
type trees struct{ cover, light, shadow []float32 }

// hasTrees reports whether trees are drawn on the map. This depends on the style of the ground.
func (m *Map) hasTrees() bool {
	return m.look.Style == appearance.ForestStyle || m.look.Style == appearance.MeadowStyle
}

// plantTrees draws canopies of trees. They decorate the ground according to its style and are not obstacles in the world, so none
// is drawn on waters, trails, walls and portals.
func (m *Map) plantTrees(c *canvas, trail []float32, q *liquids, w walls) trees {
	dense := float32(0.5)
	if m.look.Style == appearance.MeadowStyle {
		dense = -0.17
	}
	if !m.hasTrees() || c.upp > coarsest*float64(c.unit) {
		return trees{}
	}
	t := trees{cover: make([]float32, c.w*c.h), light: make([]float32, c.w*c.h), shadow: make([]float32, c.w*c.h)}
	cell := treeCell * float64(c.unit)
	for j := int32(math.Ceil(c.z / cell)); float64(j) > (c.z-float64(c.h)*c.upp)/cell-1; j-- {
		for i := int32(math.Floor(c.x / cell)); float64(i) < (c.x+float64(c.w)*c.upp)/cell+1; i++ {
			h := hash2(i, j, 31)
			x := (float64(i) + 0.15 + 0.7*float64(unit(h))) * cell
			z := (float64(j) + 0.15 + 0.7*float64(unit(hash2(i, j, 32)))) * cell
			r := float64(c.unit) * (2.1 + 2.3*float64(unit(hash2(i, j, 33))))
			if unit(hash2(i, j, 34)) > dense+0.6*noise(float32(x)/(70*c.unit), float32(z)/(70*c.unit), 35) {
				continue
			}
			if m.isFree(c, x, z, r, trail, q, w) {
				t.plant(c, x, z, r)
			}
		}
	}
	t.shadow = c.blur(t.shadow, int(0.8*float64(c.unit)/c.upp+0.5))
	return t
}

// isFree reports whether a tree at x, z with a canopy of radius r would cover only grass: no water, trail, wall or portal.
func (m *Map) isFree(c *canvas, x, z, r float64, trail []float32, q *liquids, w walls) bool {
	px, py := int((x-c.x)/c.upp), int((c.z-z)/c.upp)
	if px < 0 || py < 0 || px >= c.w || py >= c.h {
		return false // the tree is not on the canvas, and its canopy would reach only the border, which is cut off
	}
	at := py*c.w + px
	if !m.isGrass(x, z) {
		return false
	}
	if trail[at] < float32(r)+1.6*trailWidth*c.unit || q.any && q.shoreWater[at] > 0.1 || q.shoreLava != nil && q.shoreLava[at] > 0.1 || w.cover != nil && (w.cover[at] > 0 || w.shadow[at] > 0) {
		return false
	}
	for i := range m.area.Portals {
		p := &m.area.Portals[i]
		if d := float64(p.Radius) + r + 5*float64(c.unit); math.Abs(float64(p.Pos.X)-x) < d && math.Abs(float64(p.Pos.Z)-z) < d {
			return false
		}
	}
	return true
}

// isGrass reports whether the ground at x, z is grass. Only grass is drawn in the colours of the map's style.
func (m *Map) isGrass(x, z float64) bool {
	if m.area.Blocks == nil {
		return true
	}
	g := &m.area.BlockGrid
	u := float64(g.UnitsPerBlock)
	s := m.area.Blocks.SurfaceAt(int32(math.Floor(float64(g.Origin[0])+x/u)), int32(math.Floor(float64(g.Origin[2])-z/u)))
	return s.Top == terrain.GrassBlock && s.Liquid == terrain.NoLiquid
}

// plant draws the canopy of one tree, with light from the north-west, and its shadow.
func (t *trees) plant(c *canvas, x, z, r float64) {
	x0, x1 := c.columns(x-r*1.8, x+r*1.8)
	y0, y1 := c.rows(z-r*1.8, z+r*1.8)
	for py := y0; py < y1; py++ {
		dz := float64(c.zAt(py)) - z
		for px := x0; px < x1; px++ {
			dx, at := float64(c.xAt(px))-x, py*c.w+px
			if d := math.Hypot(dx-0.45*r, dz+0.45*r); d < r {
				t.shadow[at] = 1
			}
			d := math.Hypot(dx, dz) / r
			if cover := clamp(float32((1 - d) * r / c.upp)); cover > 0 {
				light := float32(0.5 + 0.5*(dz-dx)/(1.5*r))
				t.light[at] = mix(t.light[at], clamp(light*(1-0.25*float32(d))), cover)
				t.cover[at] = max(t.cover[at], cover)
			}
		}
	}
}
