package bedrock

import "github.com/truestep-io/truestep/sim"

// Players of other doors jump for show: the world leaves them on the ground. What clients of this door see is an arc like
// that of their own jumps.
const (
	hopHeight = 1.25 // blocks   docs/wire/bedrock.md, movement physics
	hopMS     = 600  // from the ground to the ground
)

// hop begins a jump of somebody who has no height of his own, or of his mount.
func (s *scene) hop(f *sim.Frame, e sim.EntityID) {
	n := s.face(e)
	if n != nil && n.mount != 0 {
		n = s.face(n.mount)
	}
	if n == nil || n.predicted || n.hopped != 0 {
		return
	}
	n.hopped = f.Tick
}

// hopping is how far over the ground a jump is that began at tick from; it is over where that is 0.
func hopping(from, now sim.Tick, ticksPerSecond int) float32 {
	ms := int64(now-from) * 1000 / int64(ticksPerSecond)
	if now < from || ms <= 0 || ms >= hopMS {
		return 0
	}
	p := float32(ms) / hopMS
	return 4 * hopHeight * p * (1 - p)
}
