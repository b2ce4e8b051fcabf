package bedrock

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// stateUpdate is the change that one packet makes to the predicted state of the client's player (rule CL-5 of
// docs/wire/bedrock.md). The field kind says what changes. Most of the other fields are used by some kinds only; their comments
// name these kinds in parentheses.
type stateUpdate struct {
	kind     updateKind // kind of change
	onGround bool       // the player or its vehicle stands on the ground
	postures postures   // active postures (updatePostures, updateAbilities)
	mask     postures   // postures that the packet contains (updatePostures)
	effect   effect     // effect that changes (updateEffect)
	level    uint8      // new level of the effect, 0 if the effect ends (updateEffect)
	dead     bool       // the player is dead (updateHealth)
	fed      bool       // the player may sprint (updateHunger) or may fly (updateAbilities)
	ticks    uint16     // duration of the boost by a firework in ticks (updateBoost)
	elytra   bool       // the player wears an elytra (updateElytra)
	number   uint32     // number of the correction, from 1 (updateCorrection)
	pos      geom.Vec   // feet position
	vel      geom.Vec   // velocity in blocks per tick
	pitch    float32
	yaw      float32
	head     float32 // yaw of the head; for updateVehicle the angular velocity in degrees per tick
	speed    float32 // attribute as the server sent it (updateSpeed, updateVehicleSpeed, updateVehicleJump)
	walk     float32 // default value of the movement attribute (updateSpeed)
	height   float32 // height of the bounding box (updateBox)
	ride     *ride   // vehicle that the player mounts (updateMount)
}

type updateKind uint8

const (
	updateCorrection   updateKind = iota // sets position, velocity and the on-ground flag
	updateTeleport                       // sets position and rotation, and the velocity to 0
	updateRotation                       // sets the rotation
	updateBox                            // sets the height of the body
	updateMotion                         // sets the velocity
	updatePostures                       // sets the postures that the packet contains
	updateSpeed                          // sets the movement attribute
	updateWaterSpeed                     // sets the underwater movement attribute
	updateLavaSpeed                      // sets the lava movement attribute
	updateHealth                         // sets whether the player is dead
	updateHunger                         // sets whether the player may sprint
	updateEffect                         // sets the level of one effect
	updateAbilities                      // sets whether the player may fly, and whether it is flying
	updateMount                          // seats the player on a vehicle
	updateDismount                       // dismounts the player
	updateVehicle                        // corrects the vehicle: sets its position, velocity, rotation and on-ground flag
	updateVehicleSpeed                   // sets the movement attribute of the vehicle
	updateVehicleJump                    // sets the jump strength of the vehicle
	updateBoost                          // starts the boost of a firework
	updateElytra                         // sets whether the player wears an elytra
)

// postures is the set of actor flags on which movement depends.
type postures uint8

const (
	postureSneak postures = 1 << iota
	postureSprint
	postureSwim
	postureGlide
	postureUse
	postureImmobile
	postureCrawl
	postureFly
)

// effect is a status effect that the simulation of movement supports.
type effect uint8

const (
	effectJump effect = iota
	effectLevitation
	effectSlowFalling
	effectDepthStrider // level of the enchantment Depth Strider on the boots
)

// apply returns the player's state a, changed by the update. It has no side effects, because each replay applies the update
// again.
func (n *stateUpdate) apply(a move.Avatar) move.Avatar {
	switch n.kind {
	case updateCorrection:
		a.Pos, a.Vel, a.OnGround = n.pos, n.vel, n.onGround
		a.HasKnockback, a.KnockbackVel = false, geom.Vec{}
	case updateTeleport:
		a.Pos, a.Vel, a.OnGround = n.pos, geom.Vec{}, n.onGround
		a.Pitch, a.Yaw, a.HeadYaw = n.pitch, n.yaw, n.head
		a.Collided, a.HasKnockback, a.KnockbackVel = 0, false, geom.Vec{}
		a.GlideBoost = 0
	case updateRotation:
		a.Pitch, a.Yaw, a.HeadYaw = n.pitch, n.yaw, n.head
	case updateBox:
		fitBox(&a, n.height)
	case updateMotion:
		a.Vel, a.HasKnockback, a.KnockbackVel = n.vel, false, geom.Vec{}
	case updatePostures:
		n.setPostures(&a)
	case updateSpeed:
		a.Speed = walkSpeed(a.Speed, n.speed, n.walk, a.Sprinting)
	case updateHealth:
		a.Dead = n.dead
	case updateHunger:
		a.MaySprint = n.fed
	case updateEffect:
		switch n.effect {
		case effectJump:
			a.JumpBoost = n.level
		case effectLevitation:
			a.Levitation = n.level
		case effectSlowFalling:
			a.SlowFalling = n.level
		case effectDepthStrider:
			a.DepthStrider = n.level
		}
	case updateAbilities:
		a.MayFly, a.Flying = n.fed, n.postures&postureFly != 0
	case updateBoost:
		a.GlideBoost = n.ticks
	case updateElytra:
		a.MayGlide = n.elytra
	}
	return a
}

// setPostures sets those postures of the player that the packet contains to their values in the packet. The other postures do not
// change.
func (n *stateUpdate) setPostures(a *move.Avatar) {
	for _, p := range [...]struct {
		bit postures
		to  *bool
	}{
		{postureSneak, &a.Sneaking}, {postureSprint, &a.Sprinting}, {postureSwim, &a.Swimming},
		{postureGlide, &a.Gliding}, {postureUse, &a.UsingItem}, {postureImmobile, &a.Immobile}, {postureCrawl, &a.Crawling},
	} {
		if n.mask&p.bit != 0 {
			*p.to = n.postures&p.bit != 0
		}
	}
}

// fitBox makes the player stand, sneak or crawl, so that its body has the given height. It changes nothing if the body already
// has that height.
func fitBox(a *move.Avatar, height float32) {
	const tolerance = 0.01 // blocks
	if d := a.Height() - height; d > -tolerance && d < tolerance {
		return
	}
	a.Sneaking, a.Swimming, a.Gliding, a.Crawling, a.ForcedLow = false, false, false, false, false
	if a.Height() <= height+tolerance {
		return
	}
	a.ForcedLow, a.Sneaking = true, true
	if a.Height() > height+tolerance {
		a.Sneaking, a.Crawling = false, true
	}
}

// walkSpeed returns the walking speed of a player from the movement attribute that the server has sent, the parameter sent. If the
// player sprints, the server has multiplied the speed by a factor. Because of rounding, dividing by the factor does not always
// restore the exact value. walkSpeed therefore first tries two speeds: known, which the client has used so far, and usual, the
// default. The parameter sprints says whether the player sprints.
func walkSpeed(known, sent, usual float32, sprints bool) float32 {
	for _, walk := range [...]float32{known, usual} {
		if sent == float32(walk*move.SprintFactor) { // also true if the sprint flag arrives only with the next packet
			return walk
		}
	}
	if sprints {
		return sent / move.SprintFactor
	}
	return sent
}
