package rs

import (
	"bytes"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// token is the encoding of one number in bytes. The letters in the names are those of RuneScape protocols. A, N and S change
// the lowest byte: A adds 128, N negates it, S subtracts it from 128, all modulo 256. L, M2 and M3 are orders of the bytes: L
// begins with the lowest, M2 and M3 with a middle one of four.
type token uint8

const (
	tokNone   token = iota
	tokU8           // one byte v
	tokU8A          // one byte v+128
	tokU8N          // one byte -v
	tokU8S          // one byte 128-v
	tokU16          // bytes high, low
	tokU16L         // bytes low, high
	tokU16A         // bytes high, low+128
	tokU16LA        // bytes low+128, high
	tokU32          // bytes 3 2 1 0, where 3 is the highest
	tokU32L         // bytes 0 1 2 3, where 3 is the highest
	tokU32M2        // bytes 1 0 3 2, where 3 is the highest
	tokU32M3        // bytes 2 3 0 1, where 3 is the highest
	tokSmart        // 0..127 in one byte, up to 32767 in two bytes with the top bit set
	tokSmart4       // 0..32766 in two bytes, -1 as 7fff, larger values in four bytes with the top bit set
)

// tokens maps the names used in profile rows to tokens. "s8" and its transforms are sign-extended on reading.
var tokens = map[string]token{
	"u8": tokU8, "u8A": tokU8A, "u8N": tokU8N, "u8S": tokU8S,
	"s8": tokU8, "s8A": tokU8A, "s8N": tokU8N, "s8S": tokU8S,
	"u16": tokU16, "u16L": tokU16L, "u16A": tokU16A, "u16LA": tokU16LA,
	"u32": tokU32, "u32L": tokU32L, "u32M2": tokU32M2, "u32M3": tokU32M3,
	"smart": tokSmart, "smart2or4n": tokSmart4,
}

// minSize returns the minimum number of bytes that a value encoded by t takes.
func (t token) minSize() int {
	switch {
	case t >= tokU32 && t <= tokU32M3:
		return 4
	case t >= tokU16 && t <= tokU16LA, t == tokSmart4:
		return 2
	}
	return 1
}

// byteLayout is the encoding of a byte string: how its end is marked, and how its bytes are transformed.
type byteLayout uint8

const (
	layoutNone     byteLayout = iota
	layoutCstr                // the bytes, then a 0
	layoutPlain               // a length, then the bytes
	layoutReversed            // a length, then the bytes in reverse order
	layoutPlus128             // a length, then every byte plus 128
)

var byteLayouts = map[string]byteLayout{"cstr": layoutCstr, "bytes": layoutPlain, "rbytes": layoutReversed, "bytesA": layoutPlus128}

// Errors for field values that parsers refuse. Clients fail on some of these values. Others are valid for clients, but the
// encoder writes them in another form.
var (
	errLongForm     = fmt.Errorf("%w: value is encoded in a longer form than it needs", wire.ErrRange)
	errLimit        = fmt.Errorf("%w: value is above the field's limit", wire.ErrRange)
	errEmpty        = fmt.Errorf("%w: field is empty", wire.ErrRange)
	errUnterminated = fmt.Errorf("%w: text has no terminating 0", wire.ErrShort)
	errListTooLong  = fmt.Errorf("%w: list is longer than the remaining input", wire.ErrShort)
	errValue        = fmt.Errorf("%w: the protocol does not define this value of the field", wire.ErrRange)
)

// appendToken appends v encoded by t.
func appendToken(b []byte, t token, v uint32) []byte {
	switch t {
	case tokU8:
		return append(b, byte(v))
	case tokU8A:
		return append(b, byte(v+128))
	case tokU8N:
		return append(b, byte(-v))
	case tokU8S:
		return append(b, byte(128-v))
	case tokU16:
		return append(b, byte(v>>8), byte(v))
	case tokU16L:
		return append(b, byte(v), byte(v>>8))
	case tokU16A:
		return append(b, byte(v>>8), byte(v+128))
	case tokU16LA:
		return append(b, byte(v+128), byte(v>>8))
	case tokU32:
		return append(b, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	case tokU32L:
		return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	case tokU32M2:
		return append(b, byte(v>>8), byte(v), byte(v>>24), byte(v>>16))
	case tokU32M3:
		return append(b, byte(v>>16), byte(v>>24), byte(v), byte(v>>8))
	case tokSmart:
		return appendSmart(b, v)
	case tokSmart4:
		return appendSmart4(b, v)
	}
	return b
}

func appendSmart(b []byte, v uint32) []byte {
	if v < 128 {
		return append(b, byte(v))
	}
	return append(b, byte(v>>8)|0x80, byte(v))
}

func appendSmart4(b []byte, v uint32) []byte {
	switch {
	case v == 1<<32-1:
		return append(b, 0x7f, 0xff)
	case v < 0x7fff:
		return append(b, byte(v>>8), byte(v))
	}
	return append(b, byte(v>>24)|0x80, byte(v>>16), byte(v>>8), byte(v))
}

// readToken reads a value encoded by t. It returns 0 if r has failed. It refuses an encoding that is longer than the value needs,
// because the encoder would not write the same bytes again.
func readToken(r *wire.Reader, t token) uint32 {
	switch t {
	case tokU8:
		return uint32(r.U8())
	case tokU8A:
		return uint32(r.U8() - 128)
	case tokU8N:
		return uint32(-r.U8())
	case tokU8S:
		return uint32(128 - r.U8())
	case tokU16:
		return uint32(r.BE16())
	case tokU16L:
		return uint32(r.U16())
	case tokU16A:
		return uint32(r.BE16() ^ 0x80)
	case tokU16LA:
		return uint32(r.U16() ^ 0x80)
	case tokU32:
		return r.BE32()
	case tokU32L:
		return r.U32()
	case tokU32M2:
		return uint32(r.BE16()) | uint32(r.BE16())<<16
	case tokU32M3:
		return uint32(r.U16())<<16 | uint32(r.U16())
	case tokSmart:
		return readSmart(r)
	case tokSmart4:
		return readSmart4(r)
	}
	return 0
}

func readSmart(r *wire.Reader) uint32 {
	v := uint32(r.U8())
	if v < 128 {
		return v
	}
	v = v&0x7f<<8 | uint32(r.U8())
	if v < 128 {
		r.Fail(errLongForm)
	}
	return v
}

func readSmart4(r *wire.Reader) uint32 {
	v := uint32(r.BE16())
	if v == 0x7fff {
		return 1<<32 - 1
	}
	if v < 0x7fff {
		return v
	}
	v = v&0x7fff<<16 | uint32(r.BE16())
	if v < 0x7fff {
		r.Fail(errLongForm)
	}
	return v
}

// appendByteField appends the byte string data in the layout s. (1) With layoutCstr it appends data up to the first 0, and a 0
// as the end. (2) With any other layout it appends the length, encoded by t, and at most maxItems bytes of data. Both cut off
// the rest of data, which a client would read as the next fields.
func appendByteField(b []byte, s byteLayout, t token, data []byte) []byte {
	if s == layoutCstr {
		if n := bytes.IndexByte(data, 0); n >= 0 {
			data = data[:n]
		}
		return append(append(b, data...), 0)
	}
	data = data[:min(len(data), maxItems)]
	b = appendToken(b, t, uint32(len(data)))
	at := len(b)
	b = append(b, data...)
	applyLayout(b[at:], s)
	return b
}

// readByteField reads a byte string into the memory of dst and returns it. It refuses a string of fewer than minLen bytes.
func readByteField(r *wire.Reader, s byteLayout, t token, minLen int, dst []byte) []byte {
	var raw []byte
	if s == layoutCstr {
		raw = readCstr(r)
	} else {
		raw = r.Bytes(int(readToken(r, t)))
	}
	if len(raw) < minLen {
		r.Fail(errEmpty)
	}
	dst = append(dst[:0], raw...)
	applyLayout(dst, s)
	return dst
}

// readCstr reads up to and including the next 0 and returns the bytes before it.
func readCstr(r *wire.Reader) []byte {
	ahead := *r
	n := bytes.IndexByte(ahead.Rest(), 0)
	if n < 0 {
		r.Fail(errUnterminated)
		return nil
	}
	return r.Bytes(n + 1)[:n]
}

// applyLayout transforms the bytes of b in place as the layout s demands, for example reverses them. A second call restores
// them.
func applyLayout(b []byte, s byteLayout) {
	switch s {
	case layoutReversed:
		for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	case layoutPlus128:
		for i := range b {
			b[i] += 128
		}
	}
}
