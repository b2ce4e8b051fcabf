package wire

import (
	"encoding/binary"
	"math"
)

// U16 appends v to b, little-endian, and returns the longer slice.
func U16(b []byte, v uint16) []byte { return binary.LittleEndian.AppendUint16(b, v) }

// U32 appends v to b, little-endian, and returns the longer slice.
func U32(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }

// F32 appends v to b as an IEEE-754 single-precision number, little-endian, and returns the longer slice.
func F32(b []byte, v float32) []byte { return U32(b, math.Float32bits(v)) }

// Str8 appends a text to b: the number of its bytes (u8), then the bytes. If s has more than 255 bytes, only the first 255 are
// appended. Str8 returns the longer slice.
func Str8(b []byte, s string) []byte {
	if len(s) > math.MaxUint8 {
		s = s[:math.MaxUint8]
	}
	return append(append(b, uint8(len(s))), s...)
}

// Str16 appends a text to b: the number of its bytes (u16, little-endian), then the bytes. If s has more than 65535 bytes, only
// the first 65535 are appended. Str16 returns the longer slice.
func Str16(b []byte, s string) []byte {
	if len(s) > math.MaxUint16 {
		s = s[:math.MaxUint16]
	}
	return append(U16(b, uint16(len(s))), s...)
}
