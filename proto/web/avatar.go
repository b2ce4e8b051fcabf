package web

import "github.com/truestep-io/truestep/proto/wire"

// Avatar is the state of a predicted player after a tick, from which the client predicts its next tick. Its fields are the input of the
// server's physics (docs/wire/web.md, Avatar): lengths in blocks, speeds in blocks per tick, angles in degrees.
//
//	size  field
//	12    Pos            f32 x 3, position of the feet
//	12    Vel            f32 x 3
//	4     Pitch          f32
//	4     Yaw            f32
//	4     HeadYaw        f32
//	4     Flags          u32, bits AvatarOnGround and so on
//	1     Collided       u8, axes of the last collision: 1 x, 2 y, 4 z
//	1     JumpDelay      u8, ticks
//	1     SwimPose       u8, 0..10
//	4     Speed          f32, movement attribute
//	1     JumpBoost      u8, level
//	1     Levitation     u8, level
//	1     SlowFalling    u8, level
//	1     DepthStrider   u8, level
//	2     GlideBoost     u16, ticks
//	12    KnockbackVel   f32 x 3, only with AvatarHasKnockback
type Avatar struct {
	Pos, Vel            [3]float32  // position of the feet, blocks, and velocity, blocks per tick
	Pitch, Yaw, HeadYaw float32     // degrees
	Flags               AvatarFlags // boolean state
	Collided            uint8       // axes of the last collision, as bits: 1 x, 2 y, 4 z
	JumpDelay           uint8       // ticks until the body may jump again
	SwimPose            uint8       // progress of lying down to swim, 0..10
	Speed               float32     // movement attribute
	JumpBoost           uint8       // level of the effect
	Levitation          uint8       // level of the effect
	SlowFalling         uint8       // level of the effect
	DepthStrider        uint8       // level of the enchantment
	GlideBoost          uint16      // ticks that a firework still drives a glide
	KnockbackVel        [3]float32  // velocity of the next step, blocks per tick; only with AvatarHasKnockback
}

// AvatarFlags is the set of boolean fields of an Avatar.
type AvatarFlags uint32

// Bits of AvatarFlags.
const (
	AvatarOnGround     AvatarFlags = 1 << iota // the body stands on the ground
	AvatarSneaking                             // the body sneaks
	AvatarSprinting                            // the body sprints
	AvatarSwimming                             // the body swims lying down
	AvatarGliding                              // the body glides
	AvatarFlying                               // the body flies by an ability
	AvatarCrawling                             // the body crawls
	AvatarForcedLow                            // there is no room to stand up
	AvatarSneakHeld                            // the sneak key was down in the last input
	AvatarMayFly                               // flight is allowed
	AvatarMayGlide                             // gliding is allowed
	AvatarMaySprint                            // sprinting is allowed
	AvatarUsingItem                            // an item in use slows the body
	AvatarImmobile                             // the body cannot move
	AvatarDead                                 // the player is dead
	AvatarSoulSpeed                            // soul sand does not slow the body
	AvatarHasKnockback                         // KnockbackVel replaces the velocity in the next step

	avatarFlags = AvatarHasKnockback<<1 - 1
)

// Append appends the wire form of a to b.
func (a *Avatar) Append(b []byte) []byte {
	b = appendVec(appendVec(b, a.Pos), a.Vel)
	b = wire.F32(wire.F32(wire.F32(b, a.Pitch), a.Yaw), a.HeadYaw)
	b = wire.U32(b, uint32(a.Flags))
	b = append(b, a.Collided, a.JumpDelay, a.SwimPose)
	b = wire.F32(b, a.Speed)
	b = append(b, a.JumpBoost, a.Levitation, a.SlowFalling, a.DepthStrider)
	b = wire.U16(b, a.GlideBoost)
	if a.Flags&AvatarHasKnockback != 0 {
		b = appendVec(b, a.KnockbackVel)
	}
	return b
}

// readAvatar reads an Avatar. Unknown flags make r fail.
func readAvatar(r *wire.Reader) (a Avatar) {
	a.Pos, a.Vel = readVec(r), readVec(r)
	a.Pitch, a.Yaw, a.HeadYaw = r.F32(), r.F32(), r.F32()
	a.Flags = AvatarFlags(r.U32())
	r.CheckRange(a.Flags&^avatarFlags == 0, "avatar flags")
	a.Collided, a.JumpDelay, a.SwimPose = r.U8(), r.U8(), r.U8()
	a.Speed = r.F32()
	a.JumpBoost, a.Levitation, a.SlowFalling, a.DepthStrider = r.U8(), r.U8(), r.U8(), r.U8()
	a.GlideBoost = r.U16()
	if a.Flags&AvatarHasKnockback != 0 {
		a.KnockbackVel = readVec(r)
	}
	return a
}

func appendVec(b []byte, v [3]float32) []byte {
	return wire.F32(wire.F32(wire.F32(b, v[0]), v[1]), v[2])
}

func readVec(r *wire.Reader) [3]float32 { return [3]float32{r.F32(), r.F32(), r.F32()} }
