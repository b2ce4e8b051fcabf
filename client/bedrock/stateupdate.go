package bedrock

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// stateUpdate is the change of the own state by one packet (CL-5), added to the history at its tick.
type stateUpdate struct {
	kind     updateKind
	onGround bool
	postures postures // of updatePostures
	mask     postures // postures that the packet contains
	effect   effect   // of updateEffect
	level    uint8    // of updateEffect
	dead     bool     // of updateHealth
	fed      bool     // of updateHunger: may sprint; of updateAbilities: may fly
	number   uint32   // of updateCorrection, from 1
	pos, vel geom.Vec // feet
	pitch    float32
	yaw      float32
	head     float32
	speed    float32 // of updateSpeed: the movement attribute as sent
	walk     float32 // of updateSpeed: the attribute's default
}

type updateKind uint8

const (
	updateCorrection updateKind = iota // position, velocity, on ground
	updateTeleport                     // position, rotation, at rest
	updateMotion                       // velocity
	updatePostures
	updateSpeed
	updateHealth
	updateHunger
	updateEffect
	updateAbilities // postures: flying; fed: may fly
)

// postures are the actor flags that movement depends on.
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

// effect is an effect that the movement step supports.
type effect uint8

const (
	effectJump effect = iota
	effectLevitation
	effectSlowFalling
)

// apply applies the update to the state after a tick. It is pure, because a replay applies the same updates again.
func (n *stateUpdate) apply(a move.Avatar) move.Avatar {
	switch n.kind {
	case updateCorrection:
		a.Pos, a.Vel, a.OnGround = n.pos, n.vel, n.onGround
		a.HasKnockback, a.KnockbackVel = false, geom.Vec{}
	case updateTeleport:
		a.Pos, a.Vel, a.OnGround = n.pos, geom.Vec{}, n.onGround
		a.Pitch, a.Yaw, a.HeadYaw = n.pitch, n.yaw, n.head
		a.Collided, a.HasKnockback, a.KnockbackVel = 0, false, geom.Vec{}
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
		}
	case updateAbilities:
		a.MayFly, a.Flying = n.fed, n.postures&postureFly != 0
	}
	return a
}

// setPostures sets the postures that the packet contains.
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

// walkSpeed returns the movement attribute without the sprint factor. The server multiplies a float, so dividing does not
// always restore the value: if the known value or the default, multiplied, equals the attribute sent, that one is used.
func walkSpeed(known, sent, usual float32, sprints bool) float32 {
	for _, walk := range [...]float32{known, usual} {
		if sent == float32(walk*move.SprintFactor) { // also if the sprint flag arrives one packet later
			return walk
		}
	}
	if sprints {
		return sent / move.SprintFactor
	}
	return sent
}
