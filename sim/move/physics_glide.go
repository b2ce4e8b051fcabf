package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Constants of gliding with an elytra, per tick. Source: docs/wire/bedrock.md, movement physics, gliding; a single
// source.
const (
	glideLift   float32 = 0.06 // part of gravity that is cancelled at level pitch
	glideSink   float32 = 0.1  // share of the falling speed converted into forward speed
	glideClimb  float32 = 0.04 // share of the horizontal speed lost when looking up
	glideHeight float32 = 3.2  // factor from that loss to the vertical speed gained
	glideTurn   float32 = 0.1  // share of the angle to the view direction by which the velocity turns per tick
	glideAcross float32 = 0.99
	glideUp     float32 = 0.98
	minLevel    float32 = 1e-6 // cosine of the pitch below which the view is vertical
)

// stepGlide is the step of a gliding player: falling becomes speed in the view direction, and speed becomes height.
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
	v = geom.Vec{X: float32(v.X * glideAcross), Y: float32(v.Y * glideUp), Z: float32(v.Z * glideAcross)}
	a.Vel = a.sweep(v, ground, s)
}
