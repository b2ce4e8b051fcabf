package gateway

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Functions for doors whose clients show the world as blocks: where actors of other doors stand on the block grid of an area, and
// where they face.

// BlockPosition returns the position in blocks at which an actor of another door is displayed. If the area's ground is
// known, the actor stands on the ground below its feet, or is up to a jump's height above it. Otherwise doors may assume
// different ground heights, and the actor is displayed on the topmost block.
func BlockPosition(def *sim.AreaDef, a *sim.ActorState) geom.Vec {
	at := def.BlockGrid.ToBlocks(a.Pos)
	if a.Is(sim.FlagFlying) {
		return at
	}
	if def.Floor == nil {
		at.Y = float32(def.Blocks.Surface(floor(at.X), floor(at.Z)))
		return at
	}
	on := a.Pos
	on.Y = def.GroundHeight(on)
	if on = def.BlockGrid.ToBlocks(on); !(at.Y >= on.Y && at.Y <= on.Y+terrain.JumpBlocks) {
		at.Y = on.Y
	}
	return at
}

func floor(v float32) int32 { return int32(math.Floor(float64(v))) }

// DisplayedYaw is the yaw with which an actor was displayed in the last frame. The zero value stands for an actor that was not
// in that frame.
type DisplayedYaw struct {
	Known bool    // the actor was in the last frame
	Yaw   float32 // yaw with which it was displayed, degrees of the block grid
	World float32 // its yaw in the world, degrees
}

// BlockYaw returns the yaw with which an actor is displayed, in degrees of the block grid. Players of predict and path
// authority have a yaw in the frame. NPCs and players of claim authority have none while they walk, because RealmCrafter
// clients turn actors toward their destination by themselves. Clients of other protocols do not, so these actors are displayed
// facing their destination, or else their target, or else with their previous yaw.
func BlockYaw(f *sim.Frame, a *sim.ActorState, last DisplayedYaw) float32 {
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
	case tooClose(east, north) && (!last.Known || last.World != a.Yaw):
		return terrain.MirrorYaw(a.Yaw)
	case tooClose(east, north):
		return last.Yaw
	case a.Is(sim.FlagBackward):
		east, north = -east, -north
	}
	return float32(math.Atan2(float64(-east), float64(-north)) * 180 / math.Pi)
}

// tooClose reports whether a point is too close to an actor to determine the direction from the actor to the point. east and
// north are the point's offset from the actor, in world units.
func tooClose(east, north float32) bool {
	const least = 0.1 // in world units
	return east*east+north*north < least*least
}

// Players of other doors jump without leaving the ground in the world. Clients that show the world as blocks display such a
// jump as an arc, with the height and duration of a Bedrock player's jump.
const (
	jumpArcHeight = 1.25 // height of the arc in blocks (docs/wire/bedrock.md, movement physics)
	jumpArcMS     = 600  // duration of the arc in ms
)

// JumpArc returns the height above the ground, in blocks, of a jump that began at tick from. It is 0 when the jump is over.
func JumpArc(from, now sim.Tick, ticksPerSecond int) float32 {
	ms := int64(now-from) * 1000 / int64(ticksPerSecond)
	if now < from || ms <= 0 || ms >= jumpArcMS {
		return 0
	}
	p := float32(ms) / jumpArcMS
	return 4 * jumpArcHeight * p * (1 - p)
}
