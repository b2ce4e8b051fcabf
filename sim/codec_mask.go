package sim

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
)

// In intents and frames, a value with many optional parts is encoded as a bit mask, which says what parts are present, followed
// by these parts. A part is present only if it is not zero; a present part that is zero is an error. So every value has exactly
// one encoding.

// mask reads or writes a presence mask that has the given number of bits. Reading a higher bit is an error.
func (c *codec) mask(m uint32, bits int) uint32 {
	num(c, &m)
	if m>>bits != 0 {
		c.fail()
		return 0
	}
	return m
}

// bit returns 1<<n, the bit of part n in a presence mask, if the part is present, otherwise 0. It shifts a number that is 1 or 0,
// because the compiler computes that number from present without a branch.
func bit(n int, present bool) uint32 {
	var b uint32
	if present {
		b = 1
	}
	return b << n
}

// set reports whether any of the numbers is not 0. It compares the bits, so -0 counts as not 0.
func set(fs ...float32) bool {
	for _, f := range fs {
		if math.Float32bits(f) != 0 {
			return true
		}
	}
	return false
}

func setVec(v geom.Vec) bool { return vecBits(v) != 0 }

func vecBits(v geom.Vec) uint32 {
	return math.Float32bits(v.X) | math.Float32bits(v.Y) | math.Float32bits(v.Z)
}
