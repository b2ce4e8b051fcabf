package bedrock

import "github.com/truestep-io/truestep/sim"

// Players of other doors jump for show: the world leaves them on the ground. What clients of this door see is an arc like
// that of their own jumps.
const (
	jumpArcHeight = 1.25 // blocks   docs/wire/bedrock.md, movement physics
	jumpArcMS     = 600  // from the ground to the ground
)

// hop begins a jump of somebody who has no height of his own, or of his mount.
func (s *scene) startJump(f *sim.Frame, e sim.EntityID) {
	av := s.find(e)
	if av != nil && av.mount != 0 {
		av = s.find(av.mount)
	}
	if av == nil || av.predicted || av.jumpTick != 0 {
		return
	}
	av.jumpTick = f.Tick
}

// hopping is how far over the ground a jump is that began at tick from; it is over where that is 0.
func jumpHeight(from, now sim.Tick, ticksPerSecond int) float32 {
	ms := int64(now-from) * 1000 / int64(ticksPerSecond)
	if now < from || ms <= 0 || ms >= jumpArcMS {
		return 0
	}
	p := float32(ms) / jumpArcMS
	return 4 * jumpArcHeight * p * (1 - p)
}
