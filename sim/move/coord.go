package move

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
)

// WorldLimit is the edge of the world on each axis, in units; coordinates stay strictly within it.
// Source: docs/wire/rcce.md, primitives, ClampWorldCoord.
const WorldLimit = 100000

// ClampWorldCoord returns v if it lies strictly between -WorldLimit and WorldLimit and 0 otherwise, so for NaN and the
// infinities too. It resets and does not saturate, as the original does. Source: seed P_StandardUpdate, "Float clamp".
func ClampWorldCoord(v float32) float32 {
	if v > -WorldLimit && v < WorldLimit {
		return v
	}
	return 0
}

// At is the position that the claim asks for, as the wire had it.
func (c *Claim) Position() geom.Vec { return geom.Vec{X: c.X, Y: c.Y, Z: c.Z} }

// clean puts every coordinate through ClampWorldCoord and tells whether that changed one.
func (c *Claim) clean() bool {
	raw := *c
	c.DestX, c.DestZ = ClampWorldCoord(c.DestX), ClampWorldCoord(c.DestZ)
	c.X, c.Y, c.Z = ClampWorldCoord(c.X), ClampWorldCoord(c.Y), ClampWorldCoord(c.Z)
	return raw != *c // NaN differs from everything
}

// Farthest is the largest distance from 0 of any coordinate of the claim, as it was sent: +Inf if one is no number.
func (c *Claim) MaxCoordinate() float32 {
	var far float32
	for _, v := range [...]float32{c.DestX, c.DestZ, c.Y, c.X, c.Z} {
		if v != v {
			return float32(math.Inf(1))
		}
		far = max(far, geom.Abs(v))
	}
	return far
}
