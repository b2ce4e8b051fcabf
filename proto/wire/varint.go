package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// Maximum lengths in bytes of numbers in the encoding LEB128, which puts 7 bits of a number into each byte.
const (
	MaxVar32 = 5  // length of a 32-bit number, bytes
	MaxVar64 = 10 // length of a 64-bit number, bytes
)

// U64 appends v, little-endian, and returns the longer slice.
func U64(b []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(b, v) }

// I64 appends v, little-endian, and returns the longer slice.
func I64(b []byte, v int64) []byte { return U64(b, uint64(v)) }

// I32 appends v, little-endian, and returns the longer slice.
func I32(b []byte, v int32) []byte { return U32(b, uint32(v)) }

// I16 appends v, little-endian, and returns the longer slice.
func I16(b []byte, v int16) []byte { return U16(b, uint16(v)) }

// BE32 appends v, big-endian, and returns the longer slice.
func BE32(b []byte, v uint32) []byte { return binary.BigEndian.AppendUint32(b, v) }

// Bool appends one byte, 1 for true, and returns the longer slice.
func Bool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// VarU32 appends v as LEB128 (seven bits a byte, low group first, high bit set on all but the last; 1 to 5 bytes)
// and returns the longer slice.
func VarU32(b []byte, v uint32) []byte { return binary.AppendUvarint(b, uint64(v)) }

// VarU64 appends v as LEB128, 1 to 10 bytes, and returns the longer slice.
func VarU64(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

// VarI32 appends v in zigzag order (0, -1, 1, -2, ...) as LEB128, 1 to 5 bytes, and returns the longer slice.
func VarI32(b []byte, v int32) []byte { return VarU32(b, uint32(v)<<1^uint32(v>>31)) }

// VarI64 appends v in zigzag order as LEB128, 1 to 10 bytes, and returns the longer slice.
func VarI64(b []byte, v int64) []byte { return binary.AppendVarint(b, v) }

// VarBytes appends the length of v (LEB128) and v, and returns the longer slice.
func VarBytes(b, v []byte) []byte { return append(VarU32(b, uint32(len(v))), v...) }

// VarStr appends the byte count of s (LEB128) and s, and returns the longer slice.
func VarStr(b []byte, s string) []byte { return append(VarU32(b, uint32(len(s))), s...) }

// SizeVarU32 returns the number of bytes that VarU32 writes for v, 1 to 5.
func SizeVarU32(v uint32) int { return (bits.Len32(v|1) + 6) / 7 }

// U64 reads eight bytes, little-endian.
func (r *Reader) U64() uint64 {
	if b := r.next(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// I64 reads eight bytes, little-endian, signed.
func (r *Reader) I64() int64 { return int64(r.U64()) }

// Bool reads one byte that is 0 or 1; any other value fails with ErrRange.
func (r *Reader) Bool() bool {
	switch v := r.U8(); v {
	case 0:
		return false
	case 1:
		return true
	default:
		r.failRange("byte %d in place of a bool", v)
		return false
	}
}

// VarU32 reads LEB128 of at most 5 bytes. A value above 32 bits fails with ErrRange, and so does an encoding with more
// bytes than the value needs, so that a number has only one encoding.
func (r *Reader) VarU32() uint32 {
	if r.err == nil && r.off < len(r.b) && r.b[r.off] < 0x80 { // fast path: most numbers have one byte
		r.off++
		return uint32(r.b[r.off-1])
	}
	return uint32(r.uvarint(MaxVar32, math.MaxUint32))
}

// VarU64 reads LEB128 of at most 10 bytes under the rules of VarU32.
func (r *Reader) VarU64() uint64 { return r.uvarint(MaxVar64, math.MaxUint64) }

// VarI32 reads a zigzag number of at most 5 bytes under the rules of VarU32.
func (r *Reader) VarI32() int32 {
	v := r.VarU32()
	return int32(v>>1) ^ -int32(v&1)
}

// VarI64 reads a zigzag number of at most 10 bytes under the rules of VarU32.
func (r *Reader) VarI64() int64 {
	v := r.VarU64()
	return int64(v>>1) ^ -int64(v&1)
}

// uvarint reads LEB128 of at most size bytes and at most the value limit.
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
			break // the tenth byte has only one of the 64 bits
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
	r.failRange("varint % x is too large, or longer than its value needs", r.b[at:min(at+size, len(r.b))])
	return 0
}

// VarBytes reads a LEB128 length and that many bytes, borrowed from the input. A length beyond the remaining input
// fails with ErrShort. The result is not nil unless there is an error.
func (r *Reader) VarBytes() []byte {
	n := r.VarU32()
	if r.err == nil && uint64(n) > uint64(r.Left()) {
		r.Fail(ErrShort)
	}
	return r.next(int(n))
}

// VarStr reads a LEB128 byte count and that many bytes of text, which it does not convert. A length beyond the remaining
// input fails with ErrShort.
func (r *Reader) VarStr() string { return string(r.VarBytes()) }

// VarStrMax reads a text as VarStr does. A text of more than limit bytes fails with ErrRange.
func (r *Reader) VarStrMax(limit int) string {
	b := r.VarBytes()
	if len(b) > limit {
		r.failRange("text of %d bytes, at most %d allowed", len(b), limit)
		return ""
	}
	return string(b)
}

// VarCount reads the LEB128 element count of a list. The parameter size is the minimum size of an element in bytes,
// at least 1. A count above limit fails with ErrRange. A count of more elements than fit into the unread bytes fails
// with ErrShort, so the result may size an allocation. The result is 0 after any error.
func (r *Reader) VarCount(size, limit int) int { return r.CheckCount(r.VarU32(), size, limit) }

// CheckCount applies the checks of VarCount to n, an element count that was read in another form than LEB128. It returns n,
// or records the error and returns 0.
func (r *Reader) CheckCount(n uint32, size, limit int) int {
	switch {
	case r.err != nil:
	case uint64(n) > uint64(limit):
		r.failRange("list of %d elements, at most %d allowed", n, limit)
	case uint64(n)*uint64(max(size, 1)) > uint64(r.Left()):
		r.Fail(ErrShort)
	default:
		return int(n)
	}
	return 0
}

// CheckRange records ErrRange with the name of the field unless ok is true. A caller passes false if the field has a value
// that the protocol does not allow.
func (r *Reader) CheckRange(ok bool, field string) {
	if !ok {
		r.failRange("%s", field)
	}
}

// failRange records a range error, unless an earlier error is recorded.
func (r *Reader) failRange(format string, args ...any) {
	if r.err == nil {
		r.Fail(fmt.Errorf(format+": %w", append(args, ErrRange)...))
	}
}
