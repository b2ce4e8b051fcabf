package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Walking speeds. Source: docs/wire/rcce.md 5.3: 45 units per second at full speed, which is 1.5 units per 1/30 s.
const (
	BaseUnitsPerSecond = 45  // world units per second of an actor that walks forward with full speed attribute
	runFactor          = 2   // factor on the speed when running
	backwardFactor     = 0.5 // factor on the speed when walking backward
	arrivalDistance    = 0.5 // a walk ends within this many units of its destination on each axis
)

// StepMetric is how the length of a step is divided between the axes X and Z.
type StepMetric uint8

const (
	// Euclidean is the default: a step has the given length in a straight line, and never passes the destination. Clients move
	// other actors in the same way, by 1.5 units x speed share per 1/30 s toward Dest, and correct toward the server's X and Z by
	// 1/20 of the gap per frame. If actors walked more slowly on diagonals, the server's positions would lag behind those that
	// every client shows. See docs/decisions/0002-euclidean-step.md.
	Euclidean StepMetric = iota

	// L1 divides by |dx| + |dz| as the RealmCrafter server does: diagonal walks are up to 29 % slower, and a step longer than the
	// remaining distance overshoots. Source: docs/wire/rcce.md 5.3.
	L1
)

// SpeedShare returns a speed attribute as a share of its maximum, or 1 if maximum is not positive.
func SpeedShare(value, maximum int32) float32 {
	if maximum <= 0 {
		return 1
	}
	return float32(value) / float32(maximum)
}

// UnitsPerSecond returns the speed of an actor with a speed attribute, in world units per second. If value is maximum, it
// is 45 when walking, 90 when running and 22.5 when walking backward. Running backward is as slow as walking backward. It
// returns 0 for a negative attribute.
func UnitsPerSecond(value, maximum int32, running, backward bool) float32 {
	units := float32(BaseUnitsPerSecond * max(0, SpeedShare(value, maximum))) // rounded here: the factors below must not be fused into this product
	switch {
	case backward:
		return units * backwardFactor
	case running:
		return units * runFactor
	}
	return units
}

// Arrived reports whether a walk has ended: pos is within half a unit of the destination on both axes.
func Arrived(pos geom.Vec, destX, destZ float32) bool {
	return geom.Abs(destX-pos.X) <= arrivalDistance && geom.Abs(destZ-pos.Z) <= arrivalDistance
}

// WalkToward returns the position of an actor after it has walked from pos toward the destination. The parameter units is the
// length of the walk in world units. Within half a unit of the destination on both axes the position does not change. Y never
// changes: it is for actors under the claim authority, and the server does not know the height of the ground on which these walk.
func WalkToward(pos geom.Vec, destX, destZ, units float32, step StepMetric) geom.Vec {
	if Arrived(pos, destX, destZ) || units <= 0 {
		return pos
	}
	dx, dz := destX-pos.X, destZ-pos.Z
	if step == L1 {
		sum := geom.Abs(dx) + geom.Abs(dz)
		pos.X += float32(dx / sum * units)
		pos.Z += float32(dz / sum * units)
		return pos
	}
	return MoveToward(pos, destX, destZ, units)
}

// MoveToward returns the position of an actor after it has moved from pos in a straight line toward the destination, but never
// past it. The parameter units is the length of the movement in world units. Y does not change. Unlike WalkToward it does not
// stop half a unit before the end, which matters if a tile is one unit.
func MoveToward(pos geom.Vec, destX, destZ, units float32) geom.Vec {
	dx, dz := destX-pos.X, destZ-pos.Z
	d := geom.Sqrt(float32(dx*dx) + float32(dz*dz))
	if units >= d {
		pos.X, pos.Z = destX, destZ
		return pos
	}
	pos.X += float32(dx / d * units)
	pos.Z += float32(dz / d * units)
	return pos
}

// wallClearance is the distance in world units from a wall at which a walk stops. It is a little more than wallSkin of package
// terrain: a position nearer to the wall than wallSkin counts as inside the wall.
const wallClearance = 1.0 / 32

// WalkWithWalls returns the position of an actor after a walk like that of WalkToward, which stops at the first wall. The
// parameter w may be nil, which means no walls.
func WalkWithWalls(w *terrain.Walls, flies bool, pos geom.Vec, destX, destZ, units float32, step StepMetric) geom.Vec {
	to := WalkToward(pos, destX, destZ, units, step)
	if w == nil || to == pos {
		return to
	}
	share, clear := w.ClearShare(pos, to, flies)
	if clear {
		return to
	}
	distance := geom.DistXZ(pos, to)
	free := (float32(share*distance) - wallClearance) / distance
	if !(free > 0) {
		return pos
	}
	to.X, to.Z = pos.X+float32((to.X-pos.X)*free), pos.Z+float32((to.Z-pos.Z)*free)
	if !w.IsClearBetween(pos, to, flies) {
		return pos
	}
	return to
}

// FlyHeight returns the height that clients are sent for an actor that flies from start to a waypoint and is at pos now. It
// interpolates between pos.Y and the waypoint's height by the share of the ground distance that the actor has covered. Source:
// specification P_StandardUpdate, Environment_Fly. The RealmCrafter server uses the square of the remaining distance as the
// weight, so its heights change in the wrong direction.
func FlyHeight(start, pos, waypoint geom.Vec) float32 {
	total, rest := geom.Dist2XZ(start, waypoint), geom.Dist2XZ(pos, waypoint)
	if !(total > 0) || rest >= total {
		return pos.Y
	}
	done := 1 - geom.Sqrt(rest/total)
	return pos.Y + float32((waypoint.Y-pos.Y)*done)
}
