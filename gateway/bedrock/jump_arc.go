package bedrock

import "github.com/truestep-io/truestep/sim"

// startJump begins the display of a jump of an actor or of its mount: in the next frames clients see the actor rise and
// fall. Predicted players and vehicles need none of this, because their positions already include the height of a jump.
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
