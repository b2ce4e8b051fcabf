package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// MaxSpeed is the maximum velocity on each axis, in blocks per tick. A fall reaches at most 3.92, so only a knockback can
// exceed MaxSpeed.
const MaxSpeed float32 = 10

// stillSpeed2 is the square of a speed in blocks per tick. A player that is slower stands still: its velocity is set to 0.
const stillSpeed2 float32 = 1e-12

// Step moves the avatar by one tick: first the requests of the input, then the movement, in the order of docs/wire/bedrock.md,
// movement physics. The parameter in must have been sanitized with Clean; ground may be nil, which is flat ground. The same
// avatar, input and blocks give the same bits on every CPU: clients predict with the same function with which the server judges.
//
// The parameter s is working memory, not state: it belongs to the caller's goroutine and may be shared by all avatars. Step does
// not allocate once s has grown.
func (a *Avatar) Step(in *Input, ground *terrain.Blocks, s *Scratch) StepResult {
	return a.StepIn(&defaultLiquids, in, ground, s)
}

// StepIn moves the avatar by one tick like Step, but with the rules l for liquids instead of DefaultLiquids.
func (a *Avatar) StepIn(l *Liquids, in *Input, ground *terrain.Blocks, s *Scratch) StepResult {
	was := a.activeStances()
	a.Pitch, a.Yaw, a.HeadYaw = in.Pitch, geom.WrapDegrees(in.Yaw), in.HeadYaw
	t, tall := a.touchedBlocks(l, ground), a.Height()
	a.updateSwimPose()
	r := StepResult{Refused: a.applyRequests(in, t, ground, s)}
	if a.Height() != tall {
		water, lava := t.water, t.lava // the liquids that count are those that the body touched in its previous posture
		t = a.touchedBlocks(l, ground)
		t.water, t.lava = water, lava
	}
	a.startVelocity()
	switch r.Mode = a.mode(t, l); r.Mode {
	case ModeWalk:
		a.stepWalk(in, t, ground, s)
	case ModeLiquid:
		a.stepLiquid(in, t, l, ground, s)
	case ModeGlide:
		a.stepGlide(ground, s)
	case ModeHeld:
		a.Vel, a.Collided = geom.Vec{}, 0
	default:
		r.Clamped = a.stepBounded(in, r.Mode, ground, s)
	}
	if ground.HasAny(terrain.BubblesTrait) && (r.Mode == ModeWalk || r.Mode == ModeLiquid) {
		a.rideBubbles(ground)
	}
	if a.JumpDelay > 0 {
		a.JumpDelay--
	}
	a.countGlideBoost(r.Mode)
	r.StanceChanges = stanceChanges(was, a.activeStances())
	return r
}

// startVelocity sets the velocity at the start of the tick: that of the last tick, or a pending knockback instead.
func (a *Avatar) startVelocity() {
	v := a.Vel
	if float32(v.X*v.X)+float32(v.Y*v.Y)+float32(v.Z*v.Z) < stillSpeed2 {
		a.Vel = geom.Vec{}
	}
	if a.HasKnockback {
		k := a.KnockbackVel
		a.Vel = geom.Vec{X: clampAbs(k.X, MaxSpeed), Y: clampAbs(k.Y, MaxSpeed), Z: clampAbs(k.Z, MaxSpeed)}
		a.KnockbackVel, a.HasKnockback = geom.Vec{}, false
	}
}

// clampAbs limits x to -maximum..maximum.
func clampAbs(x, maximum float32) float32 { return max(-maximum, min(x, maximum)) }

// mode returns how the step is computed. It depends on the server's blocks that the body touches, and on the stances that the
// server has granted.
func (a *Avatar) mode(t contacts, l *Liquids) Mode {
	switch {
	case a.Dead:
		return ModeDead
	case a.Immobile:
		return ModeHeld
	case a.Flying:
		return ModeFly
	case t.inLiquid():
		if l.of(t).Mode == BoundLiquid || a.Levitation > 0 || a.SlowFalling > 0 { // the sources disagree on these effects in liquids
			return ModeBoundedLiquid
		}
		return ModeLiquid
	case a.Gliding:
		return ModeGlide
	}
	return ModeWalk
}

// contacts describes the blocks that a body touches: only those properties of the blocks that change how the body moves.
type contacts struct {
	water, lava bool     // the body touches that liquid
	sticky      bool     // the body touches honey
	slow        geom.Vec // smallest factor per axis by which touched blocks slow the velocity; zero if none does
}

func (t contacts) inLiquid() bool { return t.water || t.lava }

// touchedBlocks returns the contacts of the body with the blocks that it overlaps. A liquid fills its whole block.
func (a *Avatar) touchedBlocks(l *Liquids, ground *terrain.Blocks) contacts {
	var t contacts
	p := a.Pos
	x0, x1 := blockAt(westFace(p.X)), blockAt(eastFace(p.X))
	z0, z1 := blockAt(westFace(p.Z)), blockAt(eastFace(p.Z))
	y0, y1 := blockAt(p.Y), blockAt(p.Y+a.Height())
	if !ground.MayHave(terrain.TouchTrait, x0, y0, z0, x1, y1, z1) {
		return t
	}
	for x := x0; x <= x1; x++ {
		for z := z0; z <= z1; z++ {
			for y := y0; y <= y1; y++ {
				if id := ground.At(x, y, z); id != terrain.Air {
					k := id.Kind()
					switch k.Liquid {
					case terrain.WaterLiquid:
						t.water = t.water || a.touchesCell(&l.Water, x, y, z)
					case terrain.LavaLiquid:
						t.lava = t.lava || a.touchesCell(&l.Lava, x, y, z)
					}
					t.sticky = t.sticky || k.Sticky
					t.addSlow(k.Slow)
				}
			}
		}
	}
	return t
}

// addSlow records in the contacts that a block slows the body by the factors f, one for each axis. If several blocks slow the
// body, the smallest factor of each axis applies.
func (t *contacts) addSlow(f geom.Vec) {
	switch {
	case f.X == 0:
	case t.slow.X == 0:
		t.slow = f
	default:
		t.slow = geom.Vec{X: min(t.slow.X, f.X), Y: min(t.slow.Y, f.Y), Z: min(t.slow.Z, f.Z)}
	}
}

// farBlock is a coordinate beyond every block. Coordinates are limited to it before the conversion to integers, which
// would overflow.
const farBlock = 1 << 30

// blockAt returns the integer coordinate of the block that contains the coordinate x.
func blockAt(x float32) int32 {
	if !(x > -farBlock && x < farBlock) {
		x = clampAbs(x, farBlock)
	}
	c := int32(x)
	if float32(c) > x {
		c--
	}
	return c
}
