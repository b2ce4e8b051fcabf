package bedrock

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/terrain"
)

// facing is the yaw, among blocks, with which an actor is shown. Inputs and steps on tiles turn those who make them.
// NPCs, and players who claim positions, have no yaw while they walk: their own clients let everybody look where he
// goes, and clients of this door do not. So they look to their destination, or else to whom they fight; who does
// neither looks as before. was is what the frame before made of him, without a body if there was none.
func displayYaw(f *sim.Frame, a *sim.ActorState, was *actorView) float32 {
	if a.Motion.FacesYaw {
		return terrain.MirrorYaw(a.Yaw)
	}
	east, north := a.DestX-a.Pos.X, a.DestZ-a.Pos.Z
	if tooClose(east, north) {
		if foe := f.Find(a.Target); foe != nil && a.Target != 0 {
			east, north = foe.Pos.X-a.Pos.X, foe.Pos.Z-a.Pos.Z
		}
	}
	switch {
	case tooClose(east, north) && (was.body == nil || was.worldYaw != a.Yaw):
		return terrain.MirrorYaw(a.Yaw)
	case tooClose(east, north):
		return was.yaw
	case a.Is(sim.FlagBackward):
		east, north = -east, -north
	}
	return float32(math.Atan2(float64(-east), float64(-north)) * 180 / math.Pi)
}

// near tells whether a point is too near to look at, by where it lies from the eyes.
func tooClose(east, north float32) bool {
	const least = 0.1 // world units
	return east*east+north*north < least*least
}
