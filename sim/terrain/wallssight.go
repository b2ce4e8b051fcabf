package terrain

import "github.com/truestep-io/truestep/sim/geom"

// chestShare is how high above the feet blows and shots are given and taken, as a share of a body: 1.35 blocks, so that
// one strikes over what one jumps upon.
const chestHeight = 0.75

// Strikes tells whether a blow or a shot gets from somebody at a to somebody at b, which is the same both ways: whether no
// solid stands in the straight line from chest to chest. Y is where their feet are, as they say, but of one who does not
// fly no higher than a jump above what is below him. Who is inside a solid finds no shelter there. It does not allocate.
func (w *Walls) HasLineOfAttack(a, b geom.Vec, aFlies, bFlies bool) bool {
	if w == nil || w.noBoxNear(a, b) {
		return true
	}
	if b.X < a.X || b.X == a.X && (b.Z < a.Z || b.Z == a.Z && b.Y < a.Y) { // or rounding might tell the two ways apart
		a, b, aFlies, bFlies = b, a, bFlies, aFlies
	}
	from, to := w.supportedFeet(a, aFlies), w.supportedFeet(b, bFlies)
	hs := hits{feet: from, high: max(from, to) + w.headroom}
	w.gather(&hs, a, b)
	if hs.full {
		return false
	}
	up := float32(w.headroom * chestHeight)
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

// firm is where the feet of somebody are at most who says that they are at p.
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
