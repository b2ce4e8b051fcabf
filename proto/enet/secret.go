package enet

import (
	"crypto/sha256"
	"encoding/binary"
)

// randomStream is a random number generator whose output cannot be predicted without the seed: SHA-256 of seed and
// counter.
type randomStream struct {
	seed    uint64
	counter uint64
	block   [sha256.Size]byte
	left    int // unread bytes at the end of block
}

func (s *randomStream) u16() uint16 {
	if s.left == 0 {
		var in [16]byte
		binary.BigEndian.PutUint64(in[:], s.seed)
		binary.BigEndian.PutUint64(in[8:], s.counter)
		s.counter++
		s.block = sha256.Sum256(in[:])
		s.left = len(s.block)
	}
	v := binary.BigEndian.Uint16(s.block[len(s.block)-s.left:])
	s.left -= 2
	return v
}

func (s *randomStream) u32() uint32 { return uint32(s.u16())<<16 | uint32(s.u16()) }

// intn returns a random number in 0..n-1. The parameter n must be above 0. All numbers are equally likely, up to a bias
// below n/2^32.
func (s *randomStream) intn(n int) int { return int(uint64(s.u32()) * uint64(n) >> 32) }
