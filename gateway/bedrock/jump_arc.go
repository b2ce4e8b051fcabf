package bedrock

import "github.com/truestep-io/truestep/sim"

// Players of other doors jump without leaving the ground in the world. This gateway displays their jumps as an arc like that of Bedrock players.
const (
	jumpArcHeight = 1.25 // height of the arc in blocks (docs/wire/bedrock.md, movement physics)
	jumpArcMS     = 600  // duration of the arc in ms
)

// startJump begins the jump arc of an actor, or of its mount. Predicted players and vehicles need no arc, because their positions include jumps.
func (s *scene) startJump(f *sim.Frame, e sim.EntityID) {
	av := s.find(e)
	if av != nil && av.mount != 0 {
		av = s.find(av.mount)
	}
	if av == nil || av.predicted || av.jumpTick != 0 || f.FindVehicle(av.id) != nil {
		return
	}
	av.jumpTick = f.Tick
}

// jumpHeight returns the height above the ground, in blocks, of a jump that began at tick from. It is 0 when the jump is over.
func jumpHeight(from, now sim.Tick, ticksPerSecond int) float32 {
	ms := int64(now-from) * 1000 / int64(ticksPerSecond)
	if now < from || ms <= 0 || ms >= jumpArcMS {
		return 0
	}
	p := float32(ms) / jumpArcMS
	return 4 * jumpArcHeight * p * (1 - p)
}
