package bedrock

import "github.com/truestep-io/truestep/sim"

// startJump makes clients see an actor rise and fall in the next frames, because it has jumped. If the actor rides, its mount
// rises and falls instead. startJump does nothing for simulated bodies and vehicles, whose positions already include the height of
// a jump.
func (s *scene) startJump(f *sim.Frame, e sim.EntityID) {
	av := s.find(e)
	if av != nil && av.mount != 0 {
		av = s.find(av.mount)
	}
	if av == nil || av.exactBody || av.jumpTick != 0 || f.FindVehicle(av.id) != nil {
		return
	}
	av.jumpTick = f.Tick
}
