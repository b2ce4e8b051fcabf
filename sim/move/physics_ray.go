package move

// sweepRay is the movement of a body along one axis. A movement in the negative direction is stored mirrored, so that all code
// handles only the positive direction.
type sweepRay struct {
	mirrored    bool
	at, d       float32 // position of the body and its remaining distance, d >= 0
	back, front float32 // faces of the body relative to its position, before the inset
	inset       float32 // distance by which both faces are moved inward
	hit         bool
	limit       float32 // coordinate of the near face of the obstacle; valid if hit
}

// newSweepRay returns a movement by the distance d along one axis. Before the movement the body is at position pos, and its two
// faces are at pos+lo and pos+hi. Both faces are moved inward by inset, a tolerance.
func newSweepRay(pos, d, lo, hi, inset float32) sweepRay {
	if d < 0 {
		return sweepRay{mirrored: true, at: -pos, d: -d, back: -hi, front: -lo, inset: inset}
	}
	return sweepRay{at: pos, d: d, back: lo, front: hi, inset: inset}
}

// frontFace returns the coordinate of the body's front face, in the direction of the movement, if the body is at position pos.
func (w *sweepRay) frontFace(pos float32) float32 { return pos + w.front - w.inset }

// stopAt ends the movement where it reaches a box that extends from lo to hi. A body that already overlaps the box may leave it
// on the nearer side, but may not move deeper. So a body that is slightly inside a wall or floor neither walks nor falls through
// it.
func (w *sweepRay) stopAt(lo, hi float32) {
	near, far := lo, hi
	if w.mirrored {
		near, far = -hi, -lo
	}
	head, tail := w.frontFace(w.at), w.at+w.back+w.inset
	switch gap := near - head; {
	case head-near > contactSlack:
		if far-tail > contactSlack && head-near < far-tail {
			w.d = 0
		}
	case w.d > gap:
		w.d = max(gap, 0)
		w.limit, w.hit = near, true
	case w.frontFace(w.at+w.d)-near > contactSlack && !(w.hit && w.limit < near): // rounding may put the body slightly past the face
		w.limit, w.hit = near, true
	}
}

// result returns the final position and the displacement. If rounding has moved the body a little into the box that stops it,
// result moves the body out again, because otherwise the body could pass through the box in the next tick.
func (w *sweepRay) result() (at, d float32) {
	at = w.at + w.d
	if w.hit {
		at = w.pushOut(at)
	}
	if w.mirrored {
		return -at, -w.d
	}
	return at, w.d
}

// pushOut moves the position at back, until the front face of the body does not overlap the obstacle. It returns the new
// position.
func (w *sweepRay) pushOut(at float32) float32 {
	for range 3 {
		over := w.frontFace(at) - w.limit
		if over <= contactSlack {
			return at
		}
		at = max(w.at, at-over)
	}
	return w.at
}
