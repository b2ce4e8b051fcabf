package rs

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

func TestBitReaderReturnsWrittenBits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		type field struct {
			v uint64
			n uint
		}
		var fields []field
		w := NewBitWriter([]byte{0xAB})
		for range rnd.IntN(60) {
			n := uint(1 + rnd.IntN(57))
			f := field{rnd.Uint64() & (1<<n - 1), n}
			fields = append(fields, f)
			w.Put(f.v, n)
			if rnd.IntN(8) == 0 {
				w.Align()
				fields = append(fields, field{})
			}
		}
		r := NewBitReader(w.Bytes())
		if got := r.Get(8); got != 0xAB {
			t.Fatalf("first byte %x, want ab", got)
		}
		for i, f := range fields {
			if f.n == 0 {
				r.Align()
				continue
			}
			var got uint64
			for n := f.n; n > 0; {
				k := min(n, 32)
				got = got<<k | uint64(r.Get(k))
				n -= k
			}
			if got != f.v {
				t.Fatalf("field %d of %d bits: %x, want %x", i, f.n, got, f.v)
			}
		}
		if r.Err() != nil || r.BitOffset() != w.BitLen() || len(r.Rest()) != 0 {
			t.Fatalf("err %v, read %d of %d bits", r.Err(), r.BitOffset(), w.BitLen())
		}
	}
}

func TestBitReaderFailsPastEnd(t *testing.T) {
	r := NewBitReader([]byte{0xFF, 0xF0})
	if r.Get(12) != 0xFFF || r.Err() != nil {
		t.Fatal("cannot read the first 12 of 16 bits")
	}
	if r.Get(5) != 0 || !errors.Is(r.Err(), wire.ErrShort) {
		t.Fatal("read 17 of 16 bits")
	}
	if r.Get(1) != 0 || r.Rest() != nil {
		t.Fatal("read after an error")
	}
}

func TestRunOfIdlePlayersIsEncodedInShortestForm(t *testing.T) {
	for _, c := range []struct {
		n     uint32
		value uint64
		width uint
	}{
		{0, 0, 0},
		{1, 0b000, 3},
		{2, 0b00100001, 8},
		{31, 0b00111110, 8},
		{32, 0b00111111, 8},
		{33, 0b01000100000, 11},
		{255, 0b01011111110, 11},
		{256, 0b01011111111, 11},
		{257, 0b01100100000000, 14},
		{2046, 0b01111111111101, 14},
		{2047, 0b01111111111110, 14},
	} {
		if v, w := runBits(c.n); v != c.value || w != c.width {
			t.Errorf("run of %d: %0*b (%d bits), want %0*b", c.n, w, v, w, c.width, c.value)
		}
	}
}
