package move

// ray is the way of a body along one axis. It always goes up the axis: a way down is kept mirrored.
type sweepRay struct {
	mirrored    bool
	at, d       float32 // where the body is, and what is left of its way; d >= 0
	back, front float32 // faces of the body, from there, before it is drawn in
	inset       float32
	hit         bool
	limit       float32 // near face of what stopped it; valid if hit
}

// newRay is the way by d of a body at at, whose faces are at lo and hi from there, drawn in by inset.
func newRay(at, d, lo, hi, inset float32) sweepRay {
	if d < 0 {
		return sweepRay{mirrored: true, at: -at, d: -d, back: -hi, front: -lo, inset: inset}
	}
	return sweepRay{at: at, d: d, back: lo, front: hi, inset: inset}
}

// head is where the face in front is if the body is at at.
func (w *sweepRay) frontFace(at float32) float32 { return at + w.front - w.inset }

// stop lets the way end at a box from lo to hi. A body that is in the box already may leave it by the nearer side and
// goes no deeper, so that who was put a hair into a wall or into the floor neither falls nor walks through it.
func (w *sweepRay) stopAt(lo, hi float32) {
	near, far := lo, hi
	if w.mirrored {
		near, far = -hi, -lo
	}
	head, tail := w.frontFace(w.at), w.at+w.back+w.inset
	switch gap := near - head; {
	case head-near > contact:
		if far-tail > contact && head-near < far-tail {
			w.d = 0
		}
	case w.d > gap:
		w.d = max(gap, 0)
		w.limit, w.hit = near, true
	case w.frontFace(w.at+w.d)-near > contact && !(w.hit && w.limit < near): // by rounding
		w.limit, w.hit = near, true
	}
}

// end is where the body stops and how far that is. The sum may round into the box, by what is then an overlap and would
// let the body through in the next tick, so it is brought back.
func (w *sweepRay) end() (at, d float32) {
	at = w.at + w.d
	if w.hit {
		at = w.outside(at)
	}
	if w.mirrored {
		return -at, -w.d
	}
	return at, w.d
}

func (w *sweepRay) outside(at float32) float32 {
	for range 3 {
		over := w.frontFace(at) - w.limit
		if over <= contact {
			return at
		}
		at = max(w.at, at-over)
	}
	return w.at
}
