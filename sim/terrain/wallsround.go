package terrain

import "github.com/truestep-io/truestep/sim/geom"

// Bounds of the search for a way round. They bound what a claim can cost; a way with more turns than they allow is none.
const (
	detourBoxes = 12
	detourNodes = 32
	detourTests = 96 // straight ways that are looked at   measured: some 10 us
)

// Way is how long the shortest way from a to b is that is found: straight, or from corner to corner of what stands in it,
// slightly outside. It is false if there is none up to most units long, or none that a bounded search finds: it looks at
// the twelve solids that it meets first. Y is as for Clear. It does not allocate.
func (w *Walls) PathLength(a, b geom.Vec, most float32, flies bool) (long float32, ok bool) {
	straight := geom.DistXZ(a, b)
	if w == nil || w.noBoxNear(a, b) {
		return straight, straight <= most
	}
	if _, box := w.firstObstacle(a, b, flies); box == noBox {
		return straight, straight <= most
	}
	if straight > most {
		return 0, false
	}
	r := detour{w: w, to: b, maxLength: most, flies: flies}
	return r.search(a)
}

// round is a search for a way round: nodes are the start and the corners of boxes, found as boxes are met.
type detour struct {
	w         *Walls
	to        geom.Vec
	feet      float32 // at the start: corners that high above the ground are stood on
	maxLength float32
	flies     bool
	tests     int

	n, boxCount int
	nodes       [detourNodes]detourNode
	boxes       [detourBoxes]int32
}

type detourNode struct {
	at        geom.Vec
	length    float32 // from the start; valid if known
	remaining float32 // straight to the end
	known     bool
	closed    bool
}

// search takes the node from which the way may be shortest, as long as one is left that is short enough.
func (r *detour) search(from geom.Vec) (float32, bool) {
	r.feet = r.w.feetHeight(from)
	r.nodes[0] = detourNode{at: from, remaining: geom.DistXZ(from, r.to), known: true}
	r.n = 1
	for r.tests < detourTests {
		i := r.bestOpen()
		if i < 0 {
			break
		}
		u := &r.nodes[i]
		u.closed = true
		box := r.obstacle(u.at, r.to)
		if box == noBox {
			return u.length + u.remaining, true
		}
		old := r.n
		r.addBox(box)
		for j := 1; j < r.n && r.tests < detourTests; j++ { // the loop meets more
			r.relax(u, &r.nodes[j])
		}
		for j := old; j < r.n; j++ { // those that were closed before may see the new ones, too
			for k := range r.n {
				if r.nodes[k].closed && k != i && r.tests < detourTests {
					r.relax(&r.nodes[k], &r.nodes[j])
				}
			}
		}
	}
	return 0, false
}

// nearest is the open node with the shortest hope, -1 if none is short enough.
func (r *detour) bestOpen() int {
	best := -1
	for i := range r.n {
		u := &r.nodes[i]
		if !u.known || u.closed || u.length+u.remaining > r.maxLength {
			continue
		}
		if best < 0 || u.length+u.remaining < r.nodes[best].length+r.nodes[best].remaining {
			best = i
		}
	}
	return best
}

// relax notes the way to v by u if it is clear and the shortest so far.
func (r *detour) relax(u, v *detourNode) {
	if u == v || v.closed {
		return
	}
	far := u.length + geom.DistXZ(u.at, v.at)
	if v.known && far >= v.length || far+v.remaining > r.maxLength {
		return
	}
	if box := r.obstacle(u.at, v.at); box != noBox {
		r.addBox(box)
		return
	}
	v.length, v.known = far, true
}

// look is the box that stands in a straight way, or nobody.
func (r *detour) obstacle(a, b geom.Vec) int32 {
	r.tests++
	_, box := r.w.firstObstacle(a, b, r.flies)
	return box
}

// meet adds the corners of a box. Where another box adjoins there is none: that box has corners, and so a row of boxes is
// gone along to its end.
func (r *detour) addBox(box int32) {
	for i := range r.boxCount {
		if r.boxes[i] == box {
			return
		}
	}
	if r.boxCount == detourBoxes {
		return
	}
	r.boxes[r.boxCount] = box
	r.boxCount++
	b := &r.w.boxes[box]
	midX, midZ := float32((b.minX+b.maxX)/2), float32((b.minZ+b.maxZ)/2)
	for _, x := range [2]float32{float32(b.minX - wallCorner), float32(b.maxX + wallCorner)} {
		for _, z := range [2]float32{float32(b.minZ - wallCorner), float32(b.maxZ + wallCorner)} {
			beside := geom.Vec{X: x, Y: r.feet, Z: insetFrom(z, midZ)}
			ahead := geom.Vec{X: insetFrom(x, midX), Y: r.feet, Z: z}
			corner := geom.Vec{X: x, Y: r.feet, Z: z}
			if r.adjoins(beside) || r.adjoins(ahead) || r.adjoins(corner) || r.n == detourNodes {
				continue
			}
			corner = r.standAt(corner)
			r.nodes[r.n] = detourNode{at: corner, remaining: geom.DistXZ(corner, r.to)}
			r.n++
		}
	}
}

// toward is v, moved from outside a corner to inside of it, but not beyond the middle of the box.
func insetFrom(v, middle float32) float32 {
	const far = wallCorner + 2*wallSkin
	if v < middle {
		return min(v+far, middle)
	}
	return max(v-far, middle)
}

// adjoins tells whether a box is there, and meets that.
func (r *detour) adjoins(at geom.Vec) bool {
	box := r.w.inside(r.standAt(at), r.flies)
	if box == noBox {
		return false
	}
	r.addBox(box)
	return true
}

// stand puts the feet of somebody who walks onto what is there: a solid as high as that from which he comes, or the
// ground. The way there has to lead him up, so nothing is given away.
func (r *detour) standAt(at geom.Vec) geom.Vec {
	if r.flies {
		return at
	}
	high := r.w.feetHeight(at) + r.w.stepHeight
	on, found := r.w.ground(at)
	for _, i := range r.w.boxesNear(at) {
		if b := &r.w.boxes[i]; b.containsXZ(at) && b.top <= high && (!found || b.top > on) {
			on, found = b.top, true
		}
	}
	if found {
		at.Y = on
	}
	return at
}
