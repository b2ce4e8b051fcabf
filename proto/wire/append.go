package wire

import (
	"encoding/binary"
	"math"
)

// U16 appends v, little-endian, and returns the longer slice.
func U16(b []byte, v uint16) []byte { return binary.LittleEndian.AppendUint16(b, v) }

// U32 appends v, little-endian, and returns the longer slice.
func U32(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }

// F32 appends v as an IEEE-754 single, little-endian, and returns the longer slice.
func F32(b []byte, v float32) []byte { return U32(b, math.Float32bits(v)) }

// Str8 appends the byte count of s (u8) and s, which is cut at 255 bytes, and returns the longer slice.
func Str8(b []byte, s string) []byte {
	if len(s) > math.MaxUint8 {
		s = s[:math.MaxUint8]
	}
	return append(append(b, uint8(len(s))), s...)
}

// Str16 appends the byte count of s (u16, little-endian) and s, which is cut at 65535 bytes, and returns the longer slice.
func Str16(b []byte, s string) []byte {
	if len(s) > math.MaxUint16 {
		s = s[:math.MaxUint16]
	}
	return append(U16(b, uint16(len(s))), s...)
}
