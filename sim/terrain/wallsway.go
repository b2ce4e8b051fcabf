package terrain

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
)

// IsClearBetween reports whether an actor can move from a to b in a straight line. The Y coordinates are the claimed heights of
// the feet at both ends. The higher of the two applies along the whole line. The function does not allocate.
func (w *Walls) IsClearBetween(a, b geom.Vec, flies bool) bool {
	_, clear := w.ClearShare(a, b, flies)
	return clear
}

// ClearShare returns the share, 0..1, of the straight line from a to b that is free before the first obstacle, and whether the
// whole line is free. A line that ends inside a solid is not free. ClearShare does not allocate.
func (w *Walls) ClearShare(a, b geom.Vec, flies bool) (share float32, clear bool) {
	if w == nil || w.noBoxNear(a, b) {
		return 1, true
	}
	at, box := w.firstObstacle(a, b, flies)
	return float32(at), box == noBox
}

// Inside reports whether an actor with its feet at p is inside a solid.
func (w *Walls) Inside(p geom.Vec, flies bool) bool {
	return w != nil && w.inside(p, flies) != noBox
}

// CanRise reports whether an actor at p can change the height of its feet to y without a solid in between.
func (w *Walls) CanRise(p geom.Vec, y float32, flies bool) bool {
	if w == nil {
		return true
	}
	from, to := w.feetHeight(p), w.feetHeight(geom.Vec{X: p.X, Y: y, Z: p.Z})
	low, high := min(from, to), max(from, to)+w.headroom
	for _, i := range w.boxesNear(p) {
		b := &w.boxes[i]
		if !b.containsXZ(p) || w.contains(b, from, flies) {
			continue // an actor inside a solid can leave it
		}
		if b.top > low+w.stepHeightOf(flies) && b.bottom < high {
			return false
		}
	}
	return true
}

// noBox stands for the index of a box if there is none.
const noBox = -1

// stepHeightOf returns the height that an actor can step up, in world units. It is 0 for actors that fly, because they need no
// ground.
func (w *Walls) stepHeightOf(flies bool) float32 {
	if flies {
		return 0
	}
	return w.stepHeight
}

// contains reports whether an actor is inside a box. The caller has checked that the actor is within the box on the ground plane,
// so only heights are compared. The parameter feet is the height of the actor's feet.
func (w *Walls) contains(b *wallBox, feet float32, flies bool) bool {
	return b.top > feet+w.stepHeightOf(flies) && b.bottom < feet+w.headroom
}

// inside returns the first box that contains an actor at p, or noBox.
func (w *Walls) inside(p geom.Vec, flies bool) int32 {
	feet := w.feetHeight(p)
	for _, i := range w.boxesNear(p) {
		if b := &w.boxes[i]; b.containsXZ(p) && w.contains(b, feet, flies) {
			return i
		}
	}
	return noBox
}

// boxesNear returns the indices of the boxes that may contain p on the ground plane.
func (w *Walls) boxesNear(p geom.Vec) []int32 {
	x, z := float64(p.X), float64(p.Z)
	if !(x >= w.minX && x <= w.maxX && z >= w.minZ && z <= w.maxZ) {
		return nil
	}
	c := w.row(z)*w.cols + w.column(x)
	return w.cellBoxes[w.start[c]:w.start[c+1]]
}

// containsXZ reports whether p is within the box on the ground plane.
func (b *wallBox) containsXZ(p geom.Vec) bool {
	x, z := float64(p.X), float64(p.Z)
	return x >= b.minX && x <= b.maxX && z >= b.minZ && z <= b.maxZ
}

// crosses reports whether a straight line touches the box on the ground plane. It applies the separating axis test on X, Z and
// the normal of the line, without a division. A line that ends exactly in a corner must count as touching the box, whatever the
// rounding of the products is. Otherwise an actor could get into the box there, and a box does not obstruct an actor inside it.
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

// span returns the shares of the line, 0..1, at which the line enters and leaves a box that it crosses.
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

// hit is a box that the line of a movement or an attack crosses.
type hit struct {
	enter, leave float32 // shares of the line, 0..1, at which it enters and leaves the box
	box          int32   // index in Walls.boxes
	supports     bool    // the actor stands on the box or got onto it along the line
	startsBelow  bool    // the box was below the feet at the start of the line
}

// hits are the boxes that a line crosses, in the order in which the line enters them. If it enters two boxes at the same point,
// the lower box is first. Of the boxes that are below the feet at the start of the line, those that lie entirely under another
// one are omitted, such as the lower floors of a tower or the lower layers of a hill.
type hits struct {
	feet float32 // height of the feet at the start plus a step, in world units
	high float32 // height in world units: boxes that begin at or above it are omitted
	n    int     // number of used entries in list
	full bool    // the line crosses more than maxHits boxes and counts as obstructed
	list [maxHits]hit
}

const maxHits = 32

// noBoxNear is a quick test: if it returns true, the line from a to b crosses no box.
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

// collectHits collects the boxes that the line from a to b crosses, one row of cells after the other.
func (w *Walls) collectHits(hs *hits, a, b geom.Vec) {
	ax, az, bx, bz := float64(a.X), float64(a.Z), float64(b.X), float64(b.Z)
	dx, dz := bx-ax, bz-az
	first, last := w.row(min(az, bz)), w.row(max(az, bz))
	for row := first; row <= last; row++ {
		lo, hi := min(ax, bx), max(ax, bx)
		if first != last && dz != 0 { // cut the line to its part in this row
			const slack = wallSkin / 4
			south := w.minZ + float64(float64(row)/w.cellsPer)
			north := w.minZ + float64(float64(row+1)/w.cellsPer)
			p, q := ax+float64((south-az)/dz*dx), ax+float64((north-az)/dz*dx)
			if row > 0 { // the outer rows include everything beyond the grid
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
					hs.insert(w, hit{float32(enter), float32(leave), i, false, box.top <= hs.feet && box.containsXZ(a)})
				}
			}
		}
	}
}

// insert inserts a hit at its place in the order. A box that is in several cells is inserted once.
func (hs *hits) insert(w *Walls, h hit) {
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

// hides reports whether o may be omitted because the box of h covers the box of o: (1) the line is over the box of h wherever
// it is over the box of o, and (2) the top of h's box is at least as high. The actor then cannot reach the box of o without
// passing through that of h.
func (h *hit) hides(o *hit, w *Walls) bool {
	return h.startsBelow && o.startsBelow && h.leave >= o.leave && w.boxes[h.box].top >= w.boxes[o.box].top
}

// after reports whether h comes after o in the order of hits: the line enters the box of h later.
func (h *hit) after(o *hit, w *Walls) bool {
	if h.enter != o.enter {
		return h.enter > o.enter
	}
	if p, q := w.boxes[h.box].top, w.boxes[o.box].top; p != q {
		return p > q
	}
	return h.box > o.box
}

// firstObstacle returns the share of the straight line from a to b that is free before the first obstacle, and the index of the
// obstacle's box, or noBox if there is no obstacle.
func (w *Walls) firstObstacle(a, b geom.Vec, flies bool) (share float64, box int32) {
	high := max(w.feetHeight(a), w.feetHeight(b)) + 2*w.headroom
	share, box, on := w.firstObstacleBelow(a, b, high, flies)
	if on+w.headroom > high { // the line leads up stairs or a hill to the height of boxes that were omitted
		share, box, _ = w.firstObstacleBelow(a, b, float32(math.Inf(1)), flies)
	}
	return share, box
}

// firstObstacleBelow returns the first obstacle like firstObstacle, but considers only boxes whose bottom is below the
// parameter high. The third result, named on, is the greatest height of anything along the line on which the actor stands or
// from which it leaps.
func (w *Walls) firstObstacleBelow(a, b geom.Vec, high float32, flies bool) (at float64, box int32, on float32) {
	from, to := w.feetHeight(a), w.feetHeight(b)
	hs := hits{feet: from + w.stepHeightOf(flies), high: high}
	w.collectHits(&hs, a, b)
	y := max(from, to)
	on = y
	if hs.n == 0 {
		return 1, noBox, on
	}
	if hs.full {
		return 0, hs.list[0].box, on
	}
	length := float64(geom.DistXZ(a, b))
	for i := range hs.n {
		h := &hs.list[i]
		o := &w.boxes[h.box]
		begins := o.containsXZ(a)
		if begins && w.contains(o, from, flies) {
			continue // the actor is already inside this box
		}
		if h.supports = begins && o.top <= from+w.stepHeightOf(flies); !h.supports {
			low, high := y, y+w.headroom
			if !flies {
				under := w.support(&hs, i, a, b, y, length)
				on = max(on, under)
				low, high = max(under+w.stepHeight, min(y, under+w.jumpHeight)), max(y, under)+w.headroom
			}
			if h.supports = o.top <= low; !h.supports && o.bottom < high {
				return float64(h.enter), h.box, on
			}
		}
		if o.containsXZ(b) && o.top > to+w.stepHeightOf(flies) && o.bottom < y+w.headroom {
			return float64(h.enter), h.box, on // the line ends inside this box
		}
	}
	return 1, noBox, on
}

// support returns the height of the surface that carries the actor where the line enters box i of hs. The surface is the ground
// there, or the top of an earlier box on the line: one on which the actor stands, or from whose edge it leaps.
func (w *Walls) support(hs *hits, i int, a, b geom.Vec, y float32, length float64) float32 {
	enter := hs.list[i].enter
	at := geom.Vec{X: a.X + float32((b.X-a.X)*enter), Z: a.Z + float32((b.Z-a.Z)*enter)}
	on, found := w.ground(at)
	for j := range i {
		h := &hs.list[j]
		if top := w.boxes[h.box].top; h.supports && float64(float64(enter-h.leave)*length) <= w.edgeLeap && (!found || top > on) {
			on, found = top, true
		}
	}
	if !found {
		return y // over a void the support is unknown
	}
	return on
}
