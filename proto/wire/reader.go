// Package wire has the byte readers and writers of all protocols.
//
// A Reader does not trust its input: it never panics, never sizes an allocation by a length from the wire, and records
// its first error, so that a parser reads all fields and checks once, with Done. The functions that append to a slice do
// not check ranges; the caller does.
//
//	r := wire.NewReader(b)
//	p := Walk{X: r.U16(), Z: r.U16()}
//	return p, r.Done("walk")
//
// The package is independent of protocols and does no I/O. A Reader must be used by one goroutine.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Causes of parse errors, which the errors of parsers wrap. Gateways distinguish them with errors.Is.
var (
	ErrShort    = errors.New("too short")           // the input ends before the last field does
	ErrTrailing = errors.New("bytes after the end") // bytes remain after the last field
	ErrRange    = errors.New("value out of range")  // a field has a value that the protocol does not allow
)

// Reader reads from a borrowed slice. After the first error every read returns zero and does not advance.
type Reader struct {
	b   []byte
	off int
	err error
}

// NewReader returns a reader at the start of b, which it borrows.
func NewReader(b []byte) Reader { return Reader{b: b} }

// Offset returns the number of bytes read.
func (r *Reader) Offset() int { return r.off }

// Left returns the number of unread bytes, or 0 after an error.
func (r *Reader) Left() int {
	if r.err != nil {
		return 0
	}
	return len(r.b) - r.off
}

// Err returns the first error, or nil.
func (r *Reader) Err() error { return r.err }

// Fail records err with the current offset, unless an earlier error is recorded. All later reads return zero.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = fmt.Errorf("offset %d: %w", r.off, err)
	}
}

// Done ends a parse and returns the first error, or ErrTrailing if bytes are left. The error text begins with what, which
// names the parsed packet or structure.
func (r *Reader) Done(what string) error {
	if r.err == nil && r.off < len(r.b) {
		r.Fail(ErrTrailing)
	}
	if r.err != nil {
		return fmt.Errorf("%s: %w", what, r.err)
	}
	return nil
}

// next returns the next n bytes, borrowed from the input. If fewer are left, it records ErrShort and returns nil.
func (r *Reader) next(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n < 0 || n > len(r.b)-r.off {
		r.Fail(ErrShort)
		return nil
	}
	b := r.b[r.off : r.off+n]
	r.off += n
	return b
}

// Bytes returns the next n bytes, borrowed from the input. If fewer are left, it records ErrShort and returns nil.
func (r *Reader) Bytes(n int) []byte { return r.next(n) }

// Rest returns all unread bytes, borrowed from the input, or nil after an error.
func (r *Reader) Rest() []byte { return r.next(r.Left()) }

// U8 reads one byte.
func (r *Reader) U8() uint8 {
	if b := r.next(1); b != nil {
		return b[0]
	}
	return 0
}

// U16 reads two bytes, little-endian.
func (r *Reader) U16() uint16 {
	if b := r.next(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// U32 reads four bytes, little-endian.
func (r *Reader) U32() uint32 {
	if b := r.next(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// I16 reads two bytes, little-endian, signed.
func (r *Reader) I16() int16 { return int16(r.U16()) }

// I32 reads four bytes, little-endian, signed.
func (r *Reader) I32() int32 { return int32(r.U32()) }

// F32 reads an IEEE-754 single, little-endian. Any bit pattern is allowed, including NaN.
func (r *Reader) F32() float32 { return math.Float32frombits(r.U32()) }

// BE16 reads two bytes, big-endian.
func (r *Reader) BE16() uint16 {
	if b := r.next(2); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

// BE32 reads four bytes, big-endian.
func (r *Reader) BE32() uint32 {
	if b := r.next(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

// Str8 reads a byte count (u8) and that many bytes of text. It does not convert the text, whose encoding depends on the
// protocol.
func (r *Reader) Str8() string { return string(r.next(int(r.U8()))) }

// Str16 reads a byte count (u16, little-endian) and that many bytes of text, which it does not convert.
func (r *Reader) Str16() string { return string(r.next(int(r.U16()))) }
