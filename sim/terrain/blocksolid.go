package terrain

import "math"

// Limits that decide whether the top of a solid becomes a slab (half block) or a whole block. They are heights above the bottom
// of the block that contains the top, in blocks.
const (
	minSlabReach = 1.0 / 8    // the top of a solid must reach this far into a block to become a slab there
	maxSlabTop   = 129. / 256 // a top up to this height in a block becomes a slab; slightly above one half to allow for rounding
)

// solidFills converts a solid to fills: the result whole is a fill of whole blocks, and slab is a fill of half blocks, where the
// top of the solid is in the lower half of a block. Either may be absent.
//
// On X and Z a block is filled if the solid covers its centre. A solid that covers no centre, such as a thin wall, fills
// the block that contains its middle. Vertically the same holds, except that a top in the lower half of a block, up to
// and including its centre, becomes a slab there, and a thin board becomes a slab in the half of the block that contains
// its middle.
func (g BlockGrid) solidFills(s *BlockSolid) (whole, slab BlockFill, hasWhole, hasSlab bool) {
	lo, hi := g.corners(&s.Solid)
	var x, z [2]int32
	x[0], x[1] = cellsCovered(lo[0], hi[0])
	z[0], z[1] = cellsCovered(lo[2], hi[2])
	layer := func(y0, y1 int32, id BlockID) (BlockFill, bool) {
		y0, y1 = max(y0, MinBlockY), min(y1, MaxBlockY)
		return BlockFill{[3]int32{x[0], y0, z[0]}, [3]int32{x[1], y1, z[1]}, id}, y0 <= y1
	}
	if s.Block == Air {
		return whole, slab, false, false
	}
	first, last := int32(math.Ceil(lo[1]-0.5)), int32(math.Ceil(hi[1]-maxSlabTop))-1
	switch {
	case first <= last:
		whole, hasWhole = layer(first, last, s.Block)
		if hi[1]-float64(last+1) >= minSlabReach {
			slab, hasSlab = layer(last+1, last+1, SmoothStoneSlab)
		}
	default:
		middle := (lo[1] + hi[1]) / 2
		y, kind := math.Floor(middle), SmoothStoneSlab
		if middle-y >= 0.5 {
			kind = SmoothStoneSlabTop
		}
		slab, hasSlab = layer(int32(y), int32(y), kind)
	}
	return whole, slab, hasWhole, hasSlab
}

// corners converts the corners of a solid to block coordinates. It limits very large values, so that they fit an integer.
func (g BlockGrid) corners(s *Solid) (lo, hi [3]float64) {
	const far = 4 * MaxOrigin
	cut := func(v float64) float64 { return min(max(v, -far), far) }
	u := float64(g.UnitsPerBlock)
	base := float64(g.Height)
	lo = [3]float64{float64(s.Min.X) / u, (float64(s.Min.Y) - base) / u, -float64(s.Max.Z) / u}
	hi = [3]float64{float64(s.Max.X) / u, (float64(s.Max.Y) - base) / u, -float64(s.Min.Z) / u}
	for axis, origin := range g.Origin {
		lo[axis], hi[axis] = cut(lo[axis]+float64(origin)), cut(hi[axis]+float64(origin))
	}
	return lo, hi
}

// centres returns the first and the last cell on an axis whose centre lies within lo..hi. If there is no such cell, first is
// greater than last.
func centres(lo, hi float64) (first, last int32) {
	return int32(math.Ceil(lo - 0.5)), int32(math.Floor(hi - 0.5))
}

// cellsCovered returns the first and the last cell of an axis that a solid from lo to hi fills: those whose centres are within
// lo..hi or, if there are none, the cell that contains the middle of lo..hi.
func cellsCovered(lo, hi float64) (first, last int32) {
	first, last = centres(lo, hi)
	if first > last {
		first = int32(math.Floor((lo + hi) / 2))
		last = first
	}
	return first, last
}
