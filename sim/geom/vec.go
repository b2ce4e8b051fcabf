// Package geom provides float32 vectors and boxes and a uniform grid of points.
//
// Positions are float32 because the protocols and the arithmetic of the clients are float32. Every product is rounded by
// an explicit conversion, float32(x*y) + z, so that no compiler fuses it with the addition: the same inputs give the same
// bits on every CPU. Of package math only Sqrt is used in calculations of positions, because it is exact on every CPU.
package geom

import "math"

// Vec is a point or a displacement in world units (RealmCrafter units). Y points up.
type Vec struct{ X, Y, Z float32 }

// Add returns v + w.
func (v Vec) Add(w Vec) Vec { return Vec{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub returns v - w.
func (v Vec) Sub(w Vec) Vec { return Vec{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Dist2XZ returns the squared distance of v and w on the ground plane, in square units.
func Dist2XZ(v, w Vec) float32 {
	dx, dz := v.X-w.X, v.Z-w.Z
	return float32(dx*dx) + float32(dz*dz)
}

// Dist2 returns the squared distance of v and w in space, in square units.
func Dist2(v, w Vec) float32 {
	dy := v.Y - w.Y
	return Dist2XZ(v, w) + float32(dy*dy)
}

// DistXZ returns the distance of v and w on the ground plane, in units.
func DistXZ(v, w Vec) float32 { return Sqrt(Dist2XZ(v, w)) }

// Sqrt returns the correctly rounded float32 square root. It is the same on every CPU.
func Sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// Abs returns the absolute value of x.
func Abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// WrapDegrees returns an angle in degrees, wrapped to -180..180. Angles in that range are returned unchanged. The result is
// exact, because math.Mod computes exactly.
func WrapDegrees(a float32) float32 {
	if a >= -180 && a <= 180 {
		return a
	}
	a = float32(math.Mod(float64(a), 360))
	switch {
	case a > 180:
		return a - 360
	case a < -180:
		return a + 360
	}
	return a
}

// Finite reports whether x is neither NaN nor infinite.
func Finite(x float32) bool { return math.Float32bits(x)&0x7f800000 != 0x7f800000 }
