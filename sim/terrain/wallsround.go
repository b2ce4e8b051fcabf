package terrain

import "github.com/truestep-io/truestep/sim/geom"

// Limits of the search for a path around walls. They limit the time to judge a claim. A path that exceeds a limit is not
// found.
const (
	detourBoxes = 12 // maximum solids whose corners are considered
	detourNodes = 32 // maximum corners considered, including the start
	detourTests = 96 // maximum straight lines tested in one search, which takes about 10 us (measured)
)

// PathLength returns the length of the shortest path found from a to b, in world units: a straight line, or along the corners of
// the solids in between, slightly outside them. ok is false if there is none of at most maxLength units, or if the bounded search
// finds none: it considers only the first twelve solids that it meets. As for Clear, the Y coordinates are the claimed heights of
// the feet. It does not allocate.
func (w *Walls) PathLength(a, b geom.Vec, maxLength float32, flies bool) (length float32, ok bool) {
	direct := geom.DistXZ(a, b)
	if w == nil || w.noBoxNear(a, b) {
		return direct, direct <= maxLength
	}
	if _, box := w.firstObstacle(a, b, flies); box == noBox {
		return direct, direct <= maxLength
	}
	if direct > maxLength {
		return 0, false
	}
	r := detour{w: w, to: b, maxLength: maxLength, flies: flies}
	return r.search(a)
}

// detour is a search for a path around walls. Its nodes are the start and the corners of the boxes found so far.
type detour struct {
	w         *Walls
	to        geom.Vec
	feet      float32 // height of the feet at the start; the path may lead over solids up to this height above the ground
	maxLength float32
	flies     bool
	tests     int // number of straight lines tested so far

	n, boxCount int // numbers of used entries in nodes and in boxes
	nodes       [detourNodes]detourNode
	boxes       [detourBoxes]int32
}

// detourNode is a point that the path may lead through.
type detourNode struct {
	at        geom.Vec
	length    float32 // length of the shortest known path from the start; valid if known
	remaining float32 // straight-line distance to the end of the path, a lower bound of what remains
	known     bool    // a path from the start to this node is known
	closed    bool    // the node has been expanded
}

// search returns the length of the shortest path that it finds, and false if it finds none. It is an A* search: it expands nodes
// in the order of the lower bound of the total length, as long as that is at most maxLength.
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
		for j := 1; j < r.n && r.tests < detourTests; j++ { // addBox adds nodes during the loop
			r.relax(u, &r.nodes[j])
		}
		for j := old; j < r.n; j++ { // nodes that were closed earlier may also reach the new ones
			for k := range r.n {
				if r.nodes[k].closed && k != i && r.tests < detourTests {
					r.relax(&r.nodes[k], &r.nodes[j])
				}
			}
		}
	}
	return 0, false
}

// bestOpen returns the node that the search must expand next: of the nodes that were not expanded yet, the one with the smallest
// lower bound of the total length. The result is -1 if all these lower bounds are above maxLength.
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

// relax records the path to v through u if it is free of obstacles and shorter than any path to v known so far.
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

// obstacle returns the first box that obstructs the straight line from a to b, or noBox.
func (r *detour) obstacle(a, b geom.Vec) int32 {
	r.tests++
	_, box := r.w.firstObstacle(a, b, r.flies)
	return box
}

// addBox adds the corners of a box as nodes. No path leads through a corner that is inside or next to another box. Such a corner
// is skipped and the other box is added, so that the search finds the way around a row of adjoining boxes.
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

// insetFrom returns a coordinate a little inside a box, from the coordinate v of a node just outside one of the sides of the box.
// The result is at most in the middle of the box, which is the parameter middle.
func insetFrom(v, middle float32) float32 {
	const far = wallCorner + 2*wallSkin
	if v < middle {
		return min(v+far, middle)
	}
	return max(v-far, middle)
}

// adjoins reports whether a box contains a position. If so, it adds the corners of that box to the search.
func (r *detour) adjoins(at geom.Vec) bool {
	box := r.w.inside(r.standAt(at), r.flies)
	if box == noBox {
		return false
	}
	r.addBox(box)
	return true
}

// standAt returns the position with the height at which the feet of a walker are there: on a solid whose top is at most a step
// above the start, or else on the ground. This does not help a client to get onto a solid, because a path to that position must
// still lead up to its height.
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
