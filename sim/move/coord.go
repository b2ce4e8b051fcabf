package move

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
)

// WorldLimit is half the size of the world on each axis, in world units. Valid coordinates are between -WorldLimit and
// WorldLimit, both excluded. Source: docs/wire/rcce.md, primitives.
const WorldLimit = 100000

// SanitizeCoord returns v if it is a valid coordinate, strictly between -WorldLimit and WorldLimit. It replaces any other value, also
// NaN and infinities, by 0, as the RealmCrafter server does. Source: specification P_StandardUpdate, "Float clamp".
func SanitizeCoord(v float32) float32 {
	if v > -WorldLimit && v < WorldLimit {
		return v
	}
	return 0
}

// Position returns the claimed position as received.
func (c *Claim) Position() geom.Vec { return geom.Vec{X: c.X, Y: c.Y, Z: c.Z} }

// clean applies SanitizeCoord to every coordinate of the claim, and reports whether one of them changed.
func (c *Claim) clean() bool {
	raw := *c
	c.DestX, c.DestZ = SanitizeCoord(c.DestX), SanitizeCoord(c.DestZ)
	c.X, c.Y, c.Z = SanitizeCoord(c.X), SanitizeCoord(c.Y), SanitizeCoord(c.Z)
	return raw != *c // also true for NaN, which differs from itself
}

// MaxCoordinate returns the largest absolute value of the coordinates of the claim as received, or +Inf if a coordinate is NaN.
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
