package terrain

import "github.com/truestep-io/truestep/sim/geom"

// MaxQuerySpan is the maximum size of a query along X and Z, in blocks. The swept box of a player is far smaller.
const MaxQuerySpan = 64

// AppendBoxes appends to dst the collision boxes that touch q, even if only on a face, and returns the extended slice. The
// coordinates of q are in blocks. The order is the same on every CPU: ascending by the block's x, then z, then y, then the order
// of BlockKind.Boxes. Along X and Z only the first MaxQuerySpan blocks of q are searched. If q has a NaN coordinate, nothing
// touches it.
func (b *Blocks) AppendBoxes(dst []geom.Box, q geom.Box) []geom.Box {
	if b == nil {
		b = flatGround
	}
	x0, x1, okX := cellsOf(q.Min.X, q.Max.X)
	y0, y1, okY := cellsOf(q.Min.Y, q.Max.Y)
	z0, z1, okZ := cellsOf(q.Min.Z, q.Max.Z)
	y0, y1 = max(y0, MinBlockY), min(y1, MaxBlockY)
	if !okX || !okY || !okZ || y0 > y1 {
		return dst
	}
	x1, z1 = min(x1, x0+MaxQuerySpan-1), min(z1, z0+MaxQuerySpan-1)
	if x0>>4 == x1>>4 && z0>>4 == z1>>4 && b.clear(x0>>4, z0>>4, y0, y1) {
		return dst
	}
	for x := x0; x <= x1; x++ {
		for z := z0; z <= z1; z++ {
			dst = b.appendColumn(dst, &q, x, z, y0, y1)
		}
	}
	return dst
}

// clear reports whether a chunk certainly has no collision at the heights y0..y1. It is a quick check of whole sections: each of
// them must consist of one kind of block without collision, which usually is air.
func (b *Blocks) clear(cx, cz, y0, y1 int32) bool {
	for _, s := range b.column(cx, cz)[(y0-MinBlockY)>>4 : (y1-MinBlockY)>>4+1] {
		if s >= 0 || BlockID(^s).Kind().Solid() {
			return false
		}
	}
	return true
}

// appendColumn appends the collision boxes of the blocks at x, y0..y1, z that touch q, section by section.
func (b *Blocks) appendColumn(dst []geom.Box, q *geom.Box, x, z, y0, y1 int32) []geom.Box {
	column := b.column(x>>4, z>>4)
	base := x&15<<8 | z&15<<4
	for y := y0; y <= y1; {
		s := column[(y-MinBlockY)>>4]
		end := min(y|15, y1)
		if s < 0 {
			if k := BlockID(^s).Kind(); k.Solid() {
				for ; y <= end; y++ {
					dst = k.appendBoxes(dst, q, x, y, z)
				}
			}
		} else {
			for cells := b.cells[s]; y <= end; y++ {
				if id := cells[base|y&15]; id != Air {
					dst = id.Kind().appendBoxes(dst, q, x, y, z)
				}
			}
		}
		y = end + 1
	}
	return dst
}

// appendBoxes appends those collision boxes of a block of kind k at x, y, z that touch q.
func (k *BlockKind) appendBoxes(dst []geom.Box, q *geom.Box, x, y, z int32) []geom.Box {
	at := geom.Vec{X: float32(x), Y: float32(y), Z: float32(z)}
	if k.full { // no check needed: the caller visits only cells that touch q
		return append(dst, geom.Box{Min: at, Max: geom.Vec{X: at.X + 1, Y: at.Y + 1, Z: at.Z + 1}})
	}
	for i := range k.Boxes {
		if box := k.Boxes[i].Move(at); box.Touches(*q) {
			dst = append(dst, box)
		}
	}
	return dst
}

// farBlock is a coordinate beyond every block in use. Coordinates are limited to it before the conversion to integers,
// which is undefined for larger values.
const farBlock = 1 << 30

// cellsOf returns the range of block coordinates on an axis that the interval lo..hi touches, even if only on a face. The result
// ok is false if there are none.
func cellsOf(lo, hi float32) (from, to int32, ok bool) {
	if !(lo <= hi) {
		return 0, 0, false
	}
	if !(lo >= -farBlock && hi <= farBlock) {
		lo, hi = min(max(lo, -farBlock), farBlock), min(max(hi, -farBlock), farBlock)
	}
	from, to = int32(lo), int32(hi)
	if float32(from) >= lo { // the cast rounded up, or lo is exactly on the face between two cells
		from--
	}
	if float32(to) > hi {
		to--
	}
	return from, to, true
}
