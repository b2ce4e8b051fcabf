package terrain

import "github.com/truestep-io/truestep/sim/geom"

// MaxReach is how many blocks AppendBoxes looks along X and Z at most; a swept player is far shorter.
const MaxQuerySpan = 64

// AppendBoxes appends the collision boxes that touch q, in blocks, be it with a face only, and returns the longer
// slice. The order is the same on every CPU: by the x of the block, then its z, then its y, ascending, then as the kind
// lists them. On X and Z only the first MaxReach blocks of q are looked at; a q with NaN touches nothing.
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

// clear tells whether the sections of one chunk that hold the heights y0..y1 are of one kind that stops nobody: the
// open air in which most boxes are.
func (b *Blocks) clear(cx, cz, y0, y1 int32) bool {
	for _, s := range b.column(cx, cz)[(y0-MinBlockY)>>4 : (y1-MinBlockY)>>4+1] {
		if s >= 0 || BlockID(^s).Kind().Solid() {
			return false
		}
	}
	return true
}

// appendColumn appends the boxes of the blocks x, y0..y1, z, section by section.
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

// appendBoxes appends the boxes that a block of kind k has at x, y, z, as far as they touch q.
func (k *BlockKind) appendBoxes(dst []geom.Box, q *geom.Box, x, y, z int32) []geom.Box {
	at := geom.Vec{X: float32(x), Y: float32(y), Z: float32(z)}
	if k.full { // its cell would not be looked at if it did not touch
		return append(dst, geom.Box{Min: at, Max: geom.Vec{X: at.X + 1, Y: at.Y + 1, Z: at.Z + 1}})
	}
	for i := range k.Boxes {
		if box := k.Boxes[i].Move(at); box.Touches(*q) {
			dst = append(dst, box)
		}
	}
	return dst
}

// farBlock is beyond every block that is looked at; coordinates are cut there before they become integers, which is
// undefined for larger ones.
const farBlock = 1 << 30

// cellsOf is the cells of an axis that lo..hi touches, false if there are none. A cell touches by its face, too.
func cellsOf(lo, hi float32) (from, to int32, ok bool) {
	if !(lo <= hi) {
		return 0, 0, false
	}
	if !(lo >= -farBlock && hi <= farBlock) {
		lo, hi = min(max(lo, -farBlock), farBlock), min(max(hi, -farBlock), farBlock)
	}
	from, to = int32(lo), int32(hi)
	if float32(from) >= lo { // truncated upwards, or exactly at the face between two cells
		from--
	}
	if float32(to) > hi {
		to--
	}
	return from, to, true
}
