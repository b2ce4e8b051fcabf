package terrain

import "github.com/truestep-io/truestep/sim/geom"

// chestHeightShare is the height above the feet at which attacks begin and end, as a share of HeadroomBlocks: 1.35 blocks. It is
// above everything that an actor can jump onto, so such solids stop no attack.
const chestHeightShare = 0.75

// HasLineOfAttack reports whether an attack from an actor at a reaches an actor at b, which means that no solid is on the
// straight line from chest to chest. The result is the same if a and b are exchanged. The Y coordinates are the claimed heights
// of the feet. A walker's height counts only up to a jump above what it stands on, so that a client cannot attack over a wall by
// claiming a height. An actor inside a solid is not protected by that solid. It does not allocate.
func (w *Walls) HasLineOfAttack(a, b geom.Vec, aFlies, bFlies bool) bool {
	if w == nil || w.noBoxNear(a, b) {
		return true
	}
	// Order the ends of the line, so that an exchange of a and b cannot change the result by rounding.
	if b.X < a.X || b.X == a.X && (b.Z < a.Z || b.Z == a.Z && b.Y < a.Y) {
		a, b, aFlies, bFlies = b, a, bFlies, aFlies
	}
	from, to := w.supportedFeet(a, aFlies), w.supportedFeet(b, bFlies)
	hs := hits{feet: from, high: max(from, to) + w.headroom}
	w.collectHits(&hs, a, b)
	if hs.full {
		return false
	}
	up := float32(w.headroom * chestHeightShare)
	for i := range hs.n {
		h := &hs.list[i]
		o := &w.boxes[h.box]
		if o.containsXZ(a) && w.contains(o, from, aFlies) || o.containsXZ(b) && w.contains(o, to, bFlies) {
			continue
		}
		p, q := from+up+float32((to-from)*h.enter), from+up+float32((to-from)*h.leave)
		if o.top > min(p, q) && o.bottom < max(p, q) {
			return false
		}
	}
	return true
}

// supportedFeet returns the height of the feet of an actor at p. For a walker it limits the height to that of a jump from the floor below.
func (w *Walls) supportedFeet(p geom.Vec, flies bool) float32 {
	feet := w.feetHeight(p)
	on, found := w.ground(p)
	if flies || !found {
		return feet
	}
	for _, i := range w.boxesNear(p) {
		if b := &w.boxes[i]; b.containsXZ(p) && b.top <= feet+w.stepHeight {
			on = max(on, b.top)
		}
	}
	return min(feet, on+w.jumpHeight)
}
