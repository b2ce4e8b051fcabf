package bedrock

import "github.com/truestep-io/truestep/sim"

// startJump makes clients display a jump of an actor, or of its mount, as an arc. Predicted players and vehicles need no
// arc, because their positions already include the height of a jump.
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
