package worldmap

import (
	"math"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/terrain"
)

// lattice contains samples of the ground under a canvas. The samples are block columns at regular distances. If a pixel covers
// several blocks, only one of them is sampled.
type lattice struct {
	x, z   int32      // block column of the first sample; z increases to the south
	stride int32      // number of blocks from one sample to the next
	w, h   int        // number of samples to the east and to the south
	origin [2]float64 // block coordinates x and z of the world's origin
	u      float64    // world units per block

	height []float32         // height of the ground in world units
	gx, gz []float32         // slope of the ground to the east and to the north
	block  []terrain.BlockID // topmost block
	water  []float32         // 1 if there is water, else 0
	lava   []float32         // 1 if there is lava, else 0
	depth  []float32         // depth of the liquid in world units
	wet    bool              // at least one sample has a liquid
}

const latticeBorder = 4 // number of additional samples on each side of the canvas, for smoothing

// readGround samples the ground under a canvas.
func readGround(c *canvas, a *sim.AreaDef, relief *appearance.Relief) *lattice {
	g := &a.BlockGrid
	l := &lattice{u: float64(g.UnitsPerBlock), origin: [2]float64{float64(g.Origin[0]), float64(g.Origin[2])}}
	if !(l.u > 0) {
		l.u = 1
	}
	l.stride = int32(max(1, math.Ceil(c.upp/l.u)))
	west, north := l.origin[0]+c.x/l.u, l.origin[1]-c.z/l.u
	align := func(v float64) int32 { return int32(math.Floor(v/float64(l.stride)))*l.stride - latticeBorder*l.stride }
	l.x, l.z = align(west), align(north)
	span := func(pixels int) int {
		return int(math.Ceil(float64(pixels)*c.upp/l.u/float64(l.stride))) + 2*latticeBorder + 2
	}
	l.w, l.h = span(c.w), span(c.h)
	n := l.w * l.h
	l.height, l.block = make([]float32, n), make([]terrain.BlockID, n)
	l.water, l.lava, l.depth = make([]float32, n), make([]float32, n), make([]float32, n)
	for j := range l.h {
		for i := range l.w {
			l.sample(a, relief, i, j)
		}
	}
	l.derive()
	return l
}

// sample computes one sample of the ground from the block column at its place. The sample is the one with index i from the west
// and index j from the north.
func (l *lattice) sample(a *sim.AreaDef, relief *appearance.Relief, i, j int) {
	at := j*l.w + i
	bx, bz := l.x+int32(i)*l.stride+l.stride/2, l.z+int32(j)*l.stride+l.stride/2
	x, z := float32((float64(bx)+0.5-l.origin[0])*l.u), float32((l.origin[1]-float64(bz)-0.5)*l.u)
	s := a.Blocks.SurfaceAt(bx, bz)
	l.block[at] = s.Top
	u := float32(l.u)
	switch {
	case a.Floor != nil:
		l.height[at], _ = a.Floor.Height(x, z)
		l.height[at] -= a.Floor.Grid.Height - float32(a.Floor.Grid.Origin[1])*u // relative to block 0, like the heights of blocks
		if top := float32(s.Y+1+s.Depth) * u; top < l.height[at] {
			l.height[at] = top
		}
	case relief != nil:
		l.height[at] = heightIn(relief, x, z)
	}
	if s.Liquid != terrain.NoLiquid {
		l.wet = true
		if s.Top != terrain.Sand {
			l.block[at] = terrain.GrassBlock // show the colour of the shore, not that of the ground under the liquid
		}
		l.depth[at] = float32(s.Depth) * u
		if s.Liquid == terrain.LavaLiquid {
			l.lava[at] = 1
		} else {
			l.water[at] = 1
		}
	}
}

// heightIn returns the height of a relief at a world position. Outside of the relief it returns the height at the relief's
// edge.
func heightIn(r *appearance.Relief, x, z float32) float32 {
	fx := min(max((x-r.X)/r.StepX, 0), float32(r.Width-1))
	fz := min(max((z-r.Z)/r.StepZ, 0), float32(r.Depth-1))
	ix, iz := min(int(fx), r.Width-2), min(int(fz), r.Depth-2)
	u, v := fx-float32(ix), fz-float32(iz)
	h := r.Heights[iz*r.Width+ix:]
	return mix(mix(h[0], h[1], u), mix(h[r.Width], h[r.Width+1], u), v)
}

// derive smooths the heights of the samples, which without that would look like steps because they are multiples of a block. Then
// it computes the slopes.
func (l *lattice) derive() {
	c := canvas{w: l.w, h: l.h}
	flat := true
	for _, v := range l.height {
		flat = flat && v == l.height[0]
	}
	if !flat {
		l.height = c.blur(l.height, 1)
	}
	l.gx, l.gz = make([]float32, len(l.height)), make([]float32, len(l.height))
	if flat {
		return
	}
	d := float32(2 * l.u * float64(l.stride))
	for j := 1; j < l.h-1; j++ {
		for i := 1; i < l.w-1; i++ {
			at := j*l.w + i
			l.gx[at] = (l.height[at+1] - l.height[at-1]) / d
			l.gz[at] = (l.height[at-l.w] - l.height[at+l.w]) / d
		}
	}
}

// spot is a position between four samples of a lattice. The field at is the index of the sample in the north-west. The fields
// u and v are the fractions of the distance to the next sample in the east and in the south.
type spot struct {
	at   int
	u, v float32
}

// find returns the spot (the position among the samples) of a world position.
func (l *lattice) find(x, z float32) spot {
	half := float64(l.stride/2) + 0.5
	fx := (l.origin[0] + float64(x)/l.u - half - float64(l.x)) / float64(l.stride)
	fz := (l.origin[1] - float64(z)/l.u - half - float64(l.z)) / float64(l.stride)
	fx, fz = min(max(fx, 0), float64(l.w)-1.001), min(max(fz, 0), float64(l.h)-1.001)
	i, j := int(fx), int(fz)
	return spot{j*l.w + i, float32(fx - float64(i)), float32(fz - float64(j))}
}

// between returns a value at a spot, which it interpolates between the values of the four samples around the spot. The parameter
// values has one value for each sample.
func (l *lattice) between(values []float32, s spot) float32 {
	v := values[s.at:]
	if v[0] == v[1] && v[0] == v[l.w] && v[0] == v[l.w+1] {
		return v[0]
	}
	return mix(mix(v[0], v[1], s.u), mix(v[l.w], v[l.w+1], s.u), s.v)
}

// nearest returns the index of the sample that is nearest to a spot, for values that cannot be interpolated, such as kinds of
// blocks.
func (l *lattice) nearest(s spot) int {
	at := s.at
	if s.u >= 0.5 {
		at++
	}
	if s.v >= 0.5 {
		at += l.w
	}
	return at
}
