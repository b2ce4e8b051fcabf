package rs

import (
	"encoding/binary"
	"math/bits"

	"github.com/truestep-io/truestep/proto/wire"
)

// BitWriter appends bits to a byte slice, beginning with the most significant bit of each byte. Put always stores eight bytes,
// but advances only by the number of complete ones. It is fast because its only branch is for the capacity.
type BitWriter struct {
	buf []byte // buf[:pos] is written; the padding bits of the next byte are zero
	pos int    // number of whole bytes written
	acc uint64 // the low n bits wait until their byte is full; higher bits are meaningless
	n   uint   // number of waiting bits, 0..7
}

// storeSlack is the number of spare bytes that Put needs after the last complete byte, because Put always stores eight bytes.
const storeSlack = 8

// NewBitWriter returns a writer that appends to dst. Like append, the writer uses the spare capacity of dst and allocates a
// larger slice if that is not enough.
func NewBitWriter(dst []byte) BitWriter {
	return BitWriter{buf: dst[:cap(dst)], pos: len(dst)}
}

// Put appends the low bits of value, 1 to 57 of them. Higher bits of value must be zero.
func (w *BitWriter) Put(value uint64, bits uint) {
	if w.pos+storeSlack > len(w.buf) {
		w.grow()
	}
	w.acc = w.acc<<(bits&63) | value
	w.n += bits
	binary.BigEndian.PutUint64(w.buf[w.pos:], w.acc<<((64-w.n)&63))
	w.pos += int(w.n >> 3)
	w.n &= 7
}

func (w *BitWriter) grow() {
	big := make([]byte, 2*len(w.buf)+64)
	copy(big, w.buf)
	w.buf = big
}

// Align pads the output with zero bits to the next byte boundary.
func (w *BitWriter) Align() {
	w.pos += int(w.n+7) >> 3
	w.n = 0
}

// BitLen returns the length of the output in bits, including the bytes of the slice that was given to NewBitWriter.
func (w *BitWriter) BitLen() int { return 8*w.pos + int(w.n) }

// Bytes returns dst and everything written after it. The last byte is padded with zero bits. The slice shares the writer's
// memory.
func (w *BitWriter) Bytes() []byte { return w.buf[:w.pos+int(w.n+7)>>3] }

// BitReader reads bits, beginning with the most significant bit of each byte. After the first error every Get returns zero.
type BitReader struct {
	b    []byte
	next int    // index of the next byte to load
	acc  uint64 // the low n bits are loaded but not read yet
	n    uint
	err  error
}

// NewBitReader returns a reader at the first bit of b, which it borrows.
func NewBitReader(b []byte) BitReader { return BitReader{b: b} }

// Get reads an unsigned number of 1 to 32 bits.
func (r *BitReader) Get(bits uint) uint32 {
	if r.n < bits {
		r.load()
		if r.n < bits {
			r.Fail(wire.ErrShort)
			return 0
		}
	}
	r.n -= bits
	return uint32(r.acc >> r.n & (1<<bits - 1))
}

// load refills acc with whole bytes until it holds more than 56 bits or the input ends.
func (r *BitReader) load() {
	for r.n <= 56 && r.next < len(r.b) && r.err == nil {
		r.acc = r.acc<<8 | uint64(r.b[r.next])
		r.next++
		r.n += 8
	}
}

// Align moves to the next byte boundary. Skipped bits are ignored; the 667 client does not check them either.
func (r *BitReader) Align() { r.n &^= 7 }

// BitOffset returns the number of bits that were read or skipped since the start of the input.
func (r *BitReader) BitOffset() int { return 8*r.next - int(r.n) }

// Rest returns the bytes from the next byte boundary on, borrowed from the input, or nil after an error.
func (r *BitReader) Rest() []byte {
	if r.err != nil {
		return nil
	}
	r.Align()
	return r.b[r.BitOffset()/8:]
}

// Fail records err unless an earlier error is recorded. All later reads return zero.
func (r *BitReader) Fail(err error) {
	if r.err == nil {
		r.err = err
		r.n = 0
	}
}

// Err returns the first error, or nil.
func (r *BitReader) Err() error { return r.err }

// runEncoding is one of the four forms in which a run of idle players is written (docs/wire/rs.md, the four passes). Each form
// consists of the bit 0, two bits that name the form, and the number of players minus one, in 0, 5, 8 or 11 bits.
type runEncoding struct {
	base uint32 // the bit 0 and the two bits of the form, shifted left by the width of the number
	mask uint32 // mask of the bits of the number
	bits uint8  // length of the whole encoding in bits
}

// runEncodings maps the bit length of n-1 to the shortest form for a run of n idle players. It saves the writer a branch. For n
// = 0, n-1 wraps around and has 32 bits: element 32 is an empty form, because a run of no players has no bits.
var runEncodings = func() (t [33]runEncoding) {
	for length := range 12 {
		switch {
		case length == 0:
			t[length] = runEncoding{base: 0, mask: 0, bits: 3}
		case length <= 5:
			t[length] = runEncoding{base: 1 << 5, mask: 1<<5 - 1, bits: 8}
		case length <= 8:
			t[length] = runEncoding{base: 2 << 8, mask: 1<<8 - 1, bits: 11}
		default:
			t[length] = runEncoding{base: 3 << 11, mask: 1<<11 - 1, bits: 14}
		}
	}
	return t
}()

// runBits returns the encoding of a run of n idle players, 0..2047: the bits in value, and the number of bits, 0..14, in width.
func runBits(n uint32) (value uint64, width uint) {
	more := n - 1
	f := &runEncodings[bits.Len32(more)]
	return uint64(f.base | more&f.mask), uint(f.bits)
}
