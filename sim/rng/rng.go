// Package rng provides the seeded random streams of the simulation.
//
// A Stream is PCG-XSH-RR 64/32 (O'Neill 2014): it has 8 bytes of state, which snapshots store, and returns the same
// numbers on every CPU. It must not be used for secrets. A Stream belongs to the goroutine that owns its area.
package rng

// Stream is a sequence of pseudo-random numbers. The zero value is valid; New derives the state from a seed.
type Stream struct {
	// State is the whole state; a snapshot stores and restores it.
	State uint64
}

// New returns the stream of a seed. Nearby seeds give unrelated streams.
func New(seed uint64) *Stream {
	// The following steps are splitmix64, which turns even a small seed into a state with bits set everywhere.
	z := seed + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return &Stream{State: z ^ z>>31}
}

// Uint32 returns the next number, uniform over all 32 bits.
func (s *Stream) Uint32() uint32 {
	old := s.State
	s.State = old*6364136223846793005 + 1442695040888963407
	x := uint32((old>>18 ^ old) >> 27)
	rot := uint32(old >> 59)
	return x>>rot | x<<(-rot&31)
}

// IntN returns a number uniform over 0..n-1, without bias. The parameter n must be positive.
func (s *Stream) IntN(n int32) int32 {
	if n <= 0 {
		panic("rng: IntN of a number below 1")
	}
	bound := uint32(n)
	limit := -bound % bound // numbers below limit would bias toward small results
	for {
		if x := s.Uint32(); x >= limit {
			return int32(x % bound)
		}
	}
}

// Between returns a number uniform over a..b, both ends included, like the RealmCrafter server's Rand(a, b). The parameter b must
// not be below a, and the range must have fewer than 2^31 numbers.
func (s *Stream) Between(a, b int32) int32 { return a + s.IntN(b-a+1) }

// Float32 returns a number uniform over [0, 1), in steps of 2^-24.
func (s *Stream) Float32() float32 { return float32(s.Uint32()>>8) / (1 << 24) }

// Symmetric returns a number uniform over [-r, r), like the RealmCrafter server's Rnd(-r, r).
func (s *Stream) Symmetric(r float32) float32 { return float32((float32(s.Float32()*2) - 1) * r) }
