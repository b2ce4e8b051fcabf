package rs

import (
	"encoding/binary"

	"github.com/truestep-io/truestep/proto/wire"
)

// The functions of this file read and write the integer fields of packets. Their parameter t is the encoding of the field.

// field is any integer that has an encoding.
type field interface {
	~int8 | ~int16 | ~int32 | ~uint8 | ~uint16 | ~uint32
}

// readAs reads a value encoded by t. If T is a signed type, the highest bit of the value is its sign.
func readAs[T field](r *wire.Reader, t encoding) T { return T(readEncoded(r, t)) }

// readUpTo reads a value as readAs does and refuses values above maximum.
func readUpTo[T field](r *wire.Reader, t encoding, maximum T) T {
	v := readAs[T](r, t)
	if v > maximum {
		r.Fail(errLimit)
		return 0
	}
	return v
}

// readIndex reads a player index, 1..MaxIndex.
func readIndex(r *wire.Reader, t encoding) Index {
	v := readUpTo[Index](r, t, MaxIndex)
	if v == 0 {
		r.Fail(errValue)
	}
	return v
}

// readCoord reads one coordinate of an absolute tile.
func readCoord(r *wire.Reader, t encoding) uint16 { return readUpTo[uint16](r, t, MaxCoord) }

// readFlag reads 0 or 1.
func readFlag(r *wire.Reader, t encoding) bool { return readUpTo[uint8](r, t, 1) == 1 }

// readConstant reads a byte that has the value want in every packet. Any other value is an error.
func readConstant(r *wire.Reader, want uint8) {
	if r.U8() != want {
		r.Fail(errValue)
	}
}

func flagByte(on bool) uint8 {
	if on {
		return 1
	}
	return 0
}

// appendAs appends v encoded by t.
func appendAs[T field](b []byte, t encoding, v T) []byte { return appendEncoded(b, t, uint32(v)) }

// readText reads a zero-terminated Windows-1252 string.
func readText(r *wire.Reader) string { return TextString(readCstr(r)) }

func appendText(b []byte, s string) []byte { return append(AppendText(b, s), 0) }

func readU64(r *wire.Reader) uint64 { return uint64(r.BE32())<<32 | uint64(r.BE32()) }

func readKeys(r *wire.Reader) Keys { return Keys{r.BE32(), r.BE32(), r.BE32(), r.BE32()} }

func appendKeys(b []byte, k Keys) []byte {
	for _, word := range k {
		b = binary.BigEndian.AppendUint32(b, word)
	}
	return b
}
