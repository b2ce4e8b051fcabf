package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// Maximum lengths of numbers in the encoding LEB128, which uses one byte for every 7 bits of the number.
const (
	MaxVar32 = 5  // length of a 32-bit number, bytes
	MaxVar64 = 10 // length of a 64-bit number, bytes
)

// U64 appends v to b, little-endian, and returns the longer slice.
func U64(b []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(b, v) }

// I64 appends v to b, little-endian, and returns the longer slice.
func I64(b []byte, v int64) []byte { return U64(b, uint64(v)) }

// I32 appends v to b, little-endian, and returns the longer slice.
func I32(b []byte, v int32) []byte { return U32(b, uint32(v)) }

// I16 appends v to b, little-endian, and returns the longer slice.
func I16(b []byte, v int16) []byte { return U16(b, uint16(v)) }

// BE32 appends v to b, big-endian, and returns the longer slice.
func BE32(b []byte, v uint32) []byte { return binary.BigEndian.AppendUint32(b, v) }

// Bool appends one byte to b, 1 for true and 0 for false, and returns the longer slice.
func Bool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// VarU32 appends v to b in the encoding LEB128 and returns the longer slice. The encoding has 1 to 5 bytes. Each contains seven
// bits of v, the lowest bits first; the high bit is set in every byte but the last.
func VarU32(b []byte, v uint32) []byte { return binary.AppendUvarint(b, uint64(v)) }

// VarU64 appends v to b in the encoding LEB128, 1 to 10 bytes, and returns the longer slice.
func VarU64(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

// VarI32 appends v to b as a zigzag number, 1 to 5 bytes, and returns the longer slice. In this encoding small negative numbers
// are short, too: 0, -1, 1, -2, ... are encoded like 0, 1, 2, 3, ... by VarU32.
func VarI32(b []byte, v int32) []byte { return VarU32(b, uint32(v)<<1^uint32(v>>31)) }

// VarI64 appends v to b as a zigzag number (see VarI32), 1 to 10 bytes, and returns the longer slice.
func VarI64(b []byte, v int64) []byte { return binary.AppendVarint(b, v) }

// VarBytes appends the number of bytes of v (LEB128) and then v itself to b, and returns the longer slice.
func VarBytes(b, v []byte) []byte { return append(VarU32(b, uint32(len(v))), v...) }

// VarStr appends the number of bytes of s (LEB128) and then s itself to b, and returns the longer slice.
func VarStr(b []byte, s string) []byte { return append(VarU32(b, uint32(len(s))), s...) }

// SizeVarU32 returns the number of bytes, 1 to 5, that VarU32 appends for v.
func SizeVarU32(v uint32) int { return (bits.Len32(v|1) + 6) / 7 }

// U64 reads eight bytes, little-endian.
func (r *Reader) U64() uint64 {
	if b := r.next(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// I64 reads eight bytes, little-endian, as a signed number.
func (r *Reader) I64() int64 { return int64(r.U64()) }

// Bool reads one byte, which must be 0 or 1. For any other value it records ErrRange.
func (r *Reader) Bool() bool {
	switch v := r.U8(); v {
	case 0:
		return false
	case 1:
		return true
	default:
		r.failRange("a bool has the value %d, must be 0 or 1", v)
		return false
	}
}

// VarU32 reads a number in the encoding LEB128, at most 5 bytes. It records ErrRange if the number has more than 32 bits, or more
// bytes than necessary: each number has only one valid encoding.
func (r *Reader) VarU32() uint32 {
	if r.err == nil && r.off < len(r.b) && r.b[r.off] < 0x80 { // fast path: most numbers have one byte
		r.off++
		return uint32(r.b[r.off-1])
	}
	return uint32(r.uvarint(MaxVar32, math.MaxUint32))
}

// VarU64 reads a number in the encoding LEB128, at most 10 bytes. It records ErrRange if the number has more than 64 bits, or
// more bytes than necessary.
func (r *Reader) VarU64() uint64 { return r.uvarint(MaxVar64, math.MaxUint64) }

// VarI32 reads a zigzag number that the function VarI32 has appended. The checks are those of the method VarU32.
func (r *Reader) VarI32() int32 {
	v := r.VarU32()
	return int32(v>>1) ^ -int32(v&1)
}

// VarI64 reads a zigzag number that the function VarI64 has appended. The checks are those of the method VarU64.
func (r *Reader) VarI64() int64 {
	v := r.VarU64()
	return int64(v>>1) ^ -int64(v&1)
}

// uvarint reads a number in the encoding LEB128 that has at most size bytes and is at most limit.
func (r *Reader) uvarint(size int, limit uint64) uint64 {
	if r.err != nil {
		return 0
	}
	v, at := uint64(0), r.off
	for i := range size {
		if at+i >= len(r.b) {
			r.Fail(ErrShort)
			return 0
		}
		c := r.b[at+i]
		if i == MaxVar64-1 && c > 1 {
			break // the tenth byte contains only the highest of the 64 bits
		}
		v |= uint64(c&0x7f) << (7 * i)
		if c >= 0x80 {
			continue
		}
		if v > limit || c == 0 && i > 0 {
			break
		}
		r.off = at + i + 1
		return v
	}
	r.failRange("the variable-length number with the bytes % x is too large, or longer than necessary", r.b[at:min(at+size, len(r.b))])
	return 0
}

// VarBytes reads a length (LEB128) and returns that many bytes, as a part of the input. It records ErrShort if fewer bytes are
// left. The result is nil only after an error.
func (r *Reader) VarBytes() []byte {
	n := r.VarU32()
	if r.err == nil && uint64(n) > uint64(r.Left()) {
		r.Fail(ErrShort)
	}
	return r.next(int(n))
}

// VarStr reads a text: the number of its bytes (LEB128), then the bytes. It does not convert the text. It records ErrShort if
// fewer bytes are left.
func (r *Reader) VarStr() string { return string(r.VarBytes()) }

// VarStrMax reads a text as VarStr does. It records ErrRange if the text has more than limit bytes.
func (r *Reader) VarStrMax(limit int) string {
	b := r.VarBytes()
	if len(b) > limit {
		r.failRange("a text has %d bytes, at most %d are allowed", len(b), limit)
		return ""
	}
	return string(b)
}

// VarCount reads the number of elements of a list (LEB128). The parameter size is the minimum number of bytes of an element, at
// least 1. VarCount records ErrRange if there are more than limit elements, and ErrShort if too few bytes are left for them.
// The caller may therefore allocate memory for that many elements. After an error the result is 0.
func (r *Reader) VarCount(size, limit int) int { return r.CheckCount(r.VarU32(), size, limit) }

// CheckCount checks n, the number of elements of a list, as VarCount does. It is for numbers that have another encoding than
// LEB128. It returns n, or records an error and returns 0.
func (r *Reader) CheckCount(n uint32, size, limit int) int {
	switch {
	case r.err != nil:
	case uint64(n) > uint64(limit):
		r.failRange("a list has %d elements, at most %d are allowed", n, limit)
	case uint64(n)*uint64(max(size, 1)) > uint64(r.Left()):
		r.Fail(ErrShort)
	default:
		return int(n)
	}
	return 0
}

// CheckRange records ErrRange if ok is false: the caller has found that a field has a value that the protocol does not allow.
// The error names the field.
func (r *Reader) CheckRange(ok bool, field string) {
	if !ok {
		r.failRange("%s", field)
	}
}

// failRange records an error that wraps ErrRange. It does nothing if an error is recorded already.
func (r *Reader) failRange(format string, args ...any) {
	if r.err == nil {
		r.Fail(fmt.Errorf(format+": %w", append(args, ErrRange)...))
	}
}
