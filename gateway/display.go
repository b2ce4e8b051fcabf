package gateway

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// The functions of this file are for doors whose clients show the world as blocks. They compute where, and with which yaw,
// such a client displays an actor that plays through another door.

// BlockPosition returns the position in blocks at which clients of a block world display an actor of another door. A flying actor
// is displayed at its own position, any other actor on the ground or up to a jump's height above it. If the height of the ground
// is not known, actors are displayed on the topmost block: their own heights are then not reliable, because each door may assume
// another ground.
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

// DisplayedYaw holds the yaw with which an actor was displayed in the previous frame, and the yaw in the world from which
// that yaw was computed. The zero value stands for an actor that was not in the previous frame.
type DisplayedYaw struct {
	Known    bool    // the actor was in the previous frame
	Yaw      float32 // displayed yaw in degrees, relative to the axes of the block grid
	WorldYaw float32 // yaw in the world in degrees
}

// BlockYaw returns the yaw with which clients of a block world display an actor, in degrees relative to the axes of the block grid.
// If the actor faces the yaw in the frame (Motion.FacesYaw), BlockYaw returns that yaw. NPCs, and players of RealmCrafter clients, do
// not face it: RealmCrafter clients turn such actors by themselves. For them, BlockYaw returns (1) the direction of the destination
// while the actor walks, (2) otherwise the direction of the actor's target if it has one, (3) otherwise the yaw with which the actor
// was displayed before, or the yaw in the frame if that has changed.
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
	case tooClose(east, north) && (!last.Known || last.WorldYaw != a.Yaw):
		return terrain.MirrorYaw(a.Yaw)
	case tooClose(east, north):
		return last.Yaw
	case a.Is(sim.FlagBackward):
		east, north = -east, -north
	}
	return float32(math.Atan2(float64(-east), float64(-north)) * 180 / math.Pi)
}

// tooClose reports whether a point is so close to an actor that the direction from the actor to the point has no meaning. The
// parameters east and north are the point's offset from the actor, in world units.
func tooClose(east, north float32) bool {
	const least = 0.1 // in world units
	return east*east+north*north < least*least
}

// Height and duration of the arc with which clients of a block world display the jump of an actor of another door. They
// equal those of a Bedrock player's jump. In the simulation, the actor stays on the ground.
const (
	jumpArcHeight = 1.25 // height of the arc in blocks (docs/wire/bedrock.md, movement physics)
	jumpArcMS     = 600  // duration of the arc in ms
)

// JumpArc returns the height above the ground, in blocks, that a jumping actor has at the tick now. The parameter from is the
// tick at which the jump began. JumpArc returns 0 after the jump has ended.
func JumpArc(from, now sim.Tick, ticksPerSecond int) float32 {
	ms := int64(now-from) * 1000 / int64(ticksPerSecond)
	if now < from || ms <= 0 || ms >= jumpArcMS {
		return 0
	}
	p := float32(ms) / jumpArcMS
	return 4 * jumpArcHeight * p * (1 - p)
}
