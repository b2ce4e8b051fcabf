// Package wire reads and writes the basic encodings of all protocols: numbers, texts and byte counts.
//
// A Reader does not trust its input: it never panics, and before memory is allocated for a length or a count from the input, it
// checks that enough bytes are left. It records the first error, so that a parser can read all fields and then check for an
// error once, with Done. The functions that append to a slice do not check ranges; their callers must.
//
//	r := wire.NewReader(b)
//	p := Walk{X: r.U16(), Z: r.U16()}
//	return p, r.Done("walk")
//
// The package does no I/O. Only one goroutine at a time may use a Reader.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Causes of errors in parsing. The errors of parsers wrap them, so that gateways can distinguish them with errors.Is.
var (
	ErrShort    = errors.New("too short")                        // the input ends before the last field does
	ErrTrailing = errors.New("extra bytes after the last field") // bytes remain after the last field
	ErrRange    = errors.New("value out of range")               // a field has a value that the protocol does not allow
)

// Reader reads values from a slice, which must not change meanwhile. After the first error, every read returns zero and does not
// advance.
type Reader struct {
	b   []byte
	off int
	err error
}

// NewReader returns a Reader that begins at the start of b. The Reader does not copy b.
func NewReader(b []byte) Reader { return Reader{b: b} }

// Offset returns the number of bytes that were read.
func (r *Reader) Offset() int { return r.off }

// Left returns the number of bytes that were not read yet, or 0 after an error.
func (r *Reader) Left() int {
	if r.err != nil {
		return 0
	}
	return len(r.b) - r.off
}

// Err returns the first error that was recorded, or nil.
func (r *Reader) Err() error { return r.err }

// Fail records err and the current offset. It does nothing if an error is recorded already. Once an error is recorded, all
// reads return zero values.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = fmt.Errorf("offset %d: %w", r.off, err)
	}
}

// Done ends the parsing. It returns the first error, or ErrTrailing if bytes are left, or nil. The error text begins with the
// parameter what, which is the name of the packet or structure.
func (r *Reader) Done(what string) error {
	if r.err == nil && r.off < len(r.b) {
		r.Fail(ErrTrailing)
	}
	if r.err != nil {
		return fmt.Errorf("%s: %w", what, r.err)
	}
	return nil
}

// next returns the next n bytes, as a part of the input. If fewer are left, it records ErrShort and returns nil.
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

// Bytes returns the next n bytes, as a part of the input. If fewer are left, it records ErrShort and returns nil.
func (r *Reader) Bytes(n int) []byte { return r.next(n) }

// Rest returns all unread bytes, as a part of the input. It returns nil after an error.
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

// I16 reads two bytes, little-endian, as a signed number.
func (r *Reader) I16() int16 { return int16(r.U16()) }

// I32 reads four bytes, little-endian, as a signed number.
func (r *Reader) I32() int32 { return int32(r.U32()) }

// F32 reads an IEEE-754 single-precision number of four bytes, little-endian. Every bit pattern is allowed, so the result may be
// NaN.
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

// Str8 reads a text: the number of its bytes (u8), then the bytes. It does not convert the text, because its encoding depends on
// the protocol.
func (r *Reader) Str8() string { return string(r.next(int(r.U8()))) }

// Str16 reads a text: the number of its bytes (u16, little-endian), then the bytes. It does not convert the text.
func (r *Reader) Str16() string { return string(r.next(int(r.U16()))) }
