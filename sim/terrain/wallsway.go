package terrain

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
)

// Clear tells whether somebody gets from a to b in a straight line. Y of both is where his feet are, as he says; on the
// way they are as high as the higher of the two. It does not allocate.
func (w *Walls) Clear(a, b geom.Vec, flies bool) bool {
	_, clear := w.ClearShare(a, b, flies)
	return clear
}

// Reach is which share of the straight way from a to b is free, 0..1, before something stands in it, and whether that is
// all of it. A way that ends inside a solid is not clear. It does not allocate.
func (w *Walls) ClearShare(a, b geom.Vec, flies bool) (share float32, clear bool) {
	if w == nil || w.noBoxNear(a, b) {
		return 1, true
	}
	at, box := w.firstObstacle(a, b, flies)
	return float32(at), box == noBox
}

// Inside tells whether p lies in a solid for somebody whose feet are there.
func (w *Walls) Inside(p geom.Vec, flies bool) bool {
	return w != nil && w.inside(p, flies) != noBox
}

// Rises tells whether the feet of somebody at p may come to height y with no solid in between.
func (w *Walls) CanRise(p geom.Vec, y float32, flies bool) bool {
	if w == nil {
		return true
	}
	from, to := w.feetHeight(p), w.feetHeight(geom.Vec{X: p.X, Y: y, Z: p.Z})
	low, high := min(from, to), max(from, to)+w.headroom
	for _, i := range w.boxesNear(p) {
		b := &w.boxes[i]
		if !b.containsXZ(p) || w.contains(b, from, flies) {
			continue // whoever is inside gets out
		}
		if b.top > low+w.stepHeightOf(flies) && b.bottom < high {
			return false
		}
	}
	return true
}

// nobody is the number of no box.
const noBox = -1

// stepOf is how high somebody steps.
func (w *Walls) stepHeightOf(flies bool) float32 {
	if flies {
		return 0
	}
	return w.stepHeight
}

// holds tells whether somebody is inside a box that is where he is on the ground, with his feet at that height.
func (w *Walls) contains(b *wallBox, feet float32, flies bool) bool {
	return b.top > feet+w.stepHeightOf(flies) && b.bottom < feet+w.headroom
}

// inside is the first box that p is inside of, or nobody.
func (w *Walls) inside(p geom.Vec, flies bool) int32 {
	feet := w.feetHeight(p)
	for _, i := range w.boxesNear(p) {
		if b := &w.boxes[i]; b.containsXZ(p) && w.contains(b, feet, flies) {
			return i
		}
	}
	return noBox
}

// under is the boxes that may be where p is on the ground.
func (w *Walls) boxesNear(p geom.Vec) []int32 {
	x, z := float64(p.X), float64(p.Z)
	if !(x >= w.minX && x <= w.maxX && z >= w.minZ && z <= w.maxZ) {
		return nil
	}
	c := w.row(z)*w.cols + w.column(x)
	return w.cellBoxes[w.start[c]:w.start[c+1]]
}

// has tells whether p is within the box on the ground.
func (b *wallBox) containsXZ(p geom.Vec) bool {
	x, z := float64(p.X), float64(p.Z)
	return x >= b.minX && x <= b.maxX && z >= b.minZ && z <= b.maxZ
}

// meets tells whether a straight way touches the box on the ground: no axis, nor the normal of the way, parts them. It
// divides nothing. Its products are rounded all the same, by less than any way is wide, but a way that ends in the very
// corner must not be taken for one that passes it: from there on its end would count as inside, and stop at nothing.
func (b *wallBox) crosses(ax, az, bx, bz float64) bool {
	if max(ax, bx) < b.minX || min(ax, bx) > b.maxX || max(az, bz) < b.minZ || min(az, bz) > b.maxZ {
		return false
	}
	if bx >= b.minX && bx <= b.maxX && bz >= b.minZ && bz <= b.maxZ {
		return true
	}
	dx, dz := bx-ax, bz-az
	mx, mz := (b.minX+b.maxX)/2-ax, (b.minZ+b.maxZ)/2-az
	hx, hz := (b.maxX-b.minX)/2, (b.maxZ-b.minZ)/2
	return math.Abs(float64(mx*dz)-float64(mz*dx)) <= float64(hx*math.Abs(dz))+float64(hz*math.Abs(dx))
}

// span is the share of the way, 0..1, at which it enters a box that it meets, and at which it leaves.
func (b *wallBox) span(ax, az, dx, dz float64) (enter, leave float64) {
	leave = 1
	if dx != 0 {
		p, q := (b.minX-ax)/dx, (b.maxX-ax)/dx
		enter, leave = max(enter, min(p, q)), min(leave, max(p, q))
	}
	if dz != 0 {
		p, q := (b.minZ-az)/dz, (b.maxZ-az)/dz
		enter, leave = max(enter, min(p, q)), min(leave, max(p, q))
	}
	enter = min(enter, 1)
	return enter, max(enter, leave)
}

// hit is a box that a way meets.
type hit struct {
	enter, leave float32 // shares of the way
	box          int32
	supports     bool // one stands on it, or got upon it on this way
	startsBelow  bool // it was below the feet when the way began
}

// hits are the boxes that a way meets, in the order in which it enters them, the lower first among equals. Of those that
// were below the feet at the beginning, it leaves out whatever lies below another to its end: floors of a tower, layers of
// a hill.
type hits struct {
	feet float32 // at the beginning, and a step
	high float32 // boxes that begin there are left out
	n    int
	full bool // there are more: nobody finds a way through so many
	list [maxHits]hit
}

const maxHits = 32

// empty tells quickly that a way is far from every box.
func (w *Walls) noBoxNear(a, b geom.Vec) bool {
	x0, x1, z0, z1 := float64(min(a.X, b.X)), float64(max(a.X, b.X)), float64(min(a.Z, b.Z)), float64(max(a.Z, b.Z))
	if x1 < w.minX || x0 > w.maxX || z1 < w.minZ || z0 > w.maxZ {
		return true
	}
	cx, ex, cz, ez := w.column(x0), w.column(x1), w.row(z0), w.row(z1)
	if ex-cx > 2 || ez-cz > 2 {
		return false
	}
	for z := cz; z <= ez; z++ {
		if w.start[z*w.cols+cx] != w.start[z*w.cols+ex+1] {
			return false
		}
	}
	return true
}

// gather finds the boxes that the way from a to b meets, row of cells after row.
func (w *Walls) gather(hs *hits, a, b geom.Vec) {
	ax, az, bx, bz := float64(a.X), float64(a.Z), float64(b.X), float64(b.Z)
	dx, dz := bx-ax, bz-az
	first, last := w.row(min(az, bz)), w.row(max(az, bz))
	for row := first; row <= last; row++ {
		lo, hi := min(ax, bx), max(ax, bx)
		if first != last && dz != 0 { // only that part of the way which lies in this row
			const slack = wallSkin / 4
			south := w.minZ + float64(float64(row)/w.cellsPer)
			north := w.minZ + float64(float64(row+1)/w.cellsPer)
			p, q := ax+float64((south-az)/dz*dx), ax+float64((north-az)/dz*dx)
			if row > 0 { // the outer rows take in what lies beyond them
				lo = max(lo, min(p, q)-slack)
			}
			if row < w.rows-1 {
				hi = min(hi, max(p, q)+slack)
			}
			if row == 0 || row == w.rows-1 {
				lo, hi = min(ax, bx), max(ax, bx)
			}
		}
		for column := w.column(lo); column <= w.column(hi); column++ {
			c := row*w.cols + column
			for _, i := range w.cellBoxes[w.start[c]:w.start[c+1]] {
				if box := &w.boxes[i]; box.bottom < hs.high && box.crosses(ax, az, bx, bz) {
					enter, leave := box.span(ax, az, dx, dz)
					hs.add(w, hit{float32(enter), float32(leave), i, false, box.top <= hs.feet && box.containsXZ(a)})
				}
			}
		}
	}
}

// add puts a hit at its place. A box that lies in several cells counts once.
func (hs *hits) add(w *Walls, h hit) {
	kept := 0
	for i := range hs.n {
		o := &hs.list[i]
		if o.box == h.box || o.hides(&h, w) {
			return
		}
		if !h.hides(o, w) {
			hs.list[kept] = *o
			kept++
		}
	}
	hs.n = kept
	if hs.n == len(hs.list) {
		hs.full = true
		return
	}
	i := hs.n
	for i > 0 && hs.list[i-1].after(&h, w) {
		hs.list[i] = hs.list[i-1]
		i--
	}
	hs.list[i] = h
	hs.n++
}

// hides tells whether o lies below h for as long as the way leads over it, so that nobody comes to touch it who does not
// come through h.
func (h *hit) hides(o *hit, w *Walls) bool {
	return h.startsBelow && o.startsBelow && h.leave >= o.leave && w.boxes[h.box].top >= w.boxes[o.box].top
}

// after tells whether h comes later than o.
func (h *hit) after(o *hit, w *Walls) bool {
	if h.enter != o.enter {
		return h.enter > o.enter
	}
	if p, q := w.boxes[h.box].top, w.boxes[o.box].top; p != q {
		return p > q
	}
	return h.box > o.box
}

// leg is where the straight way from a to b is stopped, as a share of it, and by which box; nobody if by none.
func (w *Walls) firstObstacle(a, b geom.Vec, flies bool) (at float64, box int32) {
	high := max(w.feetHeight(a), w.feetHeight(b)) + 2*w.headroom
	at, box, on := w.firstObstacleBelow(a, b, high, flies)
	if on+w.headroom > high { // stairs or a hill lead up to what was left out
		at, box, _ = w.firstObstacleBelow(a, b, float32(math.Inf(1)), flies)
	}
	return at, box
}

// legBelow is leg among the boxes that begin below a height. on is the highest on which somebody stands on that way.
func (w *Walls) firstObstacleBelow(a, b geom.Vec, high float32, flies bool) (at float64, box int32, on float32) {
	from, to := w.feetHeight(a), w.feetHeight(b)
	hs := hits{feet: from + w.stepHeightOf(flies), high: high}
	w.gather(&hs, a, b)
	y := max(from, to)
	on = y
	if hs.n == 0 {
		return 1, noBox, on
	}
	if hs.full {
		return 0, hs.list[0].box, on
	}
	long := float64(geom.DistXZ(a, b))
	for i := range hs.n {
		h := &hs.list[i]
		o := &w.boxes[h.box]
		begins := o.containsXZ(a)
		if begins && w.contains(o, from, flies) {
			continue // he is inside already
		}
		if h.supports = begins && o.top <= from+w.stepHeightOf(flies); !h.supports {
			low, high := y, y+w.headroom
			if !flies {
				under := w.support(&hs, i, a, b, y, long)
				on = max(on, under)
				low, high = max(under+w.stepHeight, min(y, under+w.jumpHeight)), max(y, under)+w.headroom
			}
			if h.supports = o.top <= low; !h.supports && o.bottom < high {
				return float64(h.enter), h.box, on
			}
		}
		if o.containsXZ(b) && o.top > to+w.stepHeightOf(flies) && o.bottom < y+w.headroom {
			return float64(h.enter), h.box, on // he would come down inside
		}
	}
	return 1, noBox, on
}

// support is on what somebody stands, or from what he leaps, where the way enters the i-th box.
func (w *Walls) support(hs *hits, i int, a, b geom.Vec, y float32, long float64) float32 {
	enter := hs.list[i].enter
	at := geom.Vec{X: a.X + float32((b.X-a.X)*enter), Z: a.Z + float32((b.Z-a.Z)*enter)}
	on, found := w.ground(at)
	for j := range i {
		h := &hs.list[j]
		if top := w.boxes[h.box].top; h.supports && float64(float64(enter-h.leave)*long) <= w.edgeLeap && (!found || top > on) {
			on, found = top, true
		}
	}
	if !found {
		return y // over a void: nothing is known of what holds him
	}
	return on
}
