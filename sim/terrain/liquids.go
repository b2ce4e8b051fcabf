package terrain

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
)

// LiquidSurface describes the liquid in the block at a point, and the height of its surface.
type LiquidSurface struct {
	Liquid  Liquid  // liquid of the block that contains the point, NoLiquid if it has none
	Depth   uint8   // depth of that liquid, 0..8, see BlockKind.Depth
	Top     float32 // height of the liquid's surface in that block, in blocks
	Covered bool    // the block above contains the same liquid
}

// Contains reports whether a point at height y in the block of s is within the liquid.
func (s *LiquidSurface) Contains(y float32) bool {
	return s.Liquid != NoLiquid && (s.Covered || y < s.Top)
}

// LiquidAt returns the liquid in the block that contains p, and the height of the liquid's surface.
func (b *Blocks) LiquidAt(p geom.Vec) LiquidSurface {
	x, y, z := cellOf(float64(p.X)), cellOf(float64(p.Y)), cellOf(float64(p.Z))
	k := b.At(x, y, z).Kind()
	if k.Liquid == NoLiquid {
		return LiquidSurface{}
	}
	above := b.At(x, y+1, z).Kind()
	return LiquidSurface{Liquid: k.Liquid, Depth: k.Depth, Top: liquidTop(y, k.Depth), Covered: above.Liquid == k.Liquid}
}

// depthStep is by how much the surface of a liquid sinks when its depth (0..7, 7 is the shallowest) increases by 1, in blocks.
const depthStep float32 = 1. / 9

// liquidTop returns the height of the surface of a liquid with a depth, in a block at height y, in blocks. Source:
// docs/wire/bedrock.md, liquids.
func liquidTop(y int32, depth uint8) float32 {
	return float32(y) + (1 - float32(float32(levelOf(depth))*depthStep))
}

// levelOf returns the depth of a liquid, 0..7, by which surfaces and currents are computed. The result is 0 both for a source and
// for a falling liquid, because their surfaces are equally high.
func levelOf(depth uint8) int32 {
	if depth >= FallingDepth {
		return 0
	}
	return int32(depth)
}

// sides are the offsets to the four horizontal neighbours of a block: west, east, north and south.
var sides = [4][2]int32{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}

// fallingPull is the downward part of the current in a liquid that falls beside a wall, relative to the horizontal part, whose
// length is at most 1. Afterwards the sum of both is scaled to length 1.
const fallingPull = 6

// Current returns the direction in which liquid l moves a body that touches the blocks of q: a vector of length 1, or 0 if the
// liquid is still. The liquid is still if none of the touched blocks, and none of their horizontal neighbours, flows. The
// coordinates of q are in blocks; along each axis only its first MaxQuerySpan blocks are searched. Source: docs/wire/bedrock.md,
// liquids.
func (b *Blocks) Current(l Liquid, q geom.Box) geom.Vec {
	x0, x1 := cellSpan(q.Min.X, q.Max.X)
	y0, y1 := cellSpan(q.Min.Y, q.Max.Y)
	z0, z1 := cellSpan(q.Min.Z, q.Max.Z)
	if !b.MayHave(FlowTrait, x0-1, y0-1, z0-1, x1+1, y1, z1+1) {
		return geom.Vec{}
	}
	var sum geom.Vec
	flows := false
	for x := x0; x <= x1; x++ {
		for y := y0; y <= y1; y++ {
			for z := z0; z <= z1; z++ {
				if k := b.At(x, y, z).Kind(); k.Liquid == l {
					v, moving := b.blockCurrent(k, x, y, z)
					sum, flows = sum.Add(v), flows || moving
				}
			}
		}
	}
	if !flows {
		return geom.Vec{}
	}
	return normalized(sum)
}

// blockCurrent returns the direction of the current in one block of liquid: a vector of length 1, or 0. The result flows is false
// if the liquid is still: neither this block nor a horizontal neighbour has liquid that falls or is lower than a full block.
func (b *Blocks) blockCurrent(own *BlockKind, x, y, z int32) (v geom.Vec, flows bool) {
	var pull [2]int32
	flows = own.Depth > 0
	level := levelOf(own.Depth)
	for _, d := range &sides {
		side := b.At(x+d[0], y, z+d[1]).Kind()
		step := int32(0)
		switch {
		case side.Liquid == own.Liquid:
			flows = flows || side.Depth > 0
			step = levelOf(side.Depth) - level
		case !side.Solid():
			if below := b.At(x+d[0], y-1, z+d[1]).Kind(); below.Liquid == own.Liquid {
				flows = flows || below.Depth > 0
				step = levelOf(below.Depth) + FallingDepth - level
			}
		}
		pull[0] += d[0] * step
		pull[1] += d[1] * step
	}
	v = normalized(geom.Vec{X: float32(pull[0]), Z: float32(pull[1])})
	if own.Depth >= FallingDepth && b.besideWall(x, y, z) {
		v.Y -= fallingPull
		v = normalized(v)
	}
	return v, flows
}

// besideWall reports whether a horizontal neighbour of a block, or the block above such a neighbour, has collision.
func (b *Blocks) besideWall(x, y, z int32) bool {
	for _, d := range &sides {
		if b.At(x+d[0], y, z+d[1]).Kind().Solid() || b.At(x+d[0], y+1, z+d[1]).Kind().Solid() {
			return true
		}
	}
	return false
}

// normalized returns v scaled to length 1, or 0 if v is 0.
func normalized(v geom.Vec) geom.Vec {
	d := geom.Sqrt(float32(v.X*v.X) + float32(v.Y*v.Y) + float32(v.Z*v.Z))
	if !(d > 0) {
		return geom.Vec{}
	}
	return geom.Vec{X: v.X / d, Y: v.Y / d, Z: v.Z / d}
}

// cellSpan returns the first and the last block coordinate that the interval lo..hi overlaps, limited to MaxQuerySpan
// blocks. The span is empty if lo is above hi.
func cellSpan(lo, hi float32) (first, last int32) {
	if !(lo <= hi) {
		return 0, -1
	}
	first = cellOf(math.Floor(float64(lo)))
	return first, min(cellOf(math.Floor(float64(hi))), first+MaxQuerySpan-1)
}
