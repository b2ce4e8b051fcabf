package bedrock

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/terrain"
)

// displayYaw returns the yaw with which an actor is displayed, in degrees of the block grid. Players of predict and path
// authority have a yaw in the frame. NPCs and players of claim authority have none while they walk, because RealmCrafter
// clients turn actors toward their destination by themselves. Bedrock clients do not, so these actors are displayed facing
// their destination, or else their target, or else with their previous yaw. last is the actor in the previous frame; its
// body is nil if the actor was not in that frame.
func displayYaw(f *sim.Frame, a *sim.ActorState, last *actorView) float32 {
	if a.Motion.FacesYaw {
		return terrain.MirrorYaw(a.Yaw)
	}
	east, north := a.DestX-a.Pos.X, a.DestZ-a.Pos.Z
	if tooClose(east, north) {
		if enemy := f.Find(a.Target); enemy != nil && a.Target != 0 {
			east, north = enemy.Pos.X-a.Pos.X, enemy.Pos.Z-a.Pos.Z
		}
	}
	switch {
	case tooClose(east, north) && (last.body == nil || last.worldYaw != a.Yaw):
		return terrain.MirrorYaw(a.Yaw)
	case tooClose(east, north):
		return last.yaw
	case a.Is(sim.FlagBackward):
		east, north = -east, -north
	}
	return float32(math.Atan2(float64(-east), float64(-north)) * 180 / math.Pi)
}

// tooClose reports whether a point is too close to determine a direction. The arguments are its offset in world units.
func tooClose(east, north float32) bool {
	const least = 0.1 // in world units
	return east*east+north*north < least*least
}
