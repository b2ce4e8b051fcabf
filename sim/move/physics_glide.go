package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Constants of gliding with an elytra, per tick. Source: docs/wire/bedrock.md, movement physics, gliding (a single
// source).
const (
	glideLift   float32 = 0.06 // part of gravity that is cancelled at level pitch
	glideSink   float32 = 0.1  // share of the falling speed converted into forward speed
	glideClimb  float32 = 0.04 // share of the horizontal speed lost when looking up
	glideHeight float32 = 3.2  // vertical speed gained per unit of horizontal speed lost when looking up
	glideTurn   float32 = 0.1  // share of the difference to the view direction by which the velocity turns per tick
	glideAcross float32 = 0.99 // factor on the horizontal speed per tick
	glideUp     float32 = 0.98 // factor on the vertical speed per tick
	minLevel    float32 = 1e-6 // cosine of the pitch below which the view is vertical

	boostSpeed float32 = 1.5 // speed in the view direction, in blocks per tick, that a firework approaches
	boostShare float32 = 0.5 // share of the difference to boostSpeed by which a firework changes the velocity per tick
	boostPush  float32 = 0.1 // speed in the view direction, in blocks per tick, that a firework adds per tick
)

// stepGlide moves a gliding player by one tick. Falling is converted to speed in the view direction, and looking up converts
// speed to height. A firework accelerates the player in the view direction.
func (a *Avatar) stepGlide(ground *terrain.Blocks, s *Scratch) {
	pitch, yaw := float32(a.Pitch*radPerDegree), float32(a.Yaw*radPerDegree)
	level, up := cosine(pitch), -sine(pitch)
	aheadX, aheadZ := -sine(yaw), cosine(yaw)
	v, across, level2 := a.Vel, geom.Sqrt(lengthXZ2(a.Vel)), float32(level*level)
	v.Y += float32(level2*glideLift) - gravity
	if v.Y < 0 && level > minLevel {
		gain := float32(float32(v.Y*-glideSink) * level2)
		v.Y += gain
		v.X += float32(aheadX * gain)
		v.Z += float32(aheadZ * gain)
	}
	if up > 0 {
		gain := float32(float32(across*up) * glideClimb)
		v.Y += float32(gain * glideHeight)
		v.X -= float32(aheadX * gain)
		v.Z -= float32(aheadZ * gain)
	}
	if level > minLevel {
		v.X += float32((float32(aheadX*across) - v.X) * glideTurn)
		v.Z += float32((float32(aheadZ*across) - v.Z) * glideTurn)
	}
	if a.GlideBoost > 0 {
		v.X = boosted(v.X, float32(aheadX*level))
		v.Y = boosted(v.Y, up)
		v.Z = boosted(v.Z, float32(aheadZ*level))
	}
	v = geom.Vec{X: float32(v.X * glideAcross), Y: float32(v.Y * glideUp), Z: float32(v.Z * glideAcross)}
	a.Vel = a.sweep(v, ground, s)
}

// boosted returns one component of a player's velocity after a firework has accelerated the player for one tick. The parameter v
// is that component before, and look is the same component of the view direction, a unit vector.
func boosted(v, look float32) float32 {
	return v + float32((float32(boostSpeed*look)-v)*boostShare) + float32(boostPush*look)
}

// countGlideBoost counts down the remaining ticks of a firework. The firework ends with the glide.
func (a *Avatar) countGlideBoost(m Mode) {
	switch {
	case a.GlideBoost == 0:
	case m != ModeGlide || a.OnGround:
		a.GlideBoost = 0
	default:
		a.GlideBoost--
	}
}
