package worldmap

import "math"

// hash2 returns 32 pseudorandom bits for two integer coordinates and a seed.
func hash2(x, z int32, seed uint32) uint32 {
	h := uint32(x)*0x9e3779b1 ^ uint32(z)*0x85ebca77 ^ seed*0xc2b2ae3d
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	return h ^ h>>15
}

// unit converts 32 random bits to a number that is at least 0 and less than 1.
func unit(h uint32) float32 { return float32(h>>8) / (1 << 24) }

// noise returns a number in -1..1 that varies smoothly and at random with the position x, z. Over distances much smaller than 1
// it hardly changes; positions that are much farther than 1 apart have unrelated values.
func noise(x, z float32, seed uint32) float32 {
	fx, fz := math.Floor(float64(x)), math.Floor(float64(z))
	ix, iz := int32(int64(fx)), int32(int64(fz))
	u, v := x-float32(fx), z-float32(fz)
	u, v = u*u*(3-2*u), v*v*(3-2*v)
	a := mix(unit(hash2(ix, iz, seed)), unit(hash2(ix+1, iz, seed)), u)
	b := mix(unit(hash2(ix, iz+1, seed)), unit(hash2(ix+1, iz+1, seed)), u)
	return mix(a, b, v)*2 - 1
}

// mix interpolates between a and b. It returns a if t is 0, and b if t is 1.
func mix(a, b, t float32) float32 { return a + (b-a)*t }

func clamp(v float32) float32 { return min(max(v, 0), 1) }

// smooth returns 0 if v is at most lo, 1 if v is at least hi, and a value that increases smoothly between them.
func smooth(lo, hi, v float32) float32 {
	t := clamp((v - lo) / (hi - lo))
	return t * t * (3 - 2*t)
}
