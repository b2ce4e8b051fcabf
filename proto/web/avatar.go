package web

import "github.com/truestep-io/truestep/proto/wire"

// Avatar is the state of a predicted player after a tick. From it, client and server compute the next tick in the same way
// (docs/wire/web.md, Avatar). Lengths are in blocks, speeds in blocks per tick, angles in degrees.
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
	Flags               AvatarFlags // boolean fields, such as AvatarOnGround
	Collided            uint8       // axes of the last collision, as bits: 1 x, 2 y, 4 z
	JumpDelay           uint8       // ticks until the player may jump again
	SwimPose            uint8       // progress of lying down to swim, 0 upright..10 lying
	Speed               float32     // movement speed attribute, with effects but without sprinting; 0.1 if there are no effects
	JumpBoost           uint8       // level of the effect Jump Boost; 0 for none
	Levitation          uint8       // level of the effect Levitation; 0 for none
	SlowFalling         uint8       // level of the effect Slow Falling; 0 for none
	DepthStrider        uint8       // level of the enchantment Depth Strider; 0 for none
	GlideBoost          uint16      // ticks for which a firework still accelerates the glide
	KnockbackVel        [3]float32  // velocity that replaces the computed one in the next step, blocks per tick; only with AvatarHasKnockback
}

// AvatarFlags is the set of an Avatar's boolean fields, one bit each.
type AvatarFlags uint32

// Bits of AvatarFlags: the boolean fields of an Avatar.
const (
	AvatarOnGround     AvatarFlags = 1 << iota // the player stands on the ground
	AvatarSneaking                             // the player sneaks
	AvatarSprinting                            // the player sprints
	AvatarSwimming                             // the player swims lying down
	AvatarGliding                              // the player glides
	AvatarFlying                               // the player flies by an ability
	AvatarCrawling                             // the player crawls
	AvatarForcedLow                            // the player has no room to stand up
	AvatarSneakHeld                            // the sneak key was down in the last input
	AvatarMayFly                               // flight is allowed
	AvatarMayGlide                             // gliding is allowed
	AvatarMaySprint                            // sprinting is allowed
	AvatarUsingItem                            // an item in use slows the player
	AvatarImmobile                             // the player cannot move
	AvatarDead                                 // the player is dead
	AvatarSoulSpeed                            // soul sand does not slow the player
	AvatarHasKnockback                         // KnockbackVel replaces the velocity in the next step

	avatarFlags = AvatarHasKnockback<<1 - 1
)

// Append appends the encoded Avatar to b and returns the longer slice.
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

// readAvatar reads an Avatar. If flags are set that this version does not know, it records an error in r.
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
